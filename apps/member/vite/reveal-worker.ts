import { join } from "node:path";
import { build, type Plugin } from "vite";

const ENTRY = join(import.meta.dirname, "../src/data/sealed/reveal-worker.ts");

/**
 * Makes `/reveal-worker.js`, which the service worker loads: a script without imports, since service workers of every browser load
 * scripts and not every one modules.
 */
export function revealWorker(): Plugin {
  return {
    name: "fairtick-reveal-worker",
    apply: "build",
    async generateBundle() {
      const built = await build({
        configFile: false,
        logLevel: "warn",
        publicDir: false,
        build: {
          write: false,
          target: "es2023",
          lib: { entry: ENTRY, formats: ["iife"], name: "fairtickReveals", fileName: "reveal-worker" },
        },
      });
      const [output] = Array.isArray(built) ? built : [built];
      const chunk = output !== undefined && "output" in output ? output.output[0] : undefined;
      if (chunk === undefined || chunk.imports.length > 0) throw new Error("reveal-worker.js has to be one script");
      this.emitFile({ type: "asset", fileName: "reveal-worker.js", source: chunk.code });
    },
  };
}
