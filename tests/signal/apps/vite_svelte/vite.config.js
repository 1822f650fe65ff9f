import { svelte } from "@sveltejs/vite-plugin-svelte";

export default {
  plugins: [svelte()],
  server: { proxy: { "/api": "http://localhost:%API%" } },
};
