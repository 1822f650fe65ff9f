// For vite.config.js: plugins: [gasoline()]
import { readFileSync } from "node:fs";
import { open_build_reports } from "./lib/build_reports.js";
import { open_page_tags } from "./lib/page_tag.js";

// So that the page does not have to tell of them.
const says_builds = { builds: "told" };

const settle_ms = 100;

const without_query = (id) => id?.replace(/[?#].*/, "");

const read_error = ({ message, id, loc, frame }) => ({
  message,
  filename: without_query(loc?.file ?? id),
  lineno: loc?.line,
  colno: loc?.column,
  code_frame: frame,
});

// What a parser says: a line about all errors, the first of them, and code for each.
const read_parse_error = (code, { message, pos }) => {
  const [, reason, ...frame] = message.split("\n");
  const lines = code.slice(0, pos).split("\n");
  return {
    message: reason,
    lineno: lines.length,
    colno: lines.at(-1).length,
    code_frame: frame.slice(0, frame.findIndex((line) => /^\s*\^/.test(line)) + 1).join("\n"),
  };
};

// Of plain JavaScript that cannot be parsed, Vite says that it is so, not why or where.
const explained = (error, parse) => {
  if (!/contains invalid JS syntax/.test(error.message) || !parse) return error;
  const code = readFileSync(error.filename, "utf8");
  try {
    parse(code);
    return error;
  } catch (reason) {
    return reason.pos === undefined ? error : { ...error, ...read_parse_error(code, reason) };
  }
};

const changes = new Set(["update", "full-reload"]);

const watch_builds = (server, page_origin, parse) => {
  const { client } = server.environments;
  const first_origin = () => server.resolvedUrls?.local[0]?.replace(/\/+$/, "");
  const builds = open_build_reports("vite", () => page_origin() ?? first_origin() ?? "");
  const broken_files = new Map();
  let timer;

  const remember = (err) => {
    const error = explained(read_error(err), parse());
    broken_files.set(error.filename, error);
    return error.filename;
  };

  const note_error = (err) => {
    remember(err);
    builds.failed([...broken_files.values()]);
  };

  // Whether what failed compiles now; a page may ask for it late or never.
  const compiles = async (file) => {
    const modules = [...(client.moduleGraph.getModulesByFile(file) ?? [])];
    try {
      await Promise.all(modules.map(({ url }) => client.transformRequest(url)));
      return true;
    } catch (err) {
      return remember(err) != file;
    }
  };

  const check = async () => {
    for (const file of [...broken_files.keys()]) if (await compiles(file)) broken_files.delete(file);
    if (broken_files.size) builds.failed([...broken_files.values()]);
    else builds.passed();
  };

  const check_soon = () => {
    clearTimeout(timer);
    if (!broken_files.size) return;
    timer = setTimeout(() => check().catch(() => {}), settle_ms);
    timer.unref();
  };

  const watch_channel = (channel) => {
    const { send } = channel;
    channel.send = function (payload, ...rest) {
      if (payload?.type == "error" && payload.err) note_error(payload.err);
      if (changes.has(payload?.type)) check_soon();
      return send.call(this, payload, ...rest);
    };
  };
  watch_channel(client.hot);
  server.watcher.on("all", check_soon);
};

export default function gasoline() {
  let parse;
  return {
    name: "gasoline-telemetry",
    // Not in builds; a preview configures no server.
    apply: "serve",
    buildStart() {
      parse = (code) => this.parse(code);
    },
    configureServer(server) {
      if (process.env.VITEST || server.config.mode == "production") return;
      const tags = open_page_tags(says_builds);
      server.middlewares.use(tags.middleware);
      watch_builds(server, tags.page_origin, () => parse);
    },
  };
}
