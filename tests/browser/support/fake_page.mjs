import { mock } from "node:test";

let pages = 0;

const settle = async () => {
  for (let i = 0; i < 5; i++) await new Promise(setImmediate);
};

// The globals that transport.js uses, with virtual time, and a fresh copy of that module.
// `answer(post)` makes the response to a post, or throws; `query` stands behind the script's URL.
export const open_fake_page = async (answer, query = "") => {
  const posts = [];
  const console_lines = [];
  const listeners = [];
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  // Compressing takes real time.
  globalThis.CompressionStream = undefined;
  globalThis.location = {
    href: "http://app.test/page",
    origin: "http://app.test",
    protocol: "http:",
  };
  globalThis.document = { hidden: false };
  globalThis.top = globalThis;
  globalThis.addEventListener = (type, listener) => listeners.push([type, listener]);
  globalThis.fetch = async (url, options) => {
    const post = { url, options, body: JSON.parse(options.body) };
    posts.push(post);
    return answer(post);
  };
  mock.method(console, "warn", (text) => console_lines.push(text));
  const transport = await import(`../../../tools/page_script/src/transport.js?page=${++pages}`);
  // All pages of one test file share what is done when one is hidden.
  const { before_hide } = await import("../../../tools/page_script/src/page_life.js");
  transport.start_transport(`http://localhost:7890/gasoline.js${query}`);

  const pass = async (ms) => {
    mock.timers.tick(ms);
    await settle();
  };
  const change_visibility = async (hidden) => {
    document.hidden = hidden;
    for (const [type, listener] of listeners) if (type == "visibilitychange") listener({ type });
    await settle();
  };
  const hide = () => change_visibility(true);
  const show = () => change_visibility(false);
  const close = () => {
    mock.timers.reset();
    mock.restoreAll();
  };
  return { ...transport, before_hide, posts, console_lines, pass, hide, show, close };
};

export const answer_of = (status, headers = {}) => ({ status, headers: new Headers(headers) });
