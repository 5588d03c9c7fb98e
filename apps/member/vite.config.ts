import { fairtickMessages } from "@fairtick/i18n/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { homeShell } from "./vite/home-shell.ts";

/** Where `npm start` serves the calls and the stream during development. */
const SERVER = process.env["FAIRTICK_SERVER"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  // React has this hook itself; the stand-in for older ones need not travel.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: "react" }] },
  plugins: [react(), fairtickMessages(), homeShell()],
  // No data URLs and no polyfills: the page's security policy allows scripts and pictures of its own origin only.
  build: {
    target: "es2023",
    // Browsers that know light-dark() themselves: lowered, its colours would be settled at the root, and the order
    // screen could not be dark inside a light page.
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
    sourcemap: "hidden",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What every route needs, in one chunk: it packs better and comes in one request.
        codeSplitting: {
          groups: [
            {
              name: "base",
              test: /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@lingui|@tanstack)\//,
            },
          ],
        },
        chunkFileNames: ({ name, moduleIds }) => {
          const words = /virtual:fairtick-messages\/([a-z]+)\//.exec(moduleIds.at(-1) ?? "");
          return `assets/${words ? `${words[1]}_` : ""}${name}-[hash].js`;
        },
      },
    },
  },
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
