// A page with the script in it, an engine that only records, and what most tests ask of them.
import { after, afterEach, before, beforeEach } from "node:test";
import { built_script } from "./built_script.mjs";
import { start_chromium } from "./chromium.mjs";
import { start_fake_engine } from "./fake_engine.mjs";
import { start_page_server } from "./page_server.mjs";

// Registers its hooks with the test file that calls it. The members are there within tests.
export const watched_page = () => {
  const all = {};
  let script;

  before(async () => {
    script = await built_script();
    all.browser = await start_chromium();
    all.app = await start_page_server();
  });
  after(async () => {
    await all.browser?.close();
    await all.app?.stop();
  });
  beforeEach(async () => {
    all.engine = await start_fake_engine(script);
    all.page = await all.browser.newPage();
  });
  afterEach(async () => {
    await all.page.close();
    await all.engine.stop();
    all.app.reset();
  });

  all.tag = () => `<script src="${all.engine.origin}/gasoline.js"></script>`;

  all.open = async (body = "", head = "") => {
    all.app.set_page(
      "/page",
      `<!doctype html><head>${all.tag()}${head}</head><body>${body}</body>`,
    );
    await all.page.goto(`${all.app.origin}/page`);
  };

  // The same with headers of the page's answer, and an address with a query and a fragment.
  all.open_with = async (body = "", headers = {}) => {
    all.app.set_page(
      "/page",
      `<!doctype html><head>${all.tag()}</head><body>${body}</body>`,
      headers,
    );
    await all.page.goto(`${all.app.origin}/page?q=1#part`);
  };

  all.everything_sent = () => all.engine.posts.map(({ body }) => body).join("\n");

  all.log = (matches, timeout_ms) => all.engine.entry("logs", matches, timeout_ms);
  all.request = (matches) => all.engine.entry("network-bodies", matches);
  all.socket = (matches) => all.engine.entry("websocket-events", matches);

  // Resolves when all that the page has reported so far is here.
  all.settle = async () => {
    const mark = `mark ${Math.random()}`;
    await all.page.evaluate((text) => console.debug(text), mark);
    await all.log(({ message }) => message == mark);
  };
  return all;
};
