// The engine under test, and what a client of it is told.
import { start_real_engine } from "../../browser/support/real_engine.mjs";
import { wait_until } from "../../browser/support/wait_until.mjs";

export const start_telling_engine = async (...more) => {
  const engine = await start_real_engine(process.env.GASOLINE_BIN, ...more);
  await engine.call_tool("configure", {
    action: "streaming",
    streaming_action: "enable",
    throttle_seconds: 1,
  });

  const tellings = (pattern) =>
    engine.notifications().filter((params) => pattern.test(JSON.stringify(params)));

  const told = (pattern, timeout_ms) =>
    wait_until(
      () => tellings(pattern)[0]?.data,
      () => `nothing like ${pattern} among ${JSON.stringify(engine.notifications(), null, 1)}`,
      timeout_ms,
    );

  const told_times = (pattern, count) =>
    wait_until(
      () => tellings(pattern).length >= count,
      () => `not ${count} times ${pattern}: ${JSON.stringify(engine.notifications(), null, 1)}`,
    );

  // How many builds and scripts were told to fail, however many a notification holds.
  const faults_told = () =>
    new Set(JSON.stringify(tellings(/"title":"[^"]*(Build failed|failed to load)/)).match(/"id":"alert_\d+"/g)).size;

  const errors = async () => {
    const { content } = await engine.call_tool("observe", {
      what: "errors",
      limit: 100,
      detail: "full",
    });
    const { items } = JSON.parse(content[0].text.replace(/^[^{]*/, ""));
    return items;
  };

  // The only error whose message holds these words.
  const error_with = (words) =>
    wait_until(
      async () => {
        const found = (await errors()).filter(({ message }) => message.includes(words));
        if (found.length > 1) throw new Error(`told twice: ${JSON.stringify(found)}`);
        return found[0];
      },
      () => `no error with ${words}`,
    );
  return { ...engine, tellings, told, told_times, faults_told, error_with };
};
