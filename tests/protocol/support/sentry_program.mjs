// A program that uses @sentry/node as its users do. What it does is named by its arguments.
import * as Sentry from "@sentry/node";

Sentry.init({
  dsn: process.env.TEST_DSN,
  release: "checkout@1.2.3",
  environment: "test",
  enableLogs: true,
  tracesSampleRate: 1,
});

const load = () => {
  try {
    null.rows;
  } catch (cause) {
    throw new RangeError("orders failed", { cause });
  }
};

const acts = {
  throw: () => setTimeout(load),
  catch: () => {
    try {
      load();
    } catch (error) {
      Sentry.captureException(error);
    }
  },
  // Larger than what the SDK sends uncompressed.
  large: () => Sentry.captureException(new Error("x".repeat(200)), { extra: { rows: "y".repeat(60_000) } }),
  log: () => Sentry.logger.error("payment declined", { order: 7 }),
};

for (const act of process.argv.slice(2)) acts[act]();
if (!process.argv.includes("throw")) await Sentry.flush(10_000);
