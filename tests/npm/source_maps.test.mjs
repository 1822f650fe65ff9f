// What an agent is told of an error in a page of Vite: the line of the source, in few bytes.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { start_chromium } from "../browser/support/chromium.mjs";
import { wait_until } from "../browser/support/wait_until.mjs";
import { error_item } from "./support/faulty_pages.mjs";
import { environment, free_port, make_project, start_server } from "./support/project.mjs";
import { start_telling_engine } from "./support/told.mjs";

const here = import.meta.dirname;
const vite = join(here, "node_modules/vite/bin/vite.js");

const app = `import { useState } from "react";

type Cart = { items: { amount?: { value: number } }[] };

function Total({ cart }: { cart: Cart }) {
  const sum = cart.items.reduce((total, item) => {
    return total + item.amount!.value;
  }, 0);
  return <b>{sum}</b>;
}

export function App() {
  const [cart, set_cart] = useState<Cart>({ items: [] });
  const pay = async () => {
    await Promise.resolve();
    throw new RangeError("card is worn out");
  };
  return (
    <main>
      <button id="break" onClick={() => set_cart({ items: [{}] })}>Break</button>
      <button id="pay" onClick={pay}>Pay</button>
      <Total cart={cart} />
    </main>
  );
}
`;

const files = (engine) => ({
  "package.json": '{"type":"module"}',
  "vite.config.js":
    'import react from "@vitejs/plugin-react";\nexport default { plugins: [react()] };\n',
  "index.html": `<!doctype html><html><head><script crossorigin src="${engine.origin}/gasoline.js"></script></head><body><div id="root"></div><script type="module" src="/src/main.tsx"></script></body></html>`,
  "src/main.tsx":
    'import { createRoot } from "react-dom/client";\nimport { App } from "./App";\ncreateRoot(document.getElementById("root")!).render(<App />);\n',
  "src/App.tsx": app,
});

const line_of = (words) => app.split("\n").findIndex((line) => line.includes(words)) + 1;

const skip = process.env.GASOLINE_BIN ? false : "GASOLINE_BIN is not set";

describe("a page of Vite, React and TypeScript", { skip }, () => {
  let engine;
  let project;
  let server;
  let browser;
  let page;

  before(async () => {
    engine = await start_telling_engine();
    project = make_project(here, files(engine));
    const port = await free_port();
    server = await start_server(
      [vite, "--port", `${port}`, "--strictPort"],
      { cwd: project.root, env: environment(engine.state_dir) },
      port,
    );
    browser = await start_chromium();
    page = await browser.newPage();
    await page.goto(server.origin);
    await page.waitForSelector("#pay");
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await engine?.leave();
    project?.remove();
  });

  const item_with = (words) => error_item(engine, words);

  test("an error in a handler is at its line, after its await", async () => {
    await page.click("#pay");
    const line = line_of("card is worn out");
    const { detail } = await engine.told(/card is worn out/);
    assert.match(detail, new RegExp(`at pay \\(src/App\\.tsx:${line}:11\\)`));
    const item = await item_with("card is worn out");
    assert.match(item.stack, new RegExp(`^at pay \\(src/App\\.tsx:${line}:11\\)`));
    assert.equal(item.unmapped, undefined);
    assert.ok(JSON.stringify(item).length <= 400, JSON.stringify(item));
  });

  test("an error of rendering is at its line, React in one line", async () => {
    await page.click("#break");
    const line = line_of("item.amount!");
    const item = await item_with("reading 'value'");
    const lines = item.stack.split("\n");
    assert.match(lines[0], new RegExp(`^at src/App\\.tsx:${line}:\\d+$`));
    assert.match(item.stack, new RegExp(`at Total \\(src/App\\.tsx:${line_of("cart.items.reduce")}:`));
    assert.match(lines.at(-1), /^\+\d+ in react-dom/);
    assert.ok(!item.stack.includes("node_modules"));
    assert.ok(JSON.stringify(item).length <= 400, JSON.stringify(item));
  });

  test("a line that moved is followed after a reload", async () => {
    project.write("src/App.tsx", `// one\n// two\n${app}`);
    await page.goto(server.origin);
    await page.waitForSelector("#pay");
    await page.click("#pay");
    const line = line_of("card is worn out") + 2;
    await wait_until(
      async () => (await item_with("card is worn out")).stack.startsWith(`at pay (src/App.tsx:${line}:`),
      () => "the line of before",
    );
    assert.equal((await item_with("card is worn out")).count, 2, "one fault, wherever its line is");
  });
});
