import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

function run(armed: string | null) {
  const script = `
    import { armCrashPoint, crashPoint } from ${JSON.stringify(join(import.meta.dirname, "crash-point.ts"))};
    armCrashPoint(${JSON.stringify(armed)});
    for (const name of ["one", "two", "one", "one"]) {
      crashPoint(name);
      console.log(name);
    }`;
  const { stdout, signal } = spawnSync(process.execPath, ["--input-type=module-typescript", "--eval", script], {
    encoding: "utf8",
  });
  return { passed: stdout.trim().split("\n").filter(Boolean), signal };
}

it.each([
  [null, { passed: ["one", "two", "one", "one"], signal: null }],
  ["three", { passed: ["one", "two", "one", "one"], signal: null }],
  ["one", { passed: [], signal: "SIGKILL" }],
  ["two", { passed: ["one"], signal: "SIGKILL" }],
  ["one:2", { passed: ["one", "two"], signal: "SIGKILL" }],
])("dies only at the armed crash point: %s", (armed, outcome) => {
  expect(run(armed)).toEqual(outcome);
});
