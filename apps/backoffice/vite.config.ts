import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `npm start` serves the console during development. */
const CONSOLE = process.env["FAIRTICK_CONSOLE"] ?? "http://127.0.0.1:8081";

export default defineConfig({
  plugins: [react()],
  // No data URLs and no polyfills: the page's security policy allows scripts and pictures of its own origin only.
  build: {
    target: "es2023",
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
    sourcemap: "hidden",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  server: {
    port: 5174,
    // The console answers its own origin alone, so that a proxied call has to bear it.
    proxy: { "/operator": { target: CONSOLE, headers: { origin: CONSOLE } } },
  },
});
