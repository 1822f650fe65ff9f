import { mock } from "node:test";

let pages = 0;

const settle = async () => {
  for (let i = 0; i < 5; i++) await new Promise(setImmediate);
};

// The globals that transport.js uses, with virtual time, and a fresh copy of that module.
// `answer(post)` makes the response to a post, or throws; `query` stands behind the script's URL.
export const open_fake_page = async (answer, query = "") => {
  const posts = [];
  const listeners = [];
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  globalThis.location = { href: "http://app.test/page" };
  globalThis.document = { hidden: false };
  globalThis.addEventListener = (type, listener) => listeners.push([type, listener]);
  globalThis.fetch = async (url, options) => {
    const post = { url, options, body: JSON.parse(options.body) };
    posts.push(post);
    return answer(post);
  };
  const transport = await import(`../../../tools/browser/src/transport.js?page=${++pages}`);
  transport.start_transport(`http://localhost:7890/gasoline.js${query}`);

  const pass = async (ms) => {
    mock.timers.tick(ms);
    await settle();
  };
  const hide = async () => {
    document.hidden = true;
    for (const [type, listener] of listeners) if (type == "visibilitychange") listener({ type });
    await settle();
  };
  const close = () => mock.timers.reset();
  return { ...transport, posts, pass, hide, close };
};

export const answer_of = (status, headers = {}) => ({ status, headers: new Headers(headers) });
