// A small shop, whatever draws it: what it asks its server, what it says on its socket, and the faults
// that the recorder can ask of it. What a framework does itself stands in the app of its toolchain.
const live_url = "%LIVE%";

const by_id = (id) => document.getElementById(id);
const show = (id, text) => {
  if (by_id(id)) by_id(id).textContent = text;
};

const ask_json = async (url, init) => {
  const answer = await fetch(url, init);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return answer.json();
};

const post = (body) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

const check_session = async () => {
  const answer = await fetch("/api/me");
  show("user", answer.ok ? (await answer.json()).name : "guest");
};

const login = async () => {
  await ask_json("/api/login", post({ name: "ann" }));
  await check_session();
};

const order = () => ask_json("/api/order", post({ item: 7 }));

let searching;

// Each letter ends the search for the one before.
const search = async (text) => {
  searching?.abort();
  searching = new AbortController();
  try {
    const { found } = await ask_json(`/api/search?q=${text}`, { signal: searching.signal });
    show("found", found);
  } catch (error) {
    if (error.name != "AbortError") throw error;
  }
};

let is_connected = false;

const connected = async () => {
  while (!is_connected) await new Promise((resolve) => setTimeout(resolve, 300));
};

// Waits for news from the server for as long as the page lives, while the server is there.
const poll = async () => {
  for (;;) {
    try {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await connected();
      await fetch("/api/poll");
    } catch (error) {
      console.error("poll failed", error);
      return;
    }
  }
};

// A socket that comes back by itself. Gives what ends it.
export const connect_live = () => {
  let socket;
  let timer;
  const connect = () => {
    socket = new WebSocket(live_url);
    socket.onopen = () => {
      is_connected = true;
    };
    socket.onmessage = ({ data }) => show("live", data);
    socket.onclose = () => {
      is_connected = false;
      timer = setTimeout(connect, 1000);
    };
  };
  connect();
  return () => {
    socket.onclose = null;
    clearTimeout(timer);
    socket.close();
  };
};

const measure = () => {
  fetch("https://www.google-analytics.com/g/collect?v=2", { method: "POST", mode: "no-cors" }).catch(
    () => {},
  );
  const asked = new XMLHttpRequest();
  asked.open("POST", "https://plausible.io/api/event");
  asked.send("{}");
  const script = document.createElement("script");
  script.src = "https://www.googletagmanager.com/gtag/js?id=G-1";
  document.head.append(script);
};

const image = (src) => {
  const element = new Image();
  element.src = src;
  document.body.append(element);
  return element;
};

const deep = (n) => deep(n + 1) + 1;

const faults = {
  handler: () => {
    const cart = {};
    return cart.items.length;
  },
  string_thrown: () => {
    throw "cart is closed";
  },
  recursion: () => deep(0),
  profile_logged_and_thrown: async () => {
    try {
      await ask_json("/api/profile");
    } catch (error) {
      console.error("profile failed", error);
      throw error;
    }
  },
  profile_thrown: () => ask_json("/api/profile"),
  page_for_json: () => fetch("/api/page").then((answer) => answer.json()),
  response_rejected: async () => {
    const answer = await fetch("/api/busy");
    if (!answer.ok) throw answer;
  },
  image_rejected: () =>
    new Promise((done, failed) => {
      const element = new Image();
      element.onerror = failed;
      element.src = "/api/no-such-picture.png";
    }),
  missing_image: () => image("/img/no-such-lamp.png"),
  graphql: async () => {
    const { data } = await ask_json("/api/graphql", post({ query: "{ cart { total } }" }));
    show("total", data?.cart.total ?? "?");
  },
  graphql_thrown: async () => {
    const { errors } = await ask_json("/api/graphql", post({ query: "{ cart { total } }" }));
    if (errors) throw new Error(`GraphQL error: ${errors[0].message}`);
  },
  any: () =>
    Promise.any([
      Promise.reject(new Error("no stock of lamp in Oslo")),
      Promise.reject(new Error("no stock of lamp in Bergen")),
    ]),
  timer: () => {
    const timer = setInterval(() => {
      const basket = null;
      basket.refresh();
    }, 20);
    setTimeout(() => clearInterval(timer), 5000);
  },
  socket_refused: () => {
    const connect = () => {
      new WebSocket("ws://localhost:%CLOSED%/prices").onclose = () => setTimeout(connect, 900);
    };
    connect();
  },
  cors: () => fetch("http://127.0.0.1:%API%/api/stock").then((answer) => answer.json()),
  server_away: () => fetch("http://localhost:%CLOSED%/api/prices").then((answer) => answer.json()),
  worker: () => {
    const code = "setTimeout(() => { throw new RangeError('too many lamps'); }, 50)";
    globalThis.worker = new Worker(URL.createObjectURL(new Blob([code])));
  },
  node_gone: () => document.body.removeChild(document.createElement("p")),
  json: () => JSON.parse("{'total': 3}"),
  logged_error: () => console.error("could not save the cart", new Error("disk quota exceeded")),
  two: () => {
    setTimeout(faults.handler, 0);
    return ask_json("/api/profile");
  },
};

const button = (id, text, act) => {
  const element = document.createElement("button");
  element.id = id;
  element.textContent = text;
  element.addEventListener("click", () => act());
  return element;
};

const draw_tools = () => {
  const bar = document.createElement("p");
  const field = document.createElement("input");
  field.id = "search";
  field.addEventListener("input", () => search(field.value));
  bar.append(
    field,
    button("login", "Log in", login),
    button("order", "Order", order),
    ...Object.entries(faults).map(([name, act]) => button(`fault-${name}`, name, act)),
    // What the component that the framework draws shall do wrong.
    button("break", "Break", () => dispatchEvent(new Event("shop:break"))),
  );
  for (const id of ["user", "found", "live", "total"]) {
    const line = document.createElement("span");
    line.id = id;
    bar.append(line, " ");
  }
  document.body.append(bar);
};

// `connects`: the framework calls connect_live itself.
export const start_shop = ({ connects = false } = {}) => {
  if (by_id("search")) return;
  draw_tools();
  check_session();
  fetch("/manifest.webmanifest").catch(() => {});
  measure();
  poll();
  if (!connects) connect_live();
};
