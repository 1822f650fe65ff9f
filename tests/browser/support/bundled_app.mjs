import { join } from "node:path";
import { build } from "esbuild";

const folder = join(import.meta.dirname, "..");

// An app of the packages of this folder as one script, as a development server builds it.
export const bundled_app = async (source) => {
  const { outputFiles } = await build({
    stdin: { contents: source, loader: "jsx", resolveDir: folder, sourcefile: "app.jsx" },
    absWorkingDir: folder,
    bundle: true,
    write: false,
    jsx: "automatic",
    logLevel: "error",
    alias: { vue: "vue/dist/vue.esm-bundler.js" },
    define: {
      "process.env.NODE_ENV": '"development"',
      __VUE_OPTIONS_API__: "true",
      __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
    },
  });
  return outputFiles[0].text;
};
