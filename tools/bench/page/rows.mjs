// One row for each thing that a page does: how often it is done in a round, with what, and what it
// may cost in microseconds; without a budget, what @sentry/browser costs.
const list_of = (length) => `async () => new Array(${length}).fill(1)`;

export const rows = [
  {
    name: "text log",
    budget: 100,
    calls: 200,
    prepare: async () => "cart updated",
    call: (text, i) => console.log(text, i),
  },
  {
    name: "object log",
    budget: 150,
    calls: 200,
    prepare: async () => ({
      id: 7,
      name: "lamp",
      tags: ["new", "sale"],
      price: { amount: 12.5, currency: "EUR", history: [10, 11, 12] },
      stock: Array.from({ length: 5 }, (_, i) => ({ place: `shelf ${i}`, count: i })),
    }),
    call: (item) => console.log("item", item),
  },
  {
    name: "log of a store with 80,000 parts",
    budget: 2000,
    calls: 10,
    prepare: async () => ({
      items: Array.from({ length: 20_000 }, (_, i) => ({ id: i, name: `item ${i}`, tags: [i] })),
    }),
    call: (store) => console.log("store", store),
  },
  {
    name: "log of a list of 5,000,000",
    budget: 2000,
    calls: 1,
    prepare: list_of(5e6),
    call: (list) => console.log("list", list),
  },
  {
    name: "log of a map of 500,000",
    budget: 2000,
    calls: 10,
    prepare: async () => new Map(Array.from({ length: 5e5 }, (_, i) => [i, { i }])),
    call: (map) => console.log("map", map),
  },
  {
    name: "error log",
    budget: 250,
    calls: 50,
    prepare: async () => 12,
    call: (depth) => {
      const fail = (left) => (left ? fail(left - 1) : new TypeError("x is not a function"));
      console.error("profile failed", fail(depth));
    },
  },
  {
    name: "click on a button",
    budget: 40,
    calls: 200,
    prepare: async () => document.getElementById("go"),
    call: (button) => button.click(),
  },
  {
    name: "click in a large element",
    budget: 40,
    calls: 200,
    prepare: async () => document.getElementById("large"),
    call: (element) => element.click(),
  },
  {
    name: "fetch",
    calls: 500,
    prepare: async () => "/items",
    call: (url) => fetch(url),
  },
  {
    name: "XMLHttpRequest",
    calls: 100,
    prepare: async () => "/items",
    call: (url) => {
      const request = new XMLHttpRequest();
      request.open("GET", url);
      request.send();
    },
  },
];
