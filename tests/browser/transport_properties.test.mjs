// Whatever happens between a page and the engine, in virtual time: no entry is lost without being
// counted or told twice, one that can never leave stops no other, an engine that is away is left in
// peace, and requests that outlive their page stay within what a browser allows.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { answer_of, open_fake_page } from "./support/fake_page.mjs";

const keepalive_limit = 65536;
const routes = ["logs", "network-bodies", "websocket-events"];

const refused = () => {
  throw new TypeError("Failed to fetch");
};

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// An engine whose mood changes. Keeps the numbers of the entries that it took.
const open_engine = () => {
  const engine = {
    mood: "takes",
    latency_ms: 0,
    taken: [],
    losses: 0,
    asked_at: [],
    kept_alive: 0,
    most_kept_alive: 0,
  };

  const take = ({ body }) => {
    const [list] = Object.values(body).filter(Array.isArray);
    for (const { n, message } of list) {
      if (n != undefined) engine.taken.push(n);
      engine.losses += /^gasoline: (\d+) entries lost$/.exec(message)?.[1] | 0;
    }
    return answer_of(200);
  };

  const moods = {
    takes: (post) => {
      if (post.options.body.includes('"poison":"dropped"')) return refused();
      if (post.options.body.includes('"poison":"refused"')) return answer_of(400);
      return take(post);
    },
    is_away: refused,
    is_broken: () => answer_of(500),
    is_busy: () => answer_of(429, { "Retry-After": "3" }),
    hangs: ({ options }) =>
      new Promise((_, reject) =>
        options.signal.addEventListener("abort", () => reject(new Error("aborted"))),
      ),
    limits_keepalive: (post) => (post.options.keepalive ? refused() : moods.takes(post)),
  };

  engine.moods = Object.keys(moods);
  engine.answer = async (post) => {
    engine.asked_at.push(Date.now());
    const bytes = post.options.keepalive ? Buffer.byteLength(post.options.body) : 0;
    engine.kept_alive += bytes;
    engine.most_kept_alive = Math.max(engine.most_kept_alive, engine.kept_alive);
    try {
      if (engine.latency_ms) await pause(engine.latency_ms);
      return await moods[engine.mood](post);
    } finally {
      engine.kept_alive -= bytes;
    }
  };
  return engine;
};

const { moods } = open_engine();
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("report"),
      count: fc.constantFrom(1, 1, 2, 49, 120),
      route: fc.constantFrom(...routes),
      text: fc.constantFrom("", "x".repeat(9000), "€".repeat(19_000), "x".repeat(70_000)),
      poison: fc.constantFrom(undefined, undefined, undefined, "dropped", "refused"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("pass"), ms: fc.integer({ min: 0, max: 5000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("mood"), mood: fc.constantFrom(...moods) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("latency"), ms: fc.constantFrom(0, 5, 300) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("hide", "show") }) },
);

const pass_in_pieces = async (page, ms) => {
  for (let left = ms; left > 0; left -= 100) await page.pass(Math.min(left, 100));
};

test("every entry arrives once or is counted as lost", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const engine = open_engine();
      const page = await open_fake_page(engine.answer);
      const fine = [];
      let reported = 0;
      const actions = {
        report: ({ count, route, text, poison }) => {
          // One that is poison goes among others that are not.
          for (let i = 0; i < count; i++) {
            const is_poison = poison && i == count >> 1;
            if (!is_poison) fine.push(reported);
            page.report(route, { n: reported++, text, poison: is_poison ? poison : undefined });
          }
        },
        pass: ({ ms }) => pass_in_pieces(page, ms),
        mood: ({ mood }) => (engine.mood = mood),
        latency: ({ ms }) => (engine.latency_ms = ms),
        hide: () => page.hide(),
        show: () => page.show(),
      };
      try {
        for (const one of steps) await actions[one.kind](one);
        engine.mood = "takes";
        engine.latency_ms = 0;
        await pass_in_pieces(page, 120_000);
        // What was lost while nothing else was on the way is told with the next entry.
        fine.push(reported);
        page.report("logs", { n: reported++ });
        await pass_in_pieces(page, 1000);
        assert.equal(new Set(engine.taken).size, engine.taken.length, "told twice");
        assert.equal(engine.taken.length + engine.losses, reported, "lost without being counted");
        assert.ok(engine.most_kept_alive <= keepalive_limit);
        assert.ok(engine.taken.includes(reported - 1));
      } finally {
        page.close();
      }
    }),
    { numRuns: 60 },
  );
});

test("an engine that is away is asked ever more rarely, whatever happens in the page", async () => {
  const noise = fc.array(fc.constantFrom("report", "hide", "show", "many"), {
    minLength: 60,
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(noise, async (happenings) => {
      const engine = open_engine();
      engine.mood = "is_away";
      const page = await open_fake_page(engine.answer);
      try {
        for (const happening of happenings) {
          if (happening == "hide") await page.hide();
          else if (happening == "show") await page.show();
          else
            for (let i = 0; i < (happening == "many" ? 200 : 1); i++) page.report("logs", { n: i });
          await page.pass(1000);
        }
        // A page that goes tries its last batch also without keep-alive.
        assert.ok(engine.asked_at.length <= 6, `${engine.asked_at.length}`);
      } finally {
        page.close();
      }
    }),
    { numRuns: 20 },
  );
});
