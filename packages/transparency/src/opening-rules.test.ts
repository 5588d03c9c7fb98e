import { expect, it } from "vitest";
import type { LogEntryOf } from "./log-entry.ts";
import type { LogFinding } from "./log-finding.ts";
import { createOpeningRules } from "./opening-rules.ts";
import { policyOf, testLogKey } from "./testing-epochs.ts";

const bytes = new Uint8Array(32);

/** Drives the rules with commits (`c`) and openings (`o`) of epochs in this order; returns the faults. */
function faultsOf(...steps: readonly `${"c" | "o"}${number}`[]): string[] {
  const found: LogFinding[] = [];
  const rules = createOpeningRules((finding) => found.push(finding), policyOf([testLogKey(1)], []), new Set());
  for (const [index, step] of steps.entries()) {
    const e = BigInt(step.slice(1));
    const commit = { kind: "epoch.commit", e, commit: bytes, params: bytes } as LogEntryOf<"epoch.commit">;
    const open = { kind: "epoch.open", e, start: 0n, mix: bytes } as unknown as LogEntryOf<"epoch.open">;
    if (step.startsWith("c")) rules.commit(index, commit, 0n);
    else rules.open(index, open);
  }
  return found.map(({ what }) => what);
}

it("takes epochs that are committed to ahead and opened in order", () => {
  expect(faultsOf("c1", "c2", "o1", "c3", "o2", "c4", "o3", "o4")).toEqual([]);
  expect(faultsOf("c7", "c8", "o7", "o8")).toEqual([]);
});

it("refuses a number that is committed to and opened again, although its seed may have been revealed meanwhile", () => {
  expect(faultsOf("c1", "c2", "c3", "o1", "o2", "c2", "o2", "o3")).toEqual([
    "the commit of epoch 2 follows that of 3",
    "epoch 2 was opened, and due was epoch 3",
  ]);
  expect(faultsOf("c1", "c1")).toEqual(["the commit of epoch 1 follows that of 1"]);
});

it("refuses a number that is left out", () => {
  expect(faultsOf("c1", "c3", "o1", "o3")).toEqual([
    "the commit of epoch 3 follows that of 1",
    "epoch 3 was opened, and due was epoch 2",
  ]);
});
