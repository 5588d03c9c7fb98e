import { runChecks } from "./checks.ts";

/** Checks the code without running it: types, lint, format, SQL statements, styles, catalogues, specification, home's size. */
const results = await runChecks();
for (const { name, ok, seconds, output } of results) {
  console.log(`${ok ? "ok    " : "FAILED"} ${name.padEnd(10)} ${seconds.toFixed(1)} s`);
  if (!ok) console.log(output.trim().replaceAll(/^/gm, "  "));
}
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
