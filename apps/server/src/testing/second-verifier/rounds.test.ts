import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeHashes } from "@fairtick/domain/node";
import {
  overallState,
  parseReceipt,
  ROUND_SIGNATURE_BYTES,
  verifyLog,
  type VerifierPolicy,
  verifyReceipt,
} from "@fairtick/transparency";
import {
  makeEpochLog,
  makeWorld,
  OTHER_BEACON,
  policyOf,
  POLICY,
  type ShownRounds,
  TEST_BEACON,
  TEST_CHAIN,
  testLogKey,
  testRound,
  testWitness,
  type TestBeacon,
  type TestRounds,
} from "@fairtick/transparency/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runPython, verifyInPython, writeKeys, writeLog } from "./run-python.ts";

// Runs both verifiers on prices made from a beacon's rounds. They accept honest prices, and both find each planted
// error.

const WITNESS = testWitness("first", 3);
/**
 * The round of the first tick of makeWorld's epoch. Its order at 30.13 s enters in the eleventh round and exits in the
 * twenty-first.
 */
const FIRST = 1_001n;
const ORDERS: Parameters<typeof makeWorld>[1] = [{ at: 30_130n, durationSeconds: 30 }];
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "second-rounds-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const other = (round: bigint) => (rounds: Map<bigint, Uint8Array>) =>
  rounds.set(round, testRound(nodeHashes, OTHER_BEACON, round));
const swapped = (rounds: Map<bigint, Uint8Array>, first: bigint) => {
  const [left, right] = [rounds.get(first)!, rounds.get(first + 1n)!];
  rounds.set(first, right).set(first + 1n, left);
};
const blank = (nth: number) => (shown: ShownRounds) => {
  const signatures = Uint8Array.from(shown.signatures);
  signatures.fill(0, nth * ROUND_SIGNATURE_BYTES, (nth + 1) * ROUND_SIGNATURE_BYTES);
  return { ...shown, signatures };
};

async function inPython(files: ReadonlyMap<string, Uint8Array>, policy: VerifierPolicy) {
  const at = mkdtempSync(join(folder, "log-"));
  const keys = writeKeys(at, policy);
  const { exitCode, lines } = await runPython(["verify-log", "--keys", keys, writeLog(join(at, "log"), files)]);
  return { exitCode, faults: lines.flatMap((line) => /^fault +([a-z]+)/.exec(line)?.[1] ?? []), lines };
}

/**
 * Verifies a log of an epoch of SM1 and one of SM2 with both verifiers. Returns the checks in which each finds a fault.
 */
async function examine(change: Partial<TestBeacon>) {
  const beacon = { sinceEpoch: 2n, secret: TEST_BEACON, ...change };
  const log = makeEpochLog(nodeHashes, { epochs: [{ e: 1n }, { e: 2n }], witness: WITNESS, beacon });
  const policy = policyOf([testLogKey(1)], [WITNESS]);
  const { findings } = await verifyLog(nodeHashes, log, policy);
  const here = findings.filter(({ grade }) => grade === "fault").map(({ check }) => check);
  const there = await inPython(log.files, policy);
  const unique = (checks: readonly string[]) => [...new Set(checks)].toSorted();
  // The fixture accepts orders that are never settled. Both verifiers report that, but it isn't tested here.
  const mine = (checks: readonly string[]) => unique(checks).filter((check) => check === "epochs" || check === "entry");
  return { here: mine(here), there: mine(there.faults), lines: there.lines };
}

describe("a log of SM2", { timeout: 120_000 }, () => {
  it("is accepted by both, with a note about rounds that never came", async () => {
    const { here, there, lines } = await examine({ missing: [10, 11, 199] });
    expect([here, there]).toEqual([[], []]);
    expect(lines.join("\n")).toMatch(/note +epochs at entry \d+: 3 rounds of the beacon never came/);
  });

  it.each<[string, Partial<TestBeacon>]>([
    ["a round that another chain signed", { use: other(1_205n) }],
    ["a round for another time", { use: (rounds) => rounds.set(1_205n, testRound(nodeHashes, TEST_BEACON, 1_206n)) }],
    ["two swapped rounds", { use: (rounds) => swapped(rounds, 1_210n) }],
    ["a used round that isn't shown", { show: blank(5) }],
    ["rounds from another one on", { show: (shown) => ({ ...shown, from: shown.from + 1n }) }],
    ["one round too few", { show: ({ from, signatures }) => ({ from, signatures: signatures.subarray(48) }) }],
    ["no rounds at all", { show: () => null }],
    ["an epoch without a beacon after one with", { sinceEpoch: 1n, untilEpoch: 2n }],
    ["rounds four seconds apart", { chain: { ...TEST_CHAIN, period: 4n } }],
    ["one round for everything", { chain: { ...TEST_CHAIN, period: 86_400_000n } }],
  ])("is refused by both with %s", async (_what, change) => {
    const { here, there } = await examine(change);
    expect([here, there]).toEqual([["epochs"], ["epochs"]]);
  });
});

it("both refuse the entry of rounds that count from below zero", { timeout: 120_000 }, async () => {
  const { here, there } = await examine({ show: (shown) => ({ ...shown, from: -1n }) });
  expect([here.includes("entry"), there.includes("entry"), here]).toEqual([true, true, there]);
});

/** Returns what each verifier says about `replay` and about the whole receipt. */
async function replayOf(change: Partial<TestRounds>) {
  const world = await makeWorld(nodeHashes, ORDERS, { beacon: { secret: TEST_BEACON, ...change } });
  const receipt = await world.receipt(0);
  const parsed = parseReceipt(receipt);
  if (!parsed.ok) throw new Error(parsed.fault);
  const checks = verifyReceipt(nodeHashes, parsed.receipt, POLICY);
  const at = mkdtempSync(join(folder, "receipt-"));
  const [there] = await verifyInPython(at, [JSON.stringify(receipt)], POLICY);
  return {
    here: [overallState(checks), checks.find(({ id }) => id === "replay")?.state],
    there: [there?.state, there?.checks["replay"]],
  };
}

describe("a receipt of SM2", { timeout: 120_000 }, () => {
  it.each<[string, Partial<TestRounds>, readonly string[]]>([
    ["all its rounds", {}, ["ok", "ok"]],
    ["a round that never came before it", { missing: [5] }, ["ok", "ok"]],
    ["one of its rounds signed by another chain", { use: other(FIRST + 15n) }, ["failed", "failed"]],
    ["two of its rounds swapped", { use: (all) => swapped(all, FIRST + 12n) }, ["failed", "failed"]],
    ["one of its used rounds that isn't shown", { show: blank(14) }, ["failed", "failed"]],
    ["no rounds shown", { show: () => null }, ["failed", "failed"]],
    ["rounds four seconds apart", { chain: { ...TEST_CHAIN, period: 4n } }, ["failed", "failed"]],
    // The verification of the whole log finds this one.
    ["a round of another order's time signed by another chain", { use: other(FIRST + 150n) }, ["ok", "ok"]],
  ])("with %s", async (_what, change, expected) => {
    const { here, there } = await replayOf(change);
    expect([here, there]).toEqual([expected, expected]);
  });
});
