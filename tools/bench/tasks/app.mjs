// The pages of the tasks, and what was done in them: pages tell by beacons, which no server is asked for.
import { createServer } from "node:http";

const html = { "Content-Type": "text/html; charset=utf-8" };
const did = (words) => `navigator.sendBeacon("/did", ${words})`;

export const console_script = `// the stock
const stock = { apples: 0 };
console.log("loaded", stock);
function check(count) {
  if (!count) console.error(new Error("no apples left"));
}
check(stock.apples);
`;
export const error_line = 1 + console_script.split("\n").findIndex((line) => line.includes("no apples"));

const rows = Array.from(
  { length: 3000 },
  (_, i) =>
    `<tr><td>Order ${i}</td><td>${(i * 7) % 100} EUR</td><td><button aria-label="Ship order ${i}">Ship</button></td></tr>`,
).join("");

const pages = {
  "/console": `<title>Console</title><script src="/console.js"></script>`,
  "/network": (other) => `<title>Network</title><script>
    fetch("/network"); fetch("/missing");
    fetch("${other}/prices", { method: "PUT", headers: { "x-shop": "1" } });</script>`,
  "/type": `<title>Type</title><label>Greeting <input id=greeting></label><button id=send>Send</button>
    <button id=more>More</button><p id=n>0</p><script>
    send.onclick = () => ${did("`sent ${greeting.value}`")};
    more.onclick = () => { n.textContent = Number(n.textContent) + 1; ${did("`more ${n.textContent}`")} };</script>`,
  "/form": `<title>Form</title><form><label>Country <select id=country><option value=at>Austria<option value=de>Germany</select></label>
    <label><input type=checkbox id=terms> Terms</label><label><input type=checkbox id=news> News</label>
    <label><input type=checkbox id=other> Other</label></form><script>
    onchange = () => ${did("`form ${country.value} ${terms.checked} ${news.checked} ${other.checked}`")}</script>`,
  "/visitor": `<title>Visitor</title><h1></h1><button>Leave</button><script>
    document.cookie ||= "visitor=" + new URLSearchParams(location.search).get("as");
    document.querySelector("h1").textContent = "Hello " + document.cookie.split("=")[1];
    document.querySelector("button").onclick = () => ${did("`left ${document.cookie}`")}</script>`,
  "/covered": `<title>Covered</title><style>div { position: absolute; width: 200px; height: 60px; background: silver }</style>
    <button style="position:absolute;top:20px;left:20px" onclick='${did('"soon"')}'>Soon</button>
    <button style="position:absolute;top:120px;left:20px" onclick='${did('"never"')}'>Never</button>
    <div id=first style="top:0;left:0">Loading</div><div role=dialog aria-label="Cookie banner" style="top:100px;left:0">Cookies</div>
    <script>setTimeout(() => first.remove(), 1000)</script>`,
  "/dialog": `<title>Dialog</title><button>Delete</button><p id=said></p><script>
    document.querySelector("button").onclick = () => setTimeout(() => {
      said.textContent = confirm("Delete it?") ? "deleted" : "kept"; ${did("said.textContent")} }, 300);</script>`,
  "/frame": (other) => `<title>Frame</title><iframe src="${other}/editor" width=400 height=200></iframe>`,
  "/editor": `<note-pad></note-pad><script>
    customElements.define("note-pad", class extends HTMLElement { connectedCallback() {
      const root = this.attachShadow({ mode: "open" });
      root.innerHTML = "<div contenteditable role=textbox aria-label=Note style='border:1px solid'></div>";
      root.firstChild.oninput = (e) => ${did("`note ${e.target.textContent}`")};
    } })</script>`,
  "/orders": `<title>Orders</title><table>${rows}</table><script>
    onclick = (e) => e.target.ariaLabel && ${did("e.target.ariaLabel")}</script>`,
};

const serve = async (deeds, other = "") => {
  const server = createServer((request, response) => {
    const path = request.url.split("?")[0];
    if (path == "/did") {
      let body = "";
      request.on("data", (piece) => (body += piece));
      return request.on("end", () => {
        deeds.push(body);
        response.writeHead(204).end();
      });
    }
    if (path == "/console.js")
      return response.writeHead(200, { "Content-Type": "text/javascript" }).end(console_script);
    if (path == "/prices") return response.writeHead(request.method == "OPTIONS" ? 403 : 200).end();
    const page = pages[path];
    if (page) return response.writeHead(200, html).end(typeof page == "string" ? page : page(other));
    return response.writeHead(404, { "Content-Type": "text/plain" }).end("no such item");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { port: server.address().port, stop };
};

// Two origins, and a list of what pages told that was done.
export const start_app = async () => {
  const deeds = [];
  const other = await serve(deeds);
  const own = await serve(deeds, `http://localhost:${other.port}`);
  return {
    origin: `http://127.0.0.1:${own.port}`,
    deeds,
    stop: async () => {
      await own.stop();
      await other.stop();
    },
  };
};
