import {
  beaconRoundAt,
  type BeaconTimes,
  SM1_TICKS_PER_EPOCH,
  sm1TickTime,
  type Hashes,
  type Instant,
  type Sm2Rounds,
  toHex,
} from "@fairtick/domain";
import { type BeaconRound, chainFault, ROUND_SIGNATURE_BYTES, wrongRounds } from "./beacon.ts";
import type { LogEntryOf } from "./log-entry.ts";

/** The entries of an epoch that concern its rounds. */
export interface RoundEvidence {
  readonly params: LogEntryOf<"params">;
  readonly open: LogEntryOf<"epoch.open">;
  readonly reveal: LogEntryOf<"epoch.reveal">;
}

/** An epoch's rounds, by number. `missing`: rounds that never came, so their ticks don't exist. Empty for SM1. */
export type EpochRounds =
  | { readonly ok: true; readonly rounds: Sm2Rounds; readonly missing: readonly bigint[] }
  | { readonly ok: false; readonly fault: string };

/** A period of time, both ends included. */
export interface RoundStretch {
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * Checks the rounds of an epoch. They must be exactly those from the round of its first tick to that of its last, so
 * that each price depends on the round of its own time, and each must be signed by the chain that the params name.
 * @param stretch Period whose rounds' signatures are checked; all are if it is left out
 */
export function checkRounds(
  hashes: Hashes,
  { params, open, reveal }: RoundEvidence,
  stretch?: RoundStretch,
): EpochRounds {
  const { beacon } = params;
  const { rounds: shown } = reveal;
  if (beacon === undefined) {
    return shown === undefined
      ? { ok: true, rounds: new Map(), missing: [] }
      : { ok: false, fault: "it shows rounds of a beacon that its params do not name" };
  }
  if (shown === undefined) return { ok: false, fault: "it shows no rounds of the beacon" };
  const strange = chainFault({ ...beacon, publicKey: beacon.key });
  if (strange !== null) return { ok: false, fault: strange };
  const first = beaconRoundAt(beacon, open.start);
  const last = beaconRoundAt(beacon, sm1TickTime(open.start, SM1_TICKS_PER_EPOCH - 1));
  const count = BigInt(shown.signatures.length / ROUND_SIGNATURE_BYTES);
  if (first < 1n) return { ok: false, fault: "it starts before the beacon's first round" };
  if (shown.from !== first || count !== last - first + 1n) {
    const through = shown.from + count - 1n;
    return { ok: false, fault: `it shows the rounds ${shown.from} to ${through}, and due were ${first} to ${last}` };
  }
  const all = cutRounds(shown.from, shown.signatures);
  const there = all.filter(({ signature }) => signature.some((byte) => byte !== 0));
  const examined = stretch === undefined ? there : there.filter(({ round }) => isIn(beacon, stretch, round));
  const wrong = firstWrong(hashes, beacon.key, examined);
  if (wrong !== null) return { ok: false, fault: `round ${wrong} is not what the beacon signed` };
  const rounds = new Map(there.map(({ round, signature }) => [round, signature]));
  return { ok: true, rounds, missing: all.flatMap(({ round }) => (rounds.has(round) ? [] : [round])) };
}

function isIn(beacon: BeaconTimes, { from, to }: RoundStretch, round: bigint): boolean {
  return round >= beaconRoundAt(beacon, from) && round <= beaconRoundAt(beacon, to);
}

/** Cache of valid rounds. An epoch's orders all need the same ones, and a pairing takes tens of milliseconds. */
const held = new Set<string>();
const HELD_MAX = 10_000;

function firstWrong(hashes: Hashes, key: Uint8Array, rounds: readonly BeaconRound[]): bigint | null {
  const keyHex = toHex(key);
  const nameOf = ({ round, signature }: BeaconRound) => `${keyHex}/${round}/${toHex(signature)}`;
  const unknown = rounds.filter((round) => !held.has(nameOf(round)));
  const wrong = unknown[wrongRounds(hashes, key, unknown)[0] ?? -1];
  if (wrong !== undefined) return wrong.round;
  if (held.size + unknown.length > HELD_MAX) held.clear();
  for (const round of unknown) held.add(nameOf(round));
  return null;
}

function cutRounds(from: bigint, signatures: Uint8Array): BeaconRound[] {
  const rounds: BeaconRound[] = [];
  for (let at = 0; at < signatures.length; at += ROUND_SIGNATURE_BYTES) {
    const signature = signatures.subarray(at, at + ROUND_SIGNATURE_BYTES);
    rounds.push({ round: from + BigInt(at / ROUND_SIGNATURE_BYTES), signature });
  }
  return rounds;
}

/** Makes the `rounds` of an `epoch.reveal` entry for an epoch that starts at `start`. */
export function epochRoundsEntry(
  { beacon, start }: { readonly beacon: BeaconTimes; readonly start: Instant },
  rounds: Sm2Rounds,
): { readonly from: bigint; readonly signatures: Uint8Array } {
  const from = beaconRoundAt(beacon, start);
  const last = beaconRoundAt(beacon, sm1TickTime(start, SM1_TICKS_PER_EPOCH - 1));
  const signatures = new Uint8Array(Number(last - from + 1n) * ROUND_SIGNATURE_BYTES);
  for (let round = from; round <= last; round += 1n) {
    signatures.set(rounds.get(round) ?? new Uint8Array(), Number(round - from) * ROUND_SIGNATURE_BYTES);
  }
  return { from, signatures };
}
