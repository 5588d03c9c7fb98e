import { defineConfig } from "vite";

/** The command `fairtick` as one file that needs nothing but Node: scripts/pack-verifier.ts makes a package of it. */
export default defineConfig({
  ssr: { noExternal: true },
  build: {
    ssr: "src/cli/main.ts",
    target: "node20",
    minify: false,
    rolldownOptions: { output: { entryFileNames: "fairtick.mjs", codeSplitting: false } },
  },
});
