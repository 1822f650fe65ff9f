// How the development server of each toolchain is started, and where its app has its parts.
export const toolchains = {
  plain: { port: 4270, file: "index.html" },
  vite_react: {
    port: 4271,
    shared: "src",
    react: "src",
    command: (port) => ["node_modules/vite/bin/vite.js", "--port", port, "--strictPort"],
  },
  vite_vue: {
    port: 4272,
    shared: "src",
    command: (port) => ["node_modules/vite/bin/vite.js", "--port", port, "--strictPort"],
  },
  vite_svelte: {
    port: 4273,
    shared: "src",
    command: (port) => ["node_modules/vite/bin/vite.js", "--port", port, "--strictPort"],
  },
  webpack: { port: 4274, shared: "src", command: (port) => ["serve.cjs", port] },
  rsbuild: {
    port: 4275,
    shared: "src",
    react: "src",
    command: (port) => ["node_modules/@rsbuild/core/bin/rsbuild.js", "dev", "--port", port],
  },
  parcel: {
    port: 4276,
    shared: "src",
    react: "src",
    command: (port) => ["node_modules/parcel/lib/bin.js", "serve", "src/index.html", "--port", port],
  },
  next: {
    port: 4277,
    shared: "app",
    command: (port) => ["node_modules/next/dist/bin/next", "dev", "-p", port],
  },
  angular: {
    port: 4278,
    shared: "src",
    command: (port) => ["node_modules/@angular/cli/bin/ng.js", "serve", "--port", port],
  },
};
