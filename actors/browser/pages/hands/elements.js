// Elements and the numbers that they are known by, which are never used again within a world; and
// texts as they are shown.

const known = new Map(); // number -> WeakRef of the element
const numbers = new WeakMap();
let last = 0;

const number_of = (element) => {
  if (!numbers.has(element)) {
    numbers.set(element, ++last);
    known.set(last, new WeakRef(element));
  }
  return numbers.get(element);
};

// What is asked of the browser about an element is asked with the element itself.
const node = (n) => known.get(n)?.deref();

const words = (text) => (text ?? "").replace(/\s+/g, " ").trim();
const cut = (text, chars = 80) => (text.length > chars ? `${text.slice(0, chars - 1)}…` : text);

// Elements whose numbers an outline told, for those who find them again.
const named = (numbers_told) =>
  numbers_told.map((n) => known.get(n)?.deref()).filter(Boolean).map((element) => {
    const role = role_of(element);
    return { n: number_of(element), role, name: cut(name_of(element, role), 200) };
  });
