// Bundles the page script: node build.mjs OUTPUT [MODULES [ENTRY]], where MODULES is the node_modules
// folder to use when it is not the one beside this file, and ENTRY another source to begin with:
// watch.js is what the engine's own browser puts into pages.
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

// Of the minified script as a server compresses it.
const size_limit = 12288;
const here = dirname(fileURLToPath(import.meta.url));
const [output, modules = resolve(here, "node_modules"), entry = "main.js"] = process.argv.slice(2);

// Members that never leave the script.
const inner_names =
  /^(put_back\w*|judge_suspects|take_(batch|lost)|argument|words|is_json|worth|chars|until|names|list|object|count|most|place|route|members|ms|last|is_traced|copy|begun|trace)$/;

const fail = (reason, code) => {
  console.error(reason);
  process.exit(code);
};

const load = (name) => {
  const require = createRequire(resolve(modules, "..", "package.json"));
  try {
    return require(name);
  } catch (error) {
    fail(`${name} is not installed in ${modules} (${error.code}): run "npm ci" there first.`, 1);
  }
};

const replace_transport = {
  name: "replace the transport where the browser carries what is told",
  setup: (build) =>
    build.onResolve({ filter: /\/transport\.js$/ }, () => ({
      path: resolve(here, "src/binding_transport.js"),
    })),
};

const bundle = async () => {
  const { outputFiles } = await load("esbuild").build({
    entryPoints: [resolve(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    // Without lookbehind, static blocks and the like: Safari 15.4 and Firefox 115 parse it.
    target: ["es2022", "safari15.4", "firefox115"],
    nodePaths: [modules],
    mangleProps: inner_names,
    define: { window: "self", globalThis: "self" },
    plugins: entry === "main.js" ? [] : [replace_transport],
  });
  return outputFiles[0].text;
};

const minify = async (text) => {
  const { code } = await load("terser").minify(text, {
    ecma: 2022,
    compress: {
      passes: 4,
      pure_getters: true,
      unsafe_arrows: true,
      unsafe_methods: true,
    },
    // Pages are served in any encoding; the script has to be read the same in all of them.
    format: { ascii_only: true },
  });
  return Buffer.from(code);
};

if (!output) fail("Usage: node build.mjs OUTPUT [MODULES [ENTRY]]", 2);
const script = await minify(await bundle());
const packed = gzipSync(script, { level: 9 }).length;
const size = `${script.length} bytes, ${packed} of at most ${size_limit} compressed`;
if (packed > size_limit) fail(`The page script is too large: ${size}.`, 1);
mkdirSync(dirname(resolve(output)), { recursive: true });
writeFileSync(output, script);
console.log(`${output}: ${size}`);
