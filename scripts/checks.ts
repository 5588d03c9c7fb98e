import { join, resolve } from "node:path";
import { runTool } from "./run-tool.ts";

const PROJECT = resolve(import.meta.dirname, "..");

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
  readonly output: string;
}

const CHECKS: readonly { readonly name: string; readonly program: string; readonly options: readonly string[] }[] = [
  { name: "types", program: "typescript/bin/tsc", options: ["--build"] },
  { name: "lint", program: "oxlint/bin/oxlint", options: ["--type-aware", "--quiet"] },
  { name: "walls", program: "../scripts/walls/check-walls.ts", options: [] },
  { name: "statements", program: "../scripts/statements/main.ts", options: [] },
  { name: "stories", program: "../scripts/gallery/check-stories.ts", options: [] },
  { name: "styles", program: "../scripts/styles/check-styles.ts", options: [] },
  { name: "supply chain", program: "../scripts/supply-chain/check-supply-chain.ts", options: [] },
  { name: "format", program: "oxfmt/bin/oxfmt", options: ["--check", "."] },
  { name: "specification", program: "../scripts/specification/check-specification.ts", options: [] },
  { name: "catalogues", program: "../packages/i18n/src/check.ts", options: [] },
  { name: "home route", program: "../scripts/measure-home.ts", options: [] },
];

/** Runs all checks in parallel; returns their results in this order. */
export function runChecks(): Promise<CheckResult[]> {
  return Promise.all(
    CHECKS.map(async ({ name, program, options }) => {
      const begun = performance.now();
      const { code, output } = await runTool(join(PROJECT, "node_modules", program), options);
      return { name, ok: code === 0, seconds: (performance.now() - begun) / 1000, output };
    }),
  );
}
