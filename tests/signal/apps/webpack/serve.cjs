// Usage: node serve.cjs PORT
const webpack = require("webpack");
const WebpackDevServer = require("webpack-dev-server");

const compiler = webpack({
  mode: "development",
  entry: "./src/main.js",
  output: { filename: "main.js" },
  infrastructureLogging: { level: "warn" },
});
const server = new WebpackDevServer(
  {
    port: Number(process.argv[2]),
    host: "localhost",
    static: { directory: __dirname, watch: false },
    proxy: [{ context: ["/api"], target: "http://localhost:%API%" }],
  },
  compiler,
);
server.start();
