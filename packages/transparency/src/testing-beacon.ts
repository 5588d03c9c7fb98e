import {
  beaconRoundAt,
  type BeaconTimes,
  SM1_TICKS_PER_EPOCH,
  sm1Start,
  sm1TickTime,
  sm2EpochTicks,
  toHex,
  type Canonical,
  type Hashes,
  type Instant,
  type Sm1Params,
  type Sm1Tick,
  type Sm2Rounds,
} from "@fairtick/domain";
import { toBase64 } from "./base64.ts";
import { BEACON_SCHEME, beaconPublicKey, newBeaconSecret, signRound } from "./beacon.ts";
import { epochRoundsEntry } from "./sm2-proof.ts";
import { paramsOf, START } from "./testing-house.ts";

/** For tests: rounds of SM2, and how they are falsified. */
export interface TestRounds {
  readonly secret: Uint8Array;
  /** When the chain's rounds are due, by the house's word; those of `TEST_CHAIN` if left out. */
  readonly chain?: BeaconTimes;
  /** Places (from 0) of the rounds in each epoch that never came. */
  readonly missing?: readonly number[];
  /** Changes the rounds that prices are made from and that are revealed. */
  readonly use?: (rounds: Map<bigint, Uint8Array>) => void;
  /** Changes only the rounds that `epoch.reveal` shows. */
  readonly show?: (shown: ShownRounds) => ShownRounds | null;
}

export interface ShownRounds {
  readonly from: bigint;
  readonly signatures: Uint8Array;
}

export const TEST_CHAIN = { genesis: START / 1_000n - 3_000n, period: 3n };
export const TEST_BEACON = newBeaconSecret(new Uint8Array(48).fill(0x42));
export const OTHER_BEACON = newBeaconSecret(new Uint8Array(48).fill(0x43));

/** Cache of signatures, which are deterministic and take milliseconds to make. */
const signed = new Map<string, Uint8Array>();

export function testRound(hashes: Hashes, secret: Uint8Array, round: bigint): Uint8Array {
  const name = `${toHex(secret)}/${round}`;
  const signature = signed.get(name) ?? signRound(hashes, secret, round);
  signed.set(name, signature);
  return signature;
}

/** Returns the rounds that prices of an epoch starting at `start` are made from. */
export function roundsOf(hashes: Hashes, beacon: TestRounds, start: Instant): Map<bigint, Uint8Array> {
  const { chain = TEST_CHAIN } = beacon;
  const from = beaconRoundAt(chain, start);
  const last = beaconRoundAt(chain, sm1TickTime(start, SM1_TICKS_PER_EPOCH - 1));
  const rounds = new Map<bigint, Uint8Array>();
  for (let round = from; round <= last; round += 1n) {
    if (beacon.missing?.includes(Number(round - from)) === true) continue;
    rounds.set(round, testRound(hashes, beacon.secret, round));
  }
  beacon.use?.(rounds);
  return rounds;
}

/** Makes the fields of `epoch.reveal` that show the rounds. */
export function shownRounds(beacon: TestRounds, start: Instant, rounds: Sm2Rounds): Record<string, Canonical> {
  const entry = epochRoundsEntry({ beacon: beacon.chain ?? TEST_CHAIN, start }, rounds);
  const shown = beacon.show === undefined ? entry : beacon.show(entry);
  return shown === null ? {} : { rounds: { from: shown.from, signatures: toBase64(shown.signatures) } };
}

/** Makes the `beacon` field of a `params` entry. */
export function chainEntry({ secret, chain = TEST_CHAIN }: TestRounds): Record<string, Canonical> {
  return { ...chain, key: toHex(beaconPublicKey(secret)), scheme: BEACON_SCHEME };
}

/** Makes the fields of a `params` entry: of SM2 if there is a beacon, else of SM1. */
export function paramsFields(instruments: readonly Sm1Params[], beacon?: TestRounds): Record<string, Canonical> {
  const figures = { epochMs: 600_000, instruments: instruments.map(paramsOf), tickMs: 500 };
  return { ...figures, ...(beacon ? { beacon: chainEntry(beacon), model: "SM2" } : { model: "SM1" }) };
}

/** Makes an instrument's ticks in its first epoch. */
export function beaconTicks(
  hashes: Hashes,
  params: Sm1Params,
  epochKey: Uint8Array,
  start: Instant,
  rounds: Sm2Rounds,
  chain: BeaconTimes = TEST_CHAIN,
): readonly Sm1Tick[] {
  return sm2EpochTicks(hashes, { params, epochKey, start, beacon: chain }, sm1Start(params), rounds).ticks;
}
