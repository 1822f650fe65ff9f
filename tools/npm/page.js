// import "gasoline-telemetry/page": the page script as a module, in development. What is imported
// after it waits until the script watches. The engine is at GASOLINE_URL of the global object, else at
// its usual port; without one, the browser notes a request that failed, and the page goes on.
const { GASOLINE_URL = "http://127.0.0.1:7890" } = globalThis;

try {
  if (!globalThis["gasoline.js"])
    await import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ `${GASOLINE_URL}/gasoline.js`);
} catch {
  // No engine runs.
}
