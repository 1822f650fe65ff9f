// The page that is asked about: a shop of Vite and React with an API that fails in known ways.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { build, createServer as create_vite, preview } from "vite";

const app = `import { useState } from "react";

function Total({ cart }) {
  const sum = cart.items.reduce((total, item) => total + item.amount.value, 0);
  return <b>{sum}</b>;
}

const pay = async () => {
  const answer = await fetch("/api/items");
  const { price } = await answer.json();
  return price.toFixed(2);
};

const save = () => fetch("/api/cart", { method: "POST", body: JSON.stringify({ id: 7 }) });

function check(index) {
  if (index >= 0) throw new RangeError("stock is negative");
}

export function App() {
  const [cart, set_cart] = useState({ items: [] });
  return (
    <main>
      <button id="break" onClick={() => set_cart({ items: [{}] })}>Break</button>
      <button id="pay" onClick={pay}>Pay</button>
      <button id="save" onClick={save}>Save</button>
      <button id="warn" onClick={() => console.warn("cart is slow", { ms: 950, items: [1, 2] })}>Warn</button>
      <button id="many" onClick={() => { for (let i = 0; i < 30; i++) setTimeout(check, i, i); }}>Many</button>
      <button id="list" onClick={() => { for (const id of [1, 2, 3]) fetch("/api/items?id=" + id); }}>List</button>
      <button id="tax" onClick={() => fetch(window.tax_server + "/tax").catch(() => {})}>Tax</button>
      <Total cart={cart} />
    </main>
  );
}
`;

const main = `import { createRoot } from "react-dom/client";
import { App } from "./App.jsx";
createRoot(document.getElementById("root")).render(<App />);
`;

const page = (script, tax_server) => `<!doctype html>
<html lang="en"><head><title>Shop</title><link rel="icon" href="data:,">${script}
<script>window.tax_server = "${tax_server}";</script></head>
<body><div id="root"></div><script type="module" src="/src/main.jsx"></script></body></html>`;

const answers = {
  "/api/items": [200, '{"name":"lamp","price":null}'],
  "/api/cart": [500, '{"error":"database is down","retry":false}'],
  "/tax": [200, '{"rate":19}'],
};

const start_api = async () => {
  const server = createServer((request, response) => {
    const [status, body] = answers[request.url.split("?")[0]] ?? [404, "{}"];
    response.writeHead(status, { "Content-Type": "application/json" }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => server.close() && server.closeAllConnections();
  return { origin: `http://127.0.0.1:${server.address().port}`, stop };
};

// `script` is the address of the page script; `/` is the page without it, `/watched.html` with it.
export const start_shop = async (folder, script) => {
  const api = await start_api();
  mkdirSync(join(folder, "work"), { recursive: true });
  const root = mkdtempSync(join(folder, "work", "shop-"));
  mkdirSync(join(root, "src"));
  const files = {
    "package.json": '{"type":"module"}',
    "index.html": page("", api.origin),
    "watched.html": page(`<script crossorigin src="${script}"></script>`, api.origin),
    "src/App.jsx": app,
    "src/main.jsx": main,
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  const vite = await create_vite({
    root,
    configFile: false,
    plugins: [react()],
    logLevel: "silent",
    server: { port: 0, host: "localhost", proxy: { "/api": api.origin } },
  });
  await vite.listen();
  await build({
    root,
    configFile: false,
    plugins: [react()],
    logLevel: "silent",
    build: {
      sourcemap: true,
      rollupOptions: { input: [join(root, "index.html"), join(root, "watched.html")] },
    },
  });
  const built = await preview({
    root,
    configFile: false,
    logLevel: "silent",
    preview: { port: 0, host: "localhost", proxy: { "/api": api.origin } },
  });
  const origin_of = (server) => server.resolvedUrls.local[0].replace(/\/$/, "");
  const stop = async () => {
    await vite.close();
    await built.close();
    api.stop();
    rmSync(root, { recursive: true, force: true });
  };
  return { origin: origin_of(vite), built_origin: origin_of(built), stop };
};

export const line_of = (words) => app.split("\n").findIndex((line) => line.includes(words)) + 1;
