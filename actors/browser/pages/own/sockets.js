// Tells why sockets were closed, which the browser tells pages alone.
(() => {
  const tell = globalThis.gasoline_closed;
  delete globalThis.gasoline_closed;
  const original = globalThis.WebSocket;
  if (!tell || !original) return;
  const closed_here = new WeakSet();
  const note = ({ target, code, reason }) =>
    tell(JSON.stringify({ url: target.url, code, reason, by_page: closed_here.has(target) }));
  globalThis.WebSocket = new Proxy(original, {
    construct(target, args, kind) {
      const socket = Reflect.construct(target, args, kind);
      socket.addEventListener("close", note);
      return socket;
    },
  });
  const { prototype } = original;
  prototype.close = new Proxy(prototype.close, {
    apply(target, self, args) {
      closed_here.add(self);
      return Reflect.apply(target, self, args);
    },
  });
})();
