// What a client of a session does when it is told nothing else.
export const default_settings = {
  first_delay_ms: 250, // before the first attempt to come back; doubles with each that fails
  max_delay_ms: 10_000,
  stable_ms: 5_000, // a connection that was live for so long starts the delays anew
  connect_ms: 10_000, // for attaching, opening and subscribing together
  ping_after_ms: 45_000, // of silence; the server, which pings earlier, may be gone without a word
  pong_ms: 15_000,
  messages_kept: 1_000, // in a view, and as many tools
  notices_kept: 100, // of workers, alerts, notices and unknown events each
};
