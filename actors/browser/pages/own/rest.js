// Notes what the page has put off and when that is due, so that whoever acts in it waits for what comes
// and not for what does not. The page gets its own functions, behind one that takes a note.
(() => {
  if (!globalThis.document) return; // nobody acts in a worker
  const { document, requestAnimationFrame, setTimeout, scheduler, HTMLAnchorElement, Promise, Proxy, Reflect } =
    globalThis;
  const now = performance.now.bind(performance);

  const most_noted = 200;
  let due = []; // by the page's clock, in ms
  let unnoted_until = 0; // something more is due until then

  const expect = (ms) => {
    const at = now() + Math.max(0, ms);
    if (due.length >= most_noted) due = due.filter((each) => each > now());
    if (due.length < most_noted) due.push(at);
    else unnoted_until = Math.max(unnoted_until, at);
  };

  const replace = (holder, name, apply) => {
    const original = holder?.[name];
    if (typeof original == "function") holder[name] = new Proxy(original, { apply });
  };

  const noted = (holder, name, note) =>
    replace(holder, name, (target, self, args) => {
      note(args, self);
      return Reflect.apply(target, self, args);
    });

  // What has begun and tells of its end by an event.
  let under_way = 0;
  const followed = (holder, name, ends) =>
    replace(holder, name, (target, self, args) => {
      const begun = Reflect.apply(target, self, args);
      under_way++;
      let is_open = true;
      const end = () => {
        under_way -= is_open;
        is_open = false;
      };
      for (const each of ends) begun.addEventListener(each, end);
      return begun;
    });

  // A number that is worked out by an object of the page would be worked out twice. What is beyond 31
  // bits is due at once.
  const longest_ms = 2 ** 31 - 1;
  const ms_of = (value) => {
    const ms = typeof value == "number" || typeof value == "string" ? Number(value) : 0;
    return ms <= longest_ms ? ms : 0;
  };

  // Of an answer by a message, and of the browser's about a download, nobody knows when it is due.
  let asked_at = -Infinity;
  const ask = () => (asked_at = now());

  // Of an interval the ticks within that time count.
  const ticking_ms = 100;

  // When to ask again for what may be over at any time.
  const soon_ms = 10;

  noted(globalThis, "setTimeout", ([, ms]) => expect(ms_of(ms)));
  noted(globalThis, "setInterval", ([, ms]) => {
    const period = Math.max(4, ms_of(ms));
    expect(period);
    for (let at = 2 * period; at <= ticking_ms; at += period) expect(at);
  });
  noted(globalThis, "requestIdleCallback", ask);
  noted(globalThis.Worker?.prototype, "postMessage", ask);

  followed(globalThis.IDBFactory?.prototype, "open", ["success", "error", "blocked"]);
  followed(globalThis.IDBDatabase?.prototype, "transaction", ["complete", "abort"]);

  // Answers whose bodies the page has asked for, by address. The browser tells of an answer's end when its
  // body was read, or 50 ms later where nobody reads it (Chromium's BufferingBytesConsumer).
  const most_read = 200;
  const most_address_length = 4096;
  let read = [];
  let reads_any = false; // it is not known which
  const note_read = ({ url, type }) => {
    if (type == "default") return; // of the page's own making
    if (!url) reads_any = true; // it does not say where it came from
    read = [...read, url.slice(0, most_address_length)].slice(-most_read);
  };
  const note_read_somehow = () => (reads_any = true);
  const answers = globalThis.Response?.prototype;
  for (const name of ["arrayBuffer", "blob", "bytes", "clone", "formData", "json", "text"])
    noted(answers, name, (_, self) => note_read(self));
  const body = answers && Object.getOwnPropertyDescriptor(answers, "body");
  if (body) {
    noted(body, "get", (_, self) => note_read(self));
    Object.defineProperty(answers, "body", body);
  }
  noted(globalThis.Cache?.prototype, "put", note_read_somehow);
  for (const name of ["compileStreaming", "instantiateStreaming"])
    noted(globalThis.WebAssembly, name, note_read_somehow);

  const is_download = (node) => node instanceof HTMLAnchorElement && node.hasAttribute("download");
  noted(globalThis.HTMLElement?.prototype, "click", (_, self) => is_download(self) && ask());
  addEventListener("click", (event) => event.composedPath().some(is_download) && ask(), true);

  // How long a movement goes on that ends; the page may be told of its end.
  const rest_of_movement = ({ currentTime, effect, playbackRate, playState }) =>
    playState == "running"
      ? (effect?.getComputedTiming().endTime - currentTime) / Math.abs(playbackRate || 1)
      : 0;

  // In how many ms the last of what is due until `end` is; 0: nothing is. Answers nobody knows the time of
  // are waited for until it has been quiet for `quiet` ms.
  const last_due = (end, quiet) => {
    const at = now();
    if (unnoted_until > at) return Math.max(0, end - at);
    const waits = due.map((each) => each - at);
    waits.push(Math.min(asked_at + quiet, end) - at);
    if (under_way) waits.push(Math.min(soon_ms, end - at));
    for (const each of document.getAnimations()) waits.push(rest_of_movement(each));
    return waits.filter((ms) => ms > 0 && ms <= end - at).reduce((last, ms) => Math.max(last, ms), 0);
  };

  // Pages that are not drawn get no frames.
  const frame_patience = 50;
  const frame = () =>
    document.hidden
      ? undefined
      : new Promise((resolve) => {
          requestAnimationFrame(resolve);
          setTimeout(resolve, frame_patience);
        });

  // Behind all that is ready to run.
  const last_task = () =>
    scheduler?.postTask
      ? scheduler.postTask(() => {}, { priority: "background" })
      : new Promise((resolve) => setTimeout(resolve));

  // What is to come within `within` ms: when the last of it is due, 0 where nothing is; and whether the
  // page may wait for the end of an answer from one of the addresses `answered`.
  const outlook = (end, quiet, answered) => ({
    due: last_due(end, quiet),
    reads: reads_any || answered.some((url) => read.includes(url)),
  });

  // Two frames are drawn, for what is loaded once it is seen, and all that is ready has run; again where
  // something that was put off has run meanwhile.
  const most_rounds = 4;
  const rest = async (within, quiet, answered) => {
    const end = now() + within;
    for (let round = 0; round < most_rounds; round++) {
      const began = now();
      await frame();
      await frame();
      await last_task();
      if (!due.some((each) => each > began && each <= now())) break;
    }
    return outlook(end, quiet, answered);
  };

  Object.defineProperty(globalThis, "gasoline.rest", { value: rest });
  Object.defineProperty(globalThis, "gasoline.outlook", {
    value: (within, quiet, answered) => outlook(now() + within, quiet, answered),
  });
})();
