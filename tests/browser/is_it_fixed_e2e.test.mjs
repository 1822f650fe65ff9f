// Twenty edits of ten small broken pages, of which ten mend nothing: `analyze diff` says fixed when the fault is gone,
// and only then, at whatever moment it is asked.
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { start_chromium } from "./support/chromium.mjs";
import { start_http_server } from "./support/http_server.mjs";
import { fix_judge } from "./support/is_it_fixed.mjs";
import { start_real_engine } from "./support/real_engine.mjs";

const program = process.env.GASOLINE_BIN;

const page_of = (body) => ({ body, api: {} });
const button = (script, name = "Pay") =>
  page_of(`<button onclick="go()">${name}</button><script>const go = () => { ${script} };</script>`);
const with_api = (body, api) => ({ body, api });
const ok = (value) => ({ status: 200, value });
const failed = (status) => ({ status, value: { error: "no" } });

const click = (name) => (page) => page.getByRole("button", { name }).click();
const pay = click("Pay");
const nothing = async () => {};

const item = (id) => `<script>fetch("/api/items/${id}").then((r) => r.json())</script>`;
const cart = (read) =>
  `<script>fetch("/api/cart").then((r) => r.json()).then((cart) => { ${read} })</script>`;
const terms = (script) => `<label><input type="checkbox"> Terms</label>
  <button onclick="go()">Pay</button>
  <script>const go = () => { const ticked = document.querySelector("input").checked; ${script} };</script>`;
const tick_and_pay = async (page) => {
  await page.getByRole("checkbox").check();
  await pay(page);
};

// Each fault with the page that shows it, what is done in the page, an edit that mends it, and one that does not.
const faults = [
  {
    name: "a click on nothing",
    broken: button("const cart = {}; cart.total.toFixed(2)"),
    use: pay,
    mended: button("const cart = { total: 1 }; cart.total.toFixed(2)"),
    not_mended: button("const cart = {}; /* rounds */ cart.total.toFixed(2)"),
  },
  {
    name: "an error while the page loads, and one before it can come",
    broken: page_of("<script>const settings = null; settings.theme</script>"),
    use: nothing,
    mended: page_of("<script>const settings = {}; settings.theme</script>"),
    not_mended: page_of("<script>const options = undefined; options.load(); settings.theme</script>"),
  },
  {
    name: "a request that fails, and another one that never did",
    broken: with_api(item(7), { "/api/items/7": failed(500) }),
    use: nothing,
    mended: with_api(item(7), { "/api/items/7": ok({ id: 7 }) }),
    not_mended: with_api(item(8), { "/api/items/7": failed(500), "/api/items/8": ok({ id: 8 }) }),
  },
  {
    name: "an error that takes its time",
    broken: page_of("<script>setTimeout(() => { null.late }, 1500)</script>"),
    use: nothing,
    mended: page_of("<script>setTimeout(() => {}, 1500)</script>"),
    not_mended: page_of("<script>setTimeout(() => { null.late }, 1700)</script>"),
  },
  {
    name: "an order that is refused, and refused otherwise",
    broken: with_api(button(`fetch("/api/order", { method: "POST", body: '{"n":1}' })`).body, {
      "/api/order": failed(500),
    }),
    use: pay,
    mended: with_api(button(`fetch("/api/order", { method: "POST", body: '{"n":1}' })`).body, {
      "/api/order": ok({}),
    }),
    not_mended: with_api(button(`fetch("/api/order", { method: "POST", body: '{"n":1}' })`).body, {
      "/api/order": failed(502),
    }),
  },
  {
    name: "null where a list should be, and a server that is gone",
    broken: with_api(cart("cart.items.length"), { "/api/cart": ok({ items: null }) }),
    use: nothing,
    mended: with_api(cart("cart.items?.length"), { "/api/cart": ok({ items: null }) }),
    not_mended: with_api(cart("cart.items.length"), { "/api/cart": { status: 503, value: { items: [] } } }),
  },
  {
    name: "a click, and another button",
    broken: button("undefined_function()"),
    use: pay,
    mended: button("document.title = 'paid'"),
    not_mended: button("undefined_function()", "Later"),
    use_not_mended: nothing,
  },
  {
    name: "an address that is not there, and another that is not",
    broken: with_api(`<script>fetch("/api/usr")</script>`, { "/api/user": ok({}) }),
    use: nothing,
    mended: with_api(`<script>fetch("/api/user")</script>`, { "/api/user": ok({}) }),
    not_mended: with_api(`<script>fetch("/api/uesr")</script>`, { "/api/user": ok({}) }),
  },
  {
    name: "an error that is caught and logged, in other words",
    broken: button(`try { JSON.parse("{") } catch (e) { console.error(new Error("cannot read the cart")) }`),
    use: pay,
    mended: button(`try { JSON.parse("{}") } catch (e) { console.error(new Error("cannot read the cart")) }`),
    not_mended: button(`try { JSON.parse("{") } catch (e) { console.error(new Error("the cart is unreadable")) }`),
  },
  {
    name: "one of two ways through",
    broken: page_of(terms("const order = {}; if (ticked) order.terms.sign(); else order.ask();")),
    use: tick_and_pay,
    mended: page_of(terms("const order = { terms: { sign() {} } }; if (ticked) order.terms.sign();")),
    not_mended: page_of(terms("const order = { ask() {} }; if (ticked) order.terms.sign(); else order.ask();")),
  },
];

describe("is it fixed?", { skip: program ? false : "GASOLINE_BIN is not set" }, () => {
  let app;
  let browser;
  let engine;
  let page;
  let shown;

  before(async () => {
    app = await start_http_server((request, response) => {
      const path = request.url.split("?")[0];
      if (path == "/") {
        response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" });
        const script = `<script src="${engine.origin}/gasoline.js"></script>`;
        return response.end(`<!doctype html><link rel="icon" href="data:,">${script}<body>${shown.body}</body>`);
      }
      const answer = shown.api[path] ?? { status: 404, value: { error: "not here" } };
      response.writeHead(answer.status, { "Content-Type": "application/json" });
      return response.end(JSON.stringify(answer.value));
    });
    browser = await start_chromium();
  });

  beforeEach(async () => {
    engine = await start_real_engine(program);
    page = await browser.newPage();
  });

  afterEach(async () => {
    await page?.close();
    await engine?.leave();
  });

  after(async () => {
    await browser?.close();
    await app?.stop();
  });

  // The page with its fault, as the engine has heard of it, and the edit.
  const broken_then = async (fault, version, use) => {
    shown = fault.broken;
    await page.goto(app.origin);
    await fault.use(page);
    await fix_judge(engine).heard_of_fault();
    shown = version;
    await page.goto(app.origin);
    await use(page);
  };

  for (const fault of faults) {
    test(`${fault.name}: mended`, async () => {
      await broken_then(fault, fault.mended, fault.use);
      await fix_judge(engine).says_fixed();
    });

    test(`${fault.name}: not mended`, async () => {
      await broken_then(fault, fault.not_mended, fault.use_not_mended ?? fault.use);
      await fix_judge(engine).never_says_fixed();
    });
  }
});
