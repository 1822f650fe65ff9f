// The session client where a connection cannot even be tried.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { follow_session } from "../../tools/page_script/session_client/session_follower.mjs";

const attached = async () => ({
  status: 200,
  headers: new Headers(),
  text: async () => '{"ws_url":"ws://localhost:7890/sessions/s/ws"}',
});

const settle = async () => {
  for (let i = 0; i < 5; i++) await new Promise(setImmediate);
};

test("a WebSocket that a browser does not allow is tried again later", async () => {
  let now = 0;
  mock.method(performance, "now", () => now);
  mock.timers.enable({ apis: ["setTimeout"] });
  let tries = 0;
  class forbidden {
    constructor() {
      tries++;
      throw new DOMException("An insecure WebSocket connection may not be initiated");
    }
  }
  const session = follow_session({
    base_url: "http://localhost:7890",
    session_id: "s",
    fetch: attached,
    WebSocket: forbidden,
    random: () => 0.5,
  });
  try {
    await settle();
    assert.equal(tries, 1);
    assert.equal(session.state, "waiting");
    assert.match(session.stream.last_close.reason, /insecure/);
    for (let i = 0; i < 60; i++) {
      now += 1000;
      mock.timers.tick(1000);
      await settle();
    }
    assert.ok(tries > 2, `${tries}`);
  } finally {
    session.stop();
    mock.timers.reset();
    mock.restoreAll();
  }
});
