import { request } from "node:http";

const most_answer_chars = 65536;

// One request on a connection of its own. Resolves to { status, text }, or to nothing when there is
// no whole answer in time. An unanswered one keeps no process alive.
export const http_call = (url, { method = "GET", headers, body, timeout_ms = 2000 } = {}) =>
  new Promise((resolve) => {
    const give_up = () => resolve(undefined);
    const timer = setTimeout(() => call.destroy(), timeout_ms).unref();
    const call = request(url, { method, headers, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece) => (text.length < most_answer_chars ? (text += piece) : 0));
      answer.on("end", () => resolve({ status: answer.statusCode, text }));
      answer.on("close", give_up);
    });
    call.on("socket", (socket) => socket.unref());
    call.on("error", give_up);
    call.on("close", () => {
      clearTimeout(timer);
      give_up();
    });
    call.end(body);
  });
