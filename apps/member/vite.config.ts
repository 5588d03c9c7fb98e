import { fairtickMessages } from "@fairtick/i18n/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { homeShell } from "./vite/home-shell.ts";

/** Where `npm start` serves the calls and the stream during development. */
const SERVER = process.env["FAIRTICK_SERVER"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react(), fairtickMessages(), homeShell()],
  // No data URLs and no polyfills: the page's security policy allows scripts and pictures of its own origin only.
  build: { target: "es2023", sourcemap: true, modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  server: {
    port: 5173,
    proxy: {
      "/client": { target: SERVER, ws: true },
      "/dev": { target: SERVER },
      "/fairness": { target: SERVER },
      "/log": { target: SERVER },
    },
  },
});
