// The sessions of each toolchain: what is done, and what an agent must be told of it.

const saves = {
  plain: ["about.html", "since 1971", "since 1970"],
  vite_react: ["src/Cart.jsx", "EUR", "Euro"],
  vite_vue: ["src/Cart.vue", "<ul>", "<ul class='cart'>"],
  vite_svelte: ["src/Cart.svelte", "<ul>", "<ul class='cart'>"],
  webpack: ["src/cart.js", '"bulb"', '"bulbs"'],
  rsbuild: ["src/Cart.jsx", "EUR", "Euro"],
  parcel: ["src/Cart.jsx", "EUR", "Euro"],
  next: ["app/Cart.jsx", "EUR", "Euro"],
  angular: ["src/cart.ts", "<ul>", "<ul class='cart'>"],
};

// ---- healthy work

const work = (toolchain) => async (hand) => {
  await hand.open();
  await hand.click("login");
  await hand.away(60);
  for (let round = 0; round < 3; ++round) {
    await hand.type("lamp");
    await hand.click("order");
    await hand.away(100);
    await hand.save(saves[toolchain]);
    await hand.away(45);
    await hand.repair();
    await hand.reload();
    await hand.away(60);
  }
  await hand.click("about");
  await hand.away(30);
  await hand.page.goBack().catch(() => {});
  await hand.open();
};

// The server of the shop ends its sockets with each restart, or just dies; the page comes back.
const restarts = (toolchain) => async (hand) => {
  await hand.open();
  await hand.click("login");
  for (const code of [1012, 1001, 0]) {
    await hand.away(90);
    await hand.news.restart(400, code);
    await hand.wait(1500);
    await hand.click("order");
  }
  await hand.away(120);
  if (toolchain != "plain") await hand.dev.restart(1500);
  await hand.wait(4000);
  await hand.reload();
  await hand.away(120);
  await hand.save(saves[toolchain]);
  await hand.away(120);
  await hand.repair();
};

// A blocker and another extension, and a page that is left while it still asks.
const blocked = (toolchain) => async (hand) => {
  await hand.open();
  await hand.extension();
  await hand.away(120);
  for (let round = 0; round < 3; ++round) {
    await hand.type("bulbs");
    hand.page.evaluate(() => void fetch("/api/search?q=late").then((answer) => answer.json())).catch(() => {});
    await hand.reload();
    await hand.away(100);
  }
  hand.page.evaluate(() => void fetch("/api/poll").then((answer) => answer.text())).catch(() => {});
  await hand.click("about");
  await hand.away(100);
  await hand.open();
  await hand.extension();
  await hand.save(saves[toolchain]);
  await hand.away(100);
  await hand.repair();
};

const healthy = (toolchain) => [
  { name: "work", title: "A quarter of an hour of work: login, searches, orders, saved files, reloads, another page.", act: work(toolchain) },
  { name: "restarts", title: "The server of the shop and the development server are restarted while the page is open.", act: restarts(toolchain) },
  { name: "blocked", title: "A blocker and another extension; the page is left while requests are open.", blocks: true, act: blocked(toolchain) },
];

// ---- faults that a page makes itself

const fault = (kind, ...match) => ({ class: kind, match });

const own_faults = {
  handler: ["A click calls what is not there.", fault("error", "reading 'length'")],
  string_thrown: ["A text is thrown.", fault("error", "cart is closed")],
  recursion: ["A function calls itself without end.", fault("error", "Maximum call stack size exceeded")],
  profile_logged_and_thrown: ["An answer of 500 is logged and thrown on.", fault("network", "/api/profile", "500")],
  profile_thrown: ["An answer of 500 is thrown.", fault("network", "/api/profile", "500")],
  page_for_json: ["A page is read as JSON.", fault("error", "Unexpected token '<'")],
  response_rejected: ["A Response of 503 is thrown.", fault("network", "/api/busy", "503")],
  image_rejected: ["The error event of a picture is thrown.", fault("network", "no-such-picture.png")],
  missing_image: ["A picture is not there.", fault("network", "no-such-lamp.png")],
  graphql: ["An answer of 200 holds an error of GraphQL.", fault("network", "Cannot return null for Cart.total")],
  graphql_thrown: ["An error of GraphQL is thrown.", fault("network", "Cannot return null for Cart.total")],
  any: ["Promise.any of two that fail.", fault("error", "no stock of lamp in Oslo")],
  timer: ["A timer throws 50 times a second.", fault("error", "reading 'refresh'")],
  socket_refused: ["A socket is refused for good, tried again every 0.9 s.", fault("network", "/prices")],
  cors: ["A server of another origin does not allow the page.", fault("network", "/api/stock")],
  server_away: ["A server of another origin is away.", fault("network", "/api/prices")],
  worker: ["A worker throws.", fault("error", "too many lamps")],
  node_gone: ["A node is removed that is not there.", fault("error", "removeChild")],
  json: ["A text is no JSON.", fault("error", "JSON")],
  logged_error: ["An error with a stack is only logged.", fault("error", "disk quota exceeded")],
  two: ["Two faults in one moment.", fault("error", "reading 'length'"), fault("network", "/api/profile", "500")],
};

