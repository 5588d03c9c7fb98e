import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

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
});
