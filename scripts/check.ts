import { runChecks } from "./checks.ts";

/** Everything that can be said about the code without running it: types, lint, format, SQL statements, catalogues, which tests show the specification, what home loads. */
const results = await runChecks();
for (const { name, ok, seconds, output } of results) {
  console.log(`${ok ? "ok    " : "FAILED"} ${name.padEnd(10)} ${seconds.toFixed(1)} s`);
  if (!ok) console.log(output.trim().replaceAll(/^/gm, "  "));
}
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
