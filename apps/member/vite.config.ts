import { LANGUAGES } from "@fairtick/i18n";
import { fairtickMessages } from "@fairtick/i18n/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { VitePWA, type VitePWAOptions } from "vite-plugin-pwa";
import { firstPaint } from "./vite/first-paint.ts";
import { homeShell } from "./vite/home-shell.ts";
import { revealWorker } from "./vite/reveal-worker.ts";

/** Languages whose words are fetched when they are asked for. */
const OTHER_LANGUAGES = LANGUAGES.map(({ code }) => code).filter((code) => code !== "en");

/** Libraries that every route runs on. */
const EVERY_ROUTE_LIBRARIES = /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@lingui|@tanstack)\//;
/** Our own modules that every route runs on, or all but one or two: a chunk for each would pack worse. */
const EVERY_ROUTE_OWN = new RegExp(
  [
    "packages/(?:client|i18n)/src/",
    "packages/ui/src/(?:icons/glyph|icons/shell|figures|controls|states|toast|search-words|sheet|pull)\\.tsx?",
    "apps/member/src/shared/(?:Screen|Mark|decimal-writing|format|i18n|instrument-words|server-clock|storage)\\.tsx?",
    "apps/member/src/data/(?:account|connection|deployment|instruments|languages|live|orders|prices|queries|session|settings|transport|wallet)\\.ts",
  ].join("|"),
);

/**
 * Small modules that several screens share, in groups that are needed together. A chunk for each would take a slow network
 * longer to request than to send.
 */
const SHARED = {
  /** Amounts and fields of any form. */
  forms: own([
    "packages/ui/src/(?:amount|field|typing-history)\\.tsx?",
    "apps/member/src/shared/(?:amount-writing|contact|digits|sentences|typed-decimal)\\.ts",
    "apps/member/src/components/(?:PasswordInput|settings/SettingSwitch)\\.tsx",
  ]),
  /** An order's sums and seal. */
  sums: own([
    "packages/domain/src/(?:money/(?:rounding|money-text|decimal)|orders/(?:quote|seal|settle)|log/bytes|market/price)\\.ts",
    "packages/transparency/src/portable-hashes\\.ts",
    "node_modules/@noble/hashes/(?:_md|_u64|hmac|sha2|utils)\\.js",
  ]),
  /** What is known of prices and of the member's own orders. */
  orders: own([
    "packages/ui/src/trading\\.tsx",
    "apps/member/src/components/orders/order-figures\\.ts",
    "apps/member/src/data/(?:candles|trading)\\.ts",
    "apps/member/src/data/sealed/(?:await-end|evidence|evidence-opening|evidence-shelf|open-orders|opening-time|placed-here|post-board|quiet-end|recover-acceptance|reveal-choice|shelf|wake-worker)\\.ts",
    "apps/member/src/shared/save-file\\.ts",
    "node_modules/idb/",
  ]),
  /** Choosing and placing an order beside its chart. */
  ticket: own([
    "apps/member/src/components/ticket/",
    "apps/member/src/components/chart/(?:chart-ahead|tool-icons|drawing-list|DrawingList|StyleList|IndicatorList|ChartSheet|ChartTools)\\.tsx?",
  ]),
};

function own(parts: readonly string[]): RegExp {
  return new RegExp(parts.join("|"));
}

/**
 * Keeps the app itself on the device: every screen, and the words of English; those of another language once they were
 * asked for. What the server answers is never kept. A newer version waits until the member takes it.
 */
const SERVICE_WORKER: Partial<VitePWAOptions> = {
  registerType: "prompt",
  // The app registers it itself, long after the first view, past Trusted Types.
  injectRegister: false,
  manifest: false,
  filename: "service-worker.js",
  workbox: {
    globPatterns: ["index.html", "icon.svg", "icons/icon-192.png", "assets/*.{js,css,woff2}"],
    globIgnores: [`assets/{${OTHER_LANGUAGES.join(",")}}_*.js`],
    // Hashed names say by themselves whether they are what was asked for.
    dontCacheBustURLsMatching: /^assets\//,
    navigateFallback: null,
    cleanupOutdatedCaches: true,
    clientsClaim: true,
    importScripts: ["push-worker.js", "reveal-worker.js"],
    inlineWorkboxRuntime: true,
    sourcemap: false,
    runtimeCaching: [
      {
        urlPattern: new RegExp(`/assets/(?:${OTHER_LANGUAGES.join("|")})_[^/]+\\.js$`),
        handler: "CacheFirst",
        options: { cacheName: "words", expiration: { maxEntries: 36 } },
      },
    ],
  },
};

export default defineConfig({
  // React has this hook itself; the stand-in for older ones need not travel.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: "react" }] },
  plugins: [react(), fairtickMessages(), homeShell(), firstPaint(), revealWorker(), VitePWA(SERVICE_WORKER)],
  // No data URLs and no polyfills: the page's security policy allows scripts and pictures of its own origin only.
  build: {
    target: "es2023",
    // Browsers that know light-dark() themselves: lowered, its colours would be settled at the root, and the order
    // screen could not be dark inside a light page.
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
    sourcemap: "hidden",
    modulePreload: {
      polyfill: false,
      // Nobody waits for the companion: twenty preloads at once would hold up who taps just then.
      resolveDependencies: (file, needed) => (file.includes("/Companion-") ? [] : needed),
    },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What every route needs, together: it packs better and comes in fewer requests.
        codeSplitting: {
          groups: [
            { name: "base", test: EVERY_ROUTE_LIBRARIES },
            { name: "first", test: EVERY_ROUTE_OWN },
            ...Object.entries(SHARED).map(([name, test]) => ({ name, test, includeDependenciesRecursively: false })),
          ],
        },
        chunkFileNames: ({ name, moduleIds }) => {
          const words = /virtual:fairtick-messages\/([a-z]+)\/[a-z]+$/.exec(moduleIds.at(-1) ?? "");
          return `assets/${words ? `${words[1]}_` : ""}${name}-[hash].js`;
        },
      },
    },
  },
});
