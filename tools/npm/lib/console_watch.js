// Calls `action` with the arguments of each call of a method of the console, which prints as before.
// What the action throws is nobody's matter.
export const watch_console = (method, action) => {
  console[method] = new Proxy(console[method], {
    apply: (print, self, args) => {
      try {
        action(args);
      } catch {
        // The program must not feel that somebody listens.
      }
      return Reflect.apply(print, self, args);
    },
  });
};
