// A page whose faults stand at lines that are known, and what an agent is told of each.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import assert from "node:assert/strict";
import { wait_until } from "../../browser/support/wait_until.mjs";

const cart = `// What the cart costs.
// The comments are there so that lines differ from those of a bundle.
export const total = (prices) =>
  prices
    .map((price) => price.amount)
    .reduce((sum, amount) => sum + amount.value, 0);

export const pay = async (card) => {
  await Promise.resolve();

  if (card.worn) throw new RangeError("card is worn out");
};

export const refuse = () => {
  throw "refused without a stack";
};
`;

const later = `export const discount = (code) => {
  const known = { half: 0.5 };

  return known[code].toFixed(2);
};
`;

const buttons = `import { pay, refuse, total } from "./cart.js";

const faults = {
  render: () => total([{ amount: { value: 1 } }, {}]),
  pay: () => pay({ worn: true }),
  refuse,
  later: async () => (await import("./later.js")).discount("none"),
};

export const arm = () => {
  for (const [id, fault] of Object.entries(faults))
    document.getElementById(id).addEventListener("click", () => void fault());
  document.title = "armed";
};
`;

const line_of = (text, words) => text.split("\n").findIndex((line) => line.includes(words)) + 1;

// By the button that makes it happen: what it says, and where it is.
const faults = {
  render: { says: "reading 'value'", file: "src/cart.js", line: line_of(cart, "amount.value") },
  pay: { says: "card is worn out", file: "src/cart.js", line: line_of(cart, "worn out") },
  refuse: { says: "refused without", file: "src/cart.js", line: line_of(cart, "refused without") },
  later: { says: "reading 'toFixed'", file: "src/later.js", line: line_of(later, "toFixed") },
};

export const fault_names = Object.keys(faults);

const lines_of = (more) =>
  Object.fromEntries(fault_names.map((name) => [name, more[name] ?? faults[name].line]));

export const exact_lines = lines_of({});

// What a map without columns knows when the compiler before it has put a statement on one line.
export const statement_lines = lines_of({ render: line_of(cart, "const total") });

export const body_html = fault_names.map((id) => `<button id="${id}">${id}</button>`).join("\n");

export const faulty_sources = { "src/cart.js": cart, "src/later.js": later, "src/buttons.js": buttons };

export const main_source = 'import { arm } from "./buttons.js";\n\narm();\n';

export const page_html = (engine, script) => `<!doctype html>
<html><head><script crossorigin src="${engine.origin}/gasoline.js"></script></head><body>
${body_html}
<script src="${script}"></script>
</body></html>
`;

// The one item of `observe errors` that says so.
export const error_item = (engine, words) =>
  wait_until(
    async () => {
      const { content } = await engine.call_tool("observe", { what: "errors" });
      const { items } = JSON.parse(content[0].text.split("\n").pop());
      return items.find(({ message }) => message.includes(words));
    },
    () => `no error with ${words}`,
  );

// Presses the button, and holds what is told of it against the truth.
export const check_fault = async (engine, page, name, lines) => {
  const { says, file } = faults[name];
  const line = lines[name];
  await page.click(`#${name}`);
  const item = await error_item(engine, says);
  const place = (item.stack ?? item.at).split("\n")[0];
  assert.ok(place.includes(`${file}:${line}`), `${name} is at ${file}:${line}: ${JSON.stringify(item)}`);
  assert.equal(item.unmapped, undefined, JSON.stringify(item));
  assert.ok(JSON.stringify(item).length <= 400, JSON.stringify(item));
};

const types = { ".html": "text/html", ".js": "text/javascript", ".map": "application/json" };

// Serves the files of a folder on a port of its own.
export const serve_folder = async (folder) => {
  const server = createServer(({ url }, response) => {
    const path = new URL(url, "http://localhost").pathname;
    const file = join(folder, normalize(path.endsWith("/") ? `${path}index.html` : path));
    try {
      const text = readFileSync(file);
      response.writeHead(200, { "Content-Type": types[extname(file)] ?? "text/plain" }).end(text);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://localhost:${server.address().port}`, close };
};
