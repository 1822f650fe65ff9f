// A small shop with OpenTelemetry as anybody sets it up: @opentelemetry/sdk-node and the
// instrumentation of node:http, nothing of ours. The variables OTEL_* say where to and in which
// encoding. /orders asks a database that throws, /log writes two records; it ends with its standard
// input. CommonJS, since only that is instrumented without a loader.
const { logs, SeverityNumber, SpanKind, SpanStatusCode, trace } = require("@opentelemetry/api");
const { HttpInstrumentation } = require("@opentelemetry/instrumentation-http");
const { NodeSDK } = require("@opentelemetry/sdk-node");

const sdk = new NodeSDK({ instrumentations: [new HttpInstrumentation()] });
sdk.start();

const { createServer } = require("node:http");

const query = (sql) =>
  trace.getTracer("shop").startActiveSpan("pg.query", { kind: SpanKind.CLIENT }, (span) => {
    try {
      throw new TypeError(`relation "orders" does not exist in ${sql}`);
    } catch (error) {
      span.recordException(error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
      throw error;
    } finally {
      span.end();
    }
  });

const write_logs = () => {
  const logger = logs.getLogger("shop");
  logger.emit({ severityNumber: SeverityNumber.ERROR, body: "the card was refused" });
  logger.emit({ severityNumber: SeverityNumber.INFO, body: { paid: true, items: [1, "two"] } });
};

const status_of = (path) => {
  try {
    if (path === "/orders") query("select 1");
    if (path === "/log") write_logs();
    return 200;
  } catch {
    return 500;
  }
};

const server = createServer((request, response) => {
  response.writeHead(status_of(request.url)).end();
});

server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.on("end", async () => {
  await sdk.shutdown();
  server.close();
});
process.stdin.resume();
