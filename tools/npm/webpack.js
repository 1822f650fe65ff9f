// For webpack.config.js: plugins: [new GasolinePlugin()]
import { open_build_reports } from "./lib/build_reports.js";
import { open_page_tags } from "./lib/page_tag.js";

// So that the page does not have to tell of them.
const says_builds = { builds: "told" };

const name = "gasoline-telemetry";

const read_error = ({ message, moduleName, file, loc }) => {
  const [, line, column] = /^(\d+)(?::(\d+))?/.exec(loc) ?? [];
  // A loader says where in its own words.
  const [, inner_line, inner_column] = /\((\d+):(\d+)\)|:(\d+):(\d+)/.exec(message) ?? [];
  return {
    message,
    filename: (moduleName ?? file)?.replace(/^.*!/, "").replace(/\?.*/, ""),
    lineno: +(line ?? inner_line) || undefined,
    colno: +(line ? column : inner_column) || undefined,
  };
};

const errors_of = (stats) => {
  const { errors = [], children = [] } = stats.toJson({
    all: false,
    errors: true,
    errorDetails: false,
    errorStack: false,
    children: true,
  });
  return [...errors, ...children.flatMap((child) => child.errors ?? [])].map(read_error);
};

// Puts the middleware behind those that pack answers.
const add_middleware = (dev_server, middleware) => {
  const { setupMiddlewares: own } = dev_server;
  dev_server.setupMiddlewares = (middlewares, server) => {
    const all = own ? own(middlewares, server) : middlewares;
    all.unshift({ name, middleware });
    return all;
  };
};

const served_at = ({ server, host, port }) => {
  const is_safe = server == "https" || server?.type == "https";
  return `http${is_safe ? "s" : ""}://${host ?? "localhost"}:${port ?? 8080}`;
};

// The options of development servers: in the configuration, and those of a server that is a plugin.
const dev_servers = ({ options }) => {
  const { plugins } = options;
  const served = plugins.filter((plugin) => typeof plugin?.setupMiddlewares == "function");
  return [options.devServer, ...served.map((plugin) => plugin.options)].filter(Boolean);
};

export default class GasolinePlugin {
  apply(compiler) {
    const { options } = compiler;
    if (options.mode != "development") return;
    const tags = open_page_tags(says_builds);
    const servers = dev_servers(compiler);
    for (const server of servers) add_middleware(server, tags.middleware);
    const origin = () => tags.page_origin() ?? served_at(servers.at(-1) ?? {});
    const builds = open_build_reports("webpack", origin);
    // A build that ends with its errors on a screen has nobody to say that they are gone.
    const watched = (action) => (argument) => compiler.watchMode && action(argument);
    compiler.hooks.done.tap(
      name,
      watched((stats) => (stats.hasErrors() ? builds.failed(errors_of(stats)) : builds.passed())),
    );
    compiler.hooks.failed.tap(
      name,
      watched((error) => builds.failed([{ message: `${error?.message ?? error}` }])),
    );
  }
}
