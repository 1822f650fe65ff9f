// What an agent has to do, and the calls that do it, with the fewest that each server allows. A task is
// done when the answers hold what has to be learned, and the pages have told what had to be done.
import { error_line } from "./app.mjs";

const uid = (text, pattern) => text.match(new RegExp(`uid=(\\S+) ${pattern}`))?.[1];
const ref = (text, pattern) => text.match(new RegExp(`${pattern}[^\\n]*\\[ref=(\\w+)\\]`))?.[1];

const times = async (count, action) => {
  let text = "";
  for (let i = 0; i < count; i++) text += await action();
  return text;
};

export const tasks = [
  {
    name: "a log, an error and its line",
    learns: [/loaded/, /no apples left/, new RegExp(`console\\.js:${error_line}\\b`)],
    gasoline: async (call, at) =>
      (await call("interact", { action: "navigate", url: at("/console") })) +
      (await call("observe", { what: "logs" })),
    devtools: async (call, at) => {
      await call("navigate_page", { type: "url", url: at("/console") });
      const list = await call("list_console_messages");
      const msgid = Number(list.split("\n").find((line) => /no apples/.test(line))?.match(/\d+/)?.[0]);
      return list + (await call("get_console_message", { msgid }));
    },
    playwright: async (call, at) => {
      await call("browser_navigate", { url: at("/console") });
      return call("browser_console_messages", { level: "info" });
    },
  },
  {
    name: "which requests failed, and why",
    learns: [/missing/, /404/, /no such item/, /prices/, /CORS|preflight|PreflightInvalidStatus/i],
    gasoline: (call, at) => call("interact", { action: "navigate", url: at("/network") }),
    devtools: async (call, at) => {
      await call("navigate_page", { type: "url", url: at("/network") });
      const list = await call("list_network_requests", { resourceTypes: ["fetch"] });
      const reqid = Number(list.split("\n").find((line) => /missing/.test(line))?.match(/\d+/)?.[0]);
      return (
        list +
        (await call("get_network_request", { reqid })) +
        (await call("list_console_messages", { types: ["error"] }))
      );
    },
    playwright: async (call, at) => {
      await call("browser_navigate", { url: at("/network") });
      const list = await call("browser_network_requests", {});
      const index = Number(list.split("\n").find((line) => /missing/.test(line))?.match(/\d+/)?.[0]);
      return (
        list +
        (await call("browser_network_request", { index, part: "response-body" })) +
        (await call("browser_console_messages", { level: "error" }))
      );
    },
  },
  {
    name: "type, click, and five clicks more",
    does: ["sent hello world", "more 5"],
    gasoline: async (call, at) => {
      await call("interact", { action: "navigate", url: at("/type") });
      await call("interact", { action: "fill", label: "Greeting", value: "hello world" });
      await call("interact", { action: "click", text: "Send" });
      return times(5, () => call("interact", { action: "click", text: "More" }));
    },
    devtools: async (call, at) => {
      await call("navigate_page", { type: "url", url: at("/type") });
      const seen = await call("take_snapshot");
      await call("fill", { uid: uid(seen, 'textbox "Greeting'), value: "hello world" });
      await call("click", { uid: uid(seen, 'button "Send') });
      return times(5, () => call("click", { uid: uid(seen, 'button "More') }));
    },
    playwright: async (call, at) => {
      await call("browser_navigate", { url: at("/type") });
      await call("browser_type", { target: "#greeting", element: "Greeting", text: "hello world" });
      await call("browser_click", { target: "#send", element: "Send" });
      return times(5, () => call("browser_click", { target: "#more", element: "More" }));
    },
  },
  {
    name: "a form, and nothing else touched",
    does: ["form de true true false"],
    gasoline: async (call, at) => {
      await call("interact", { action: "navigate", url: at("/form") });
      return call("interact", { action: "fill", fields: { Country: "Germany", Terms: true, News: true } });
    },
    devtools: async (call, at) => {
      await call("navigate_page", { type: "url", url: at("/form") });
      const seen = await call("take_snapshot");
      return call("fill_form", {
        elements: [
          { uid: uid(seen, 'combobox "Country'), value: "Germany" },
          { uid: uid(seen, 'checkbox "Terms'), value: "true" },
          { uid: uid(seen, 'checkbox "News'), value: "true" },
        ],
      });
    },
    playwright: async (call, at) => {
      await call("browser_navigate", { url: at("/form") });
      return call("browser_fill_form", {
        fields: [
          { name: "Country", type: "combobox", target: "#country", value: "Germany" },
          { name: "Terms", type: "checkbox", target: "#terms", value: "true" },
          { name: "News", type: "checkbox", target: "#news", value: "true" },
        ],
      });
    },
  },
  {
    name: "the line of a fault in a minified bundle",
    built: true,
    learns: [/stock is negative/, /App\.jsx:\d+/],
    gasoline: async (call, at) => {
      await call("interact", { action: "navigate", url: at("/") });
      return call("interact", { action: "click", css: "#many" });
    },
    devtools: async (call, at) => {
      await call("navigate_page", { type: "url", url: at("/") });
      const seen = await call("take_snapshot");
      await call("click", { uid: uid(seen, 'button "Many') });
      const list = await call("list_console_messages", { types: ["error"] });
      const msgid = Number(list.split("\n").find((line) => /stock is/.test(line))?.match(/\d+/)?.[0]);
      return list + (await call("get_console_message", { msgid }));
    },
    playwright: async (call, at) => {
      await call("browser_navigate", { url: at("/") });
      await call("browser_click", { target: "#many", element: "Many" });
      return call("browser_console_messages", { level: "error" });
    },
  },
  {
    name: "two pages with cookies of their own",
    learns: [/Hello ann/, /Hello bob/],
    does: ["left visitor=ann"],
    gasoline: async (call, at) => {
      const open = (as) =>
        call("interact", { action: "tabs", do: "open", alone: true, url: at(`/visitor?as=${as}`) });
      const handle = (text) => text.match(/\bp\d+\b/)[0];
      const [ann, bob] = [handle(await open("ann")), handle(await open("bob"))];
      const seen =
        (await call("interact", { action: "read", page: ann })) +
        (await call("interact", { action: "read", page: bob }));
      return seen + (await call("interact", { action: "click", page: ann, text: "Leave" }));
    },
    devtools: async (call, at) => {
      const page_id = (text) => Number(text.match(/(\d+): \S+ \[selected\]/)?.[1]);
      const ann = page_id(await call("new_page", { url: at("/visitor?as=ann"), isolatedContext: "ann" }));
      const bob = page_id(await call("new_page", { url: at("/visitor?as=bob"), isolatedContext: "bob" }));
      const seen = await call("take_snapshot", { pageId: ann });
      const other = await call("take_snapshot", { pageId: bob });
      return seen + other + (await call("click", { pageId: ann, uid: uid(seen, 'button "Leave') }));
    },
    // Its tabs share one context.
    playwright: async (call, at) => {
      await call("browser_tabs", { action: "new", url: at("/visitor?as=ann") });
      await call("browser_tabs", { action: "new", url: at("/visitor?as=bob") });
      return call("browser_snapshot");
    },
  },
  {
    name: "a button that is covered for a second, and one that stays so",
    learns: [/Cookie banner|Cookies/],
    does: ["soon"],
    leaves: ["never"],
    gasoline: async (call, at) => {
      await call("interact", { action: "navigate", url: at("/covered") });
      await call("interact", { action: "click", text: "Soon" });
      return call("interact", { action: "click", text: "Never", timeout_ms: 1000 });
    },
    devtools: async (call, at) => {
      await call("navigate_page", { type: "url", url: at("/covered") });
      const seen = await call("take_snapshot");
      await call("click", { uid: uid(seen, 'button "Soon') });
      return call("click", { uid: uid(seen, 'button "Never') });
    },
    playwright: async (call, at) => {
      await call("browser_navigate", { url: at("/covered") });
      await call("browser_click", { target: "text=Soon", element: "Soon" });
      return call("browser_click", { target: "text=Never", element: "Never" });
    },
  },
  {
    name: "a question that comes after the click",
    does: ["deleted"],
    gasoline: async (call, at) => {
      await call("interact", { action: "navigate", url: at("/dialog") });
      await call("interact", { action: "click", text: "Delete" });
      return call("interact", { action: "dialog", accept: true });
    },
    devtools: async (call, at) => {
      await call("navigate_page", { type: "url", url: at("/dialog") });
      const seen = await call("take_snapshot");
      await call("click", { uid: uid(seen, 'button "Delete') });
      return call("handle_dialog", { action: "accept" });
    },
    playwright: async (call, at) => {
      await call("browser_navigate", { url: at("/dialog") });
      await call("browser_click", { target: "button", element: "Delete" });
      return call("browser_handle_dialog", { accept: true });
    },
  },
  {
    name: "writing in a shadow root in a frame of another origin",
    does: ["note hello"],
    gasoline: async (call, at) => {
      await call("interact", { action: "navigate", url: at("/frame") });
      return call("interact", { action: "fill", label: "Note", value: "hello" });
    },
    devtools: async (call, at) => {
      await call("navigate_page", { type: "url", url: at("/frame") });
      const seen = await call("take_snapshot");
      return call("fill", { uid: uid(seen, 'textbox "Note'), value: "hello" });
    },
    playwright: async (call, at) => {
      await call("browser_navigate", { url: at("/frame") });
      const seen = await call("browser_snapshot");
      return call("browser_type", { target: ref(seen, 'textbox "Note"'), element: "Note", text: "hello" });
    },
  },
  {
    name: "one of 3,000 rows",
    does: ["Ship order 2417"],
    gasoline: async (call, at) => {
      await call("interact", { action: "navigate", url: at("/orders") });
      return call("interact", { action: "click", role: "button", name: "Ship order 2417" });
    },
    devtools: async (call, at) => {
      await call("navigate_page", { type: "url", url: at("/orders") });
      const seen = await call("take_snapshot");
      return call("click", { uid: uid(seen, 'button "Ship order 2417"') });
    },
    playwright: async (call, at) => {
      await call("browser_navigate", { url: at("/orders") });
      return call("browser_click", {
        target: 'button[aria-label="Ship order 2417"]',
        element: "Ship",
      });
    },
  },
];

