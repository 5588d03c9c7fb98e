import {
  beaconRoundAt,
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

/** For tests: SM2's rounds, and what is wrong with them. */
export interface TestRounds {
  readonly secret: Uint8Array;
  /** So many rounds of each epoch's, counted from 0, never came. */
  readonly missing?: readonly number[];
  /** Changes what is used; both prices and seeds are made of it. */
  readonly use?: (rounds: Map<bigint, Uint8Array>) => void;
  /** Changes what `epoch.reveal` shows alone. */
  readonly show?: (shown: ShownRounds) => ShownRounds | null;
}

export interface ShownRounds {
  readonly from: bigint;
  readonly signatures: Uint8Array;
}

export const TEST_CHAIN = { genesis: START / 1_000n - 3_000n, period: 3n };
export const TEST_BEACON = newBeaconSecret(new Uint8Array(48).fill(0x42));
export const OTHER_BEACON = newBeaconSecret(new Uint8Array(48).fill(0x43));

/** A signature never changes, and takes some milliseconds. */
const signed = new Map<string, Uint8Array>();

export function testRound(hashes: Hashes, secret: Uint8Array, round: bigint): Uint8Array {
  const name = `${toHex(secret)}/${round}`;
  const signature = signed.get(name) ?? signRound(hashes, secret, round);
  signed.set(name, signature);
  return signature;
}

/** The rounds of an epoch that starts then, as its prices are made of them. */
export function roundsOf(hashes: Hashes, beacon: TestRounds, start: Instant): Map<bigint, Uint8Array> {
  const from = beaconRoundAt(TEST_CHAIN, start);
  const last = beaconRoundAt(TEST_CHAIN, sm1TickTime(start, SM1_TICKS_PER_EPOCH - 1));
  const rounds = new Map<bigint, Uint8Array>();
  for (let round = from; round <= last; round += 1n) {
    if (beacon.missing?.includes(Number(round - from)) === true) continue;
    rounds.set(round, testRound(hashes, beacon.secret, round));
  }
  beacon.use?.(rounds);
  return rounds;
}

/** What `epoch.reveal` has of them. */
export function shownRounds(beacon: TestRounds, start: Instant, rounds: Sm2Rounds): Record<string, Canonical> {
  const entry = epochRoundsEntry({ beacon: TEST_CHAIN, start }, rounds);
  const shown = beacon.show === undefined ? entry : beacon.show(entry);
  return shown === null ? {} : { rounds: { from: shown.from, signatures: toBase64(shown.signatures) } };
}

/** What `params` name of the chain. */
export function chainEntry(secret: Uint8Array): Record<string, Canonical> {
  return { ...TEST_CHAIN, key: toHex(beaconPublicKey(secret)), scheme: BEACON_SCHEME };
}

/** A `params` entry, of SM2 where there is a beacon. */
export function paramsFields(instruments: readonly Sm1Params[], beacon?: TestRounds): Record<string, Canonical> {
  const figures = { epochMs: 600_000, instruments: instruments.map(paramsOf), tickMs: 500 };
  return { ...figures, ...(beacon ? { beacon: chainEntry(beacon.secret), model: "SM2" } : { model: "SM1" }) };
}

/** An instrument's ticks of its first epoch. */
export function beaconTicks(
  hashes: Hashes,
  params: Sm1Params,
  epochKey: Uint8Array,
  start: Instant,
  rounds: Sm2Rounds,
): readonly Sm1Tick[] {
  return sm2EpochTicks(hashes, { params, epochKey, start, beacon: TEST_CHAIN }, sm1Start(params), rounds).ticks;
}
