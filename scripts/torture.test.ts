import { expect, it } from "vitest";
import { runTorture } from "./torture/run-torture.ts";

// The large numbers are in `npm run torture`.

it("loses, duplicates and leaves open no order, whatever is killed under load", { timeout: 600_000 }, async () => {
  const report = await runTorture({ kills: 10, databaseKills: 3, seed: "the tests' own", say: () => undefined });
  expect(report.faults).toEqual([]);
  expect(report.outages).toHaveLength(13);
  expect(report.acknowledged).toBeGreaterThan(100);
  expect(report.settled).toBeGreaterThanOrEqual(report.acknowledged);
  expect(report.voided).toBeLessThan(report.settled);
});
