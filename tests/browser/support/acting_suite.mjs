import assert from "node:assert/strict";
import { after, before, beforeEach } from "node:test";
import { start_acting_engine } from "./acting_engine.mjs";
import { start_page_server } from "./page_server.mjs";

const program = process.env.GASOLINE_BIN;

// Options of a suite that needs the program.
export const needs_program = { skip: program ? false : "GASOLINE_BIN is not set" };

// What is there once the suite's tests run.
const later = (read) => new Proxy({}, { get: (_, name) => read()[name] });

// For the suite in which it is called: an engine that acts in pages of `app`, which has none at the
// beginning of each test. `args` gives the engine's further arguments, once what the suite has written
// before is there.
export const acting_suite = (args = () => []) => {
  let app;
  let engine;

  before(async () => {
    app = await start_page_server();
    engine = await start_acting_engine(program, app, ...args());
  });

  beforeEach(() => app.reset());

  after(async () => {
    await app?.stop();
    assert.equal(await engine?.leave(), 0);
  });

  const act = (name) => (...given) => engine[name](...given);
  return {
    app: later(() => app),
    engine: later(() => engine),
    interact: act("interact"),
    done: act("done"),
    refused: act("refused"),
    open: act("open"),
  };
};