const lasting = ["timer", "socket_refused"];

const press = (name) => async (hand) => {
  await hand.open();
  await hand.away(20);
  await hand.click(`fault-${name}`);
  await hand.wait(lasting.includes(name) ? 5000 : 1500);
  await hand.away(30);
};

const own = (...names) =>
  names.map((name) => {
    const [title, ...faults] = own_faults[name];
    return { name, title, faults, act: press(name) };
  });

// ---- faults of the code

// Saved, repaired, and the page still works.
const compile = (name, title, edit, match, path = "/") => ({
  name,
  title,
  faults: [{ class: "build", match }],
  act: async (hand) => {
    await hand.open(path);
    await hand.away(20);
    await hand.save(edit);
    await hand.away(40);
    await hand.repair();
    await hand.away(40);
    await hand.type("lamp");
  },
});

// The page is loaded anew while the code is broken.
const compile_and_reload = (name, title, edit, match) => ({
  name,
  title,
  faults: [{ class: "build", match }],
  act: async (hand) => {
    await hand.open();
    await hand.away(20);
    await hand.save(edit);
    await hand.reload();
    await hand.away(40);
    await hand.repair();
    await hand.reload();
    await hand.away(40);
  },
});

const breaks = (match, kind = "framework", button = "break") => ({
  name: `${button}_component`,
  title: "A component fails while it draws.",
  faults: [fault(kind, ...match)],
  act: async (hand) => {
    await hand.open();
    await hand.away(20);
    await hand.click(button);
    await hand.away(40);
  },
});

// A part that is loaded late is not there any more.
const chunk = (route, match, button = "about", path = "/") => ({
  name: "chunk",
  title: "A part of the app that is loaded late is not there.",
  faults: [fault("network", match)],
  act: async (hand) => {
    await hand.context.route(route, (asked) => asked.fulfill({ status: 404, body: "gone" }));
    await hand.open(path);
    await hand.away(20);
    await hand.click(button);
    await hand.away(40);
  },
});

const jsx_syntax = (file) => [file, "<ul>", "<ul"];
const jsx_module = (file) => [file, "import { useEffect", 'import { prices } from "./prices.js";\nimport { useEffect'];
const runtime_edit = (file) => [file, "return (\n    <ul>", "missing_total();\n  return (\n    <ul>"];

const edited = (name, title, edit, match) => ({
  name,
  title,
  faults: [fault("framework", ...match)],
  act: async (hand) => {
    await hand.open();
    await hand.away(20);
    await hand.save(edit);
    await hand.away(40);
    await hand.repair();
    await hand.reload();
    await hand.away(40);
  },
});

const react_faults = (folder) => [
  compile("syntax", "A syntax error is saved, and repaired.", jsx_syntax(`${folder}/Cart.jsx`), ["Cart.jsx"]),
  compile("module", "A module is imported that does not exist.", jsx_module(`${folder}/Cart.jsx`), ["prices.js", "Cart.jsx"]),
  compile_and_reload("syntax_reload", "A syntax error is saved, and the page loaded anew.", jsx_syntax(`${folder}/Cart.jsx`), ["Cart.jsx"]),
  edited("reference", "An edit uses what is not defined.", runtime_edit(`${folder}/Cart.jsx`), ["missing_total"]),
  breaks(["reading 'amount'"]),
];

const ci = {
  name: "ci",
  title: "CI fails, is repeated, and passes.",
  faults: [fault("ci", "2 failed")],
  act: async (hand) => {
    const result = { source: "gitlab", ref: "main", commit: "3f2a10c", url: "https://ci.test/7", summary: "2 failed" };
    await hand.open();
    await hand.away(20);
    await hand.tell_ci({ ...result, status: "running" });
    await hand.away(60);
    await hand.tell_ci({ ...result, status: "failed" });
    await hand.away(60);
    await hand.tell_ci({ ...result, commit: "9b1c22d", status: "success", summary: "" });
    await hand.away(60);
  },
};

const slow_server = {
  name: "slow_server",
  title: "The server answers a second later than before.",
  faults: [fault("performance", "TTFB")],
  act: async (hand) => {
    for (let load = 0; load < 5; ++load) {
      await hand.open();
      await hand.away(20);
    }
    hand.shop.slow(1100);
    for (let load = 0; load < 3; ++load) {
      await hand.open();
      await hand.away(20);
    }
    hand.shop.slow(0);
    await hand.open("/about.html");
  },
};

