import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeHashes } from "@fairtick/domain/node";
import { run } from "@fairtick/transparency/cli";
import { makeWorld, POLICY, type TestEntry, type WorldOptions } from "@fairtick/transparency/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runPython, writeKeys, writeLog } from "./run-python.ts";

// Whether the device that signed an order had been removed is in the log and not in the receipt.

const ACCEPTED_AT = 1_763_700_030_130n;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "removed-device-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Judged = readonly [code: number | null, device: string | undefined];
const deviceLine = (lines: readonly string[]) => lines.find((line) => /^\w+ +device/.test(line))?.replace(/:.*/, "");

/** Verifies a sealed order's receipt with both verifiers, beside the log or without it. */
async function judge(options: WorldOptions, log: "asked" | "not asked" | "uncosigned" = "asked") {
  const world = await makeWorld(nodeHashes, [{ at: 30_130n, sealed: "revealed" }], options);
  const at = mkdtempSync(join(folder, "house-"));
  const [keys, receipt] = [writeKeys(at, POLICY), join(at, "receipt.json")];
  writeFileSync(receipt, JSON.stringify(await world.receipt(0)));
  const files = writeLog(join(at, "log"), world.files);
  if (log === "uncosigned") writeFileSync(join(files, "checkpoint"), withoutWitnesses(world.checkpoint));
  const beside = log === "not asked" ? [] : ["--log", files];
  const here = await run(["verify", receipt, "--keys", keys, ...beside]);
  const there = await runPython(["verify-receipt", "--keys", keys, ...beside, receipt]);
  const judged = ({ exitCode, lines }: { exitCode: number | null; lines: readonly string[] }): Judged => [
    exitCode,
    deviceLine(lines),
  ];
  return { here: judged(here), there: judged(there), said: [here.lines.at(-1), there.lines.at(-1)] };
}

/** Returns a checkpoint with the house's signature alone. */
function withoutWitnesses(note: string): string {
  return `${note.split("\n").slice(0, -2).join("\n")}\n`;
}

/** Makes a house whose log removes the device that signed the order, or another one. */
function removing(before: bigint, change: (entry: TestEntry) => TestEntry = (entry) => entry): WorldOptions {
  return {
    change: (entries) => {
      const added = entries.findIndex(({ kind }) => kind === "device.add");
      const { fields } = entries[added] as TestEntry;
      const at = ACCEPTED_AT - before;
      const removed = change({ time: at, kind: "device.remove", fields: { ...fields, at } });
      return entries.toSpliced(added + 1, 0, removed);
    },
  };
}

const REMOVED = "failed  device (the device had been removed before the order)";
const HELD = "ok      device";

it("both verifiers accept an order that came 3,000 ms after the removal of its device", async () => {
  expect(await judge(removing(3_000n))).toMatchObject({ here: [0, HELD], there: [0, HELD] });
});

it("both verifiers refuse an order that came 3,001 ms after the removal of its device", async () => {
  expect(await judge(removing(3_001n))).toMatchObject({ here: [1, REMOVED], there: [1, REMOVED] });
});

it("both verifiers find a removal that the log tells of only after the order", async () => {
  const late: WorldOptions = {
    change: (entries) => {
      const all = removing(60_000n).change?.(entries) ?? [];
      return [
        ...all.filter(({ kind }) => kind !== "device.remove"),
        ...all.filter(({ kind }) => kind === "device.remove"),
      ];
    },
  };
  expect(await judge(late)).toMatchObject({ here: [1, REMOVED], there: [1, REMOVED] });
});

it("neither verifier takes another device's removal for that of the order's", async () => {
  const other = removing(60_000n, (entry) => ({ ...entry, fields: { ...entry.fields, hash: "ab".repeat(32) } }));
  expect(await judge(other)).toMatchObject({ here: [0, HELD], there: [0, HELD] });
});

it("neither verifier knows of a removal if it isn't told where the log is", async () => {
  expect(await judge(removing(60_000n), "not asked")).toMatchObject({ here: [0, HELD], there: [0, HELD] });
});

it("neither verifier passes a receipt beside a log whose newest checkpoint no witness cosigned", async () => {
  const { here, there, said } = await judge({}, "uncosigned");
  expect([here[0], there[0]]).toEqual([3, 3]);
  for (const each of said) expect(each).toContain("0 of 1 witnesses cosigned");
});
