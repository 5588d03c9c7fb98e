import { expect, it } from "vitest";
import { type BeaconRules, createBeaconRules } from "./beacon-rules.ts";
import type { LogFinding } from "./log-finding.ts";

const [key, other] = [new Uint8Array(96).fill(1), new Uint8Array(96).fill(2)];
const CHAIN = { scheme: "bls-unchained-g1-rfc9380", genesis: 1_700_000_000n, period: 3n, key } as const;

/** Commits to epochs under params with these beacons; returns grade and sentence of each finding. */
function findingsOf(...beacons: Parameters<BeaconRules["commit"]>[2][]) {
  const found: LogFinding[] = [];
  const rules = createBeaconRules((finding) => found.push(finding));
  for (const [index, beacon] of beacons.entries()) rules.commit(index, BigInt(index), beacon);
  return found.map(({ grade, what }) => `${grade}: ${what}`);
}

it("lets a log begin with a beacon and keep it", () => {
  expect(findingsOf(undefined, CHAIN, CHAIN)).toEqual([]);
});

it("notes another beacon, and refuses other times for the same one and none after one", () => {
  expect(findingsOf(CHAIN, { ...CHAIN, key: other })).toEqual(["note: epoch 1 names another beacon"]);
  expect(findingsOf(CHAIN, { ...CHAIN, genesis: 1_699_990_000n })).toEqual([
    "fault: epoch 1 names other times for the rounds of the same beacon",
  ]);
  expect(findingsOf(CHAIN, undefined)).toEqual(["fault: epoch 1 needs no beacon, and the ones before it do"]);
});
