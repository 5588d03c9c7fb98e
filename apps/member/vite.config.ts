import { fairtickMessages } from "@fairtick/i18n/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { homeShell } from "./vite/home-shell.ts";

/** Where `npm start` serves the calls and the stream during development. */
const SERVER = process.env["FAIRTICK_SERVER"] ?? "http://127.0.0.1:8080";

/** Libraries that every route runs on. */
const EVERY_ROUTE_LIBRARIES = /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@lingui|@tanstack)\//;
/** Our own modules that every route runs on, or all but one or two: a chunk for each would pack worse. */
const EVERY_ROUTE_OWN = new RegExp(
  [
    "packages/(?:client|i18n)/src/",
    "packages/ui/src/(?:glyph|icons|figures|controls|states|toast|sheet|pull)\\.tsx",
    "apps/member/src/shared/(?:Screen|Mark|format|i18n|instrument-words|profit-if-now|server-clock|storage)\\.tsx?",
    "apps/member/src/data/(?:account|connection|deployment|instruments|languages|live|orders|prices|queries|session|settings|transport|wallet)\\.ts",
  ].join("|"),
);

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
        // What every route needs, together: it packs better and comes in fewer requests.
        codeSplitting: {
          groups: [
            { name: "base", test: EVERY_ROUTE_LIBRARIES },
            { name: "first", test: EVERY_ROUTE_OWN },
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