const policy = (name, title, button, match) => ({
  name,
  title,
  faults: [fault("security", match)],
  act: async (hand) => {
    await hand.open("/policy.html");
    await hand.away(20);
    await hand.click(button);
    await hand.away(40);
  },
});

const opened = (name, title, path, ...faults) => ({
  name,
  title,
  faults,
  act: async (hand) => {
    await hand.open(path);
    await hand.away(60);
  },
});

const faults = {
  plain: [
    ...own(...Object.keys(own_faults)),
    ci,
    slow_server,
    policy("policy_script", "The page's policy refuses a script.", "widget", "widget.js"),
    policy("policy_fetch", "The page's policy refuses a request.", "prices", "/api/stock"),
    chunk("**/assets/more*", "more-3f2a10.js", "more", "/chunk.html"),
  ],
  vite_react: [
    ...react_faults("src"),
    chunk("**/About.jsx*", "About.jsx"),
    ...own("handler", "profile_logged_and_thrown", "missing_image", "graphql", "socket_refused"),
  ],
  vite_vue: [
    compile("syntax", "A closing tag is removed.", ["src/Cart.vue", "</li>", ""], ["Cart.vue"]),
    compile("script_syntax", "A syntax error in the script of a component.", ["src/Cart.vue", "const items =", "const items = ="], ["Cart.vue"]),
    compile("module", "A module is imported that does not exist.", ["src/Cart.vue", "const items", 'import "./prices.js";\nconst items'], ["prices.js", "Cart.vue"]),
    breaks(["reading 'first'"]),
    chunk("**/About.vue*", "About.vue"),
    ...own("missing_image", "graphql_thrown", "any", "profile_thrown"),
  ],
  vite_svelte: [
    compile("syntax", "A block is not closed.", ["src/Cart.svelte", "{/each}", ""], ["Cart.svelte"]),
    compile("module", "A module is imported that does not exist.", ["src/Cart.svelte", "let items", 'import "./prices.js";\n  let items'], ["prices.js", "Cart.svelte"]),
    compile_and_reload("syntax_reload", "A block is not closed, and the page loaded anew.", ["src/Cart.svelte", "{/each}", ""], ["Cart.svelte"]),
    breaks(["reading 'first'"]),
    ...own("profile_logged_and_thrown", "timer", "response_rejected"),
  ],
  webpack: [
    compile("syntax", "A syntax error is saved, and repaired.", ["src/cart.js", "=> {", "=> {{"], ["cart.js"]),
    compile("module", "A module is imported that does not exist.", ["src/cart.js", "export const", 'import "./prices.js";\nexport const'], ["prices.js", "cart.js"]),
    compile_and_reload("syntax_reload", "A syntax error is saved, and the page loaded anew.", ["src/cart.js", "=> {", "=> {{"], ["cart.js"]),
    breaks(["reading 'map'"], "error"),
    { ...breaks(["/api/busy", "503"], "network", "axios"), title: "An error of axios is not caught." },
    chunk("**/src_about_js*", "about_js"),
    ...own("handler", "timer", "profile_logged_and_thrown", "missing_image"),
  ],
  rsbuild: [...react_faults("src"), chunk("**/async/**", "About_jsx"), ...own("graphql", "timer", "two")],
  // Parcel's server ends when a page is asked for that does not compile.
  parcel: [...react_faults("src").filter(({ name }) => name != "syntax_reload"), ...own("handler", "missing_image")],
  next: [
    ...react_faults("app"),
    opened("hydration", "The browser draws other than the server.", "/late", fault("framework", "ydrat")),
    { ...breaks(["no order of that number"], "error", "order-page"), name: "server_component", title: "A component of the server throws." },
    ...own("profile_thrown", "graphql", "logged_error"),
  ],
  angular: [
    compile("types", "A name that does not exist.", ["src/app.ts", "cart.items.pop()", "crt.items.pop()"], ["crt", "app.ts"]),
    compile("template", "A block of a template is not closed.", ["src/cart.ts", "</li>\n      }", "</li>"], ["cart.ts"]),
    compile("module", "A module is imported that does not exist.", ["src/cart.ts", "@Component", 'import { prices } from "./prices";\n\n@Component'], ["prices", "cart.ts"]),
    breaks(["reading 'first'"]),
    { ...breaks(["reading 'pop'"], "framework", "wrong"), title: "A listener of a template throws." },
    ...own("profile_thrown", "graphql_thrown", "json"),
  ],
};

export const sessions_of = (toolchain) => [...faults[toolchain], ...healthy(toolchain)];
