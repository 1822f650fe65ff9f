// How the script attaches itself to a page. No fault of ours may reach the page, and what a page
// does while we look at it (a getter that logs) is not looked at in turn.

let inside;

export const quietly =
  (action) =>
  (...args) => {
    if (inside) return;
    inside = true;
    try {
      return action(...args);
    } catch {
    } finally {
      inside = false;
    }
  };

export const listen = (target, types, handler) => {
  const hear = quietly(handler);
  for (const type of types.split(" ")) target.addEventListener(type, hear, true);
};

// Lets `observe(args, self)` look at each call of a method before the call. What it returns, if
// anything, is given the result, and its own result goes to the caller. A proxy keeps the name,
// length and text of the method as they were.
export const watch_calls = (owner, name, observe) => {
  const look = quietly(observe);
  owner[name] = new Proxy(owner[name], {
    apply: (method, self, args) => {
      const after = look(args, self);
      const result = Reflect.apply(method, self, args);
      return after ? after(result) : result;
    },
  });
};

// Lets `watch(object, second)` look at each object of a class after it was made, with the second
// argument that it was made of.
export const watch_construction = (name, watch) => {
  const original = globalThis[name];
  if (!original) return;
  globalThis[name] = new Proxy(original, {
    construct: (target, args, kind) => {
      const object = Reflect.construct(target, args, kind);
      quietly(watch)(object, args[1]);
      return object;
    },
  });
};
