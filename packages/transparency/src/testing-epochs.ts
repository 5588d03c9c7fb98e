import {
  FIRST_SM1_PARAMS,
  sm1Commit,
  sm1Digest,
  sm1EpochKey,
  sm1EpochTicks,
  sm1Mix,
  sm1Start,
  sm1TickTime,
  sm2EpochTicks,
  toHex,
  utf8,
  type Canonical,
  type Hashes,
  type Instant,
  type Tick,
} from "@fairtick/domain";
import { formatCheckpoint } from "./checkpoint.ts";
import { cosign } from "./cosignature.ts";
import { COSIGNATURE_TYPE, ED25519_TYPE, formatVerifierKey, signerKey, type SignerKey } from "./keys.ts";
import { formatNote, signNote } from "./note.ts";
import { chainEntry, roundsOf, shownRounds, TEST_CHAIN, type TestRounds } from "./testing-beacon.ts";
import { byMinute, linesOf, MINUTE, paramsOf, START, textOf } from "./testing-house.ts";
import { ORIGIN } from "./testing-receipt.ts";
import type { LogReader } from "./tile-tree.ts";
import { signTimeless } from "./timeless-signature.ts";
import { EMPTY_LOG, edgeRoot, growLog } from "./tree-edge.ts";
import type { VerifierPolicy } from "./verifier-policy.ts";

// For tests: several successive epochs of one instrument, and how each got its mix.

export const testLogKey = (fill: number): SignerKey => signerKey(ORIGIN, ED25519_TYPE, new Uint8Array(32).fill(fill));
export const testWitness = (name: string, fill: number): SignerKey =>
  signerKey(`${name}.example/w`, COSIGNATURE_TYPE, new Uint8Array(32).fill(fill));

export function policyOf(logKeys: readonly SignerKey[], witnesses: readonly SignerKey[]): VerifierPolicy {
  return {
    origin: ORIGIN,
    logKeys: logKeys.map(({ verifier }) => verifier),
    witnessKeys: witnesses.map(({ verifier }) => verifier),
    acceptanceKeys: [],
    witnessesNeeded: Math.min(1, witnesses.length),
  };
}

export interface TestEpoch {
  readonly e: bigint;
  /** The witness that its commit names; null for none, and the log's witness if left out. */
  readonly by?: SignerKey | null;
  /** What the mix is made from; by default the signature of the witness that the commit names. */
  readonly mixed?: "root" | "commit" | "cosignature";
  /** Number of entries that the checkpoint has after the commit. */
  readonly later?: number;
  /** True if it is committed to right before it is opened. */
  readonly isHasty?: boolean;
  /** How long before its start it is opened, ms; by default when the previous epoch starts. */
  readonly opensBefore?: bigint;
  readonly logKey?: SignerKey;
  /** How long the market stood still before its start, ms. */
  readonly gap?: bigint;
  /** Number of invented ticks, made from no seed, that are published in the slots right before the start. */
  readonly invented?: number;
}

export interface EpochPlan {
  readonly epochs: readonly TestEpoch[];
  readonly commits?: readonly bigint[];
  /** Returns whether orders are accepted at a time (ms after START). One is accepted every TRADE_EVERY_MS. */
  readonly isTrading?: (after: bigint) => boolean;
  /** The witness that commits name. It also cosigns the final log, unless `cosigner` does. */
  readonly witness: SignerKey;
  readonly cosigner?: SignerKey;
  readonly logKey?: SignerKey;
  readonly beacon?: TestBeacon;
}

/** The epochs of SM2: from `sinceEpoch` up to but not including `untilEpoch`. All others are of SM1. */
export interface TestBeacon extends TestRounds {
  readonly sinceEpoch: bigint;
  readonly untilEpoch?: bigint;
}

const EPOCH_MS = 600_000n;
const TRADE_EVERY_MS = 20_000n;

interface Event {
  readonly time: bigint;
  /** Writes the event's entries. Events of the same time run in the order in which they were added. */
  readonly write: () => void;
}

/** Makes a log. Each epoch is opened when the previous one starts, the first two at once, with commits three ahead. */
export function makeEpochLog(
  hashes: Hashes,
  plan: EpochPlan,
): LogReader & { readonly texts: readonly string[]; readonly files: ReadonlyMap<string, Uint8Array> } {
  const instrument = FIRST_SM1_PARAMS.find(({ symbol }) => symbol === "EURUSD");
  if (instrument === undefined) throw new Error("no EURUSD");
  const texts: string[] = [];
  /** When each entry was written. */
  const times: bigint[] = [];
  const files = new Map<string, Uint8Array>();
  const events: Event[] = [];
  const at = (time: bigint, write: () => void) => events.push({ time, write });
  const seedOf = (e: bigint) => new Uint8Array(32).fill(Number(e) + 0x20);

  function write(time: bigint, kind: string, fields: Readonly<Record<string, Canonical>>): void {
    texts.push(textOf(kind, fields));
    times.push(time);
  }

  function noteOf(
    size: number,
    logKey: SignerKey,
    witness: SignerKey | null,
    how: TestEpoch["mixed"] = "root",
  ): { note: string; source: Uint8Array } {
    const grown = growLog(hashes, EMPTY_LOG, texts.slice(0, size).map(utf8));
    for (const file of grown.files) files.set(file.path, file.bytes);
    const root = edgeRoot(hashes, grown.log.tree);
    const text = formatCheckpoint({ origin: ORIGIN, size, root });
    const own = signNote(text, logKey);
    const timeless = witness && signTimeless(text, witness);
    const others = witness && timeless ? [cosign(text, (times[size - 1] ?? 0n) / 1_000n, witness), timeless] : [];
    const source = (how === "cosignature" ? others[0]?.signature : timeless?.signature) ?? root;
    return { note: formatNote({ text, signatures: [own, ...others] }), source };
  }

  const params = { epochMs: 600_000, instruments: [paramsOf(instrument)], model: "SM1", tickMs: 500 };
  const beaconParams = plan.beacon && {
    ...params,
    beacon: chainEntry(plan.beacon),
    model: "SM2",
  };
  function beaconOf(e: bigint): TestBeacon | null {
    const { beacon } = plan;
    const isOn = beacon !== undefined && e >= beacon.sinceEpoch && e < (beacon.untilEpoch ?? e + 1n);
    return isOn ? beacon : null;
  }
  const paramsHashOf = (e: bigint) =>
    hashes.sha256(utf8(textOf("params", beaconOf(e) === null ? params : (beaconParams ?? params))));
  const commitOf = (e: bigint) => sm1Commit(hashes, e, seedOf(e), paramsHashOf(e));
  const begin = START - 60_000n;
  at(begin, () => write(begin, "params", params));
  if (beaconParams) at(begin, () => write(begin, "params", beaconParams));

  const places = new Map<bigint, number>();
  const namedBy = (one: TestEpoch | undefined) => (one?.by === undefined ? plan.witness : one.by);
  function cosignerOf(one: TestEpoch): SignerKey | null {
    if (one.mixed === "root") return null;
    return one.mixed === "cosignature" ? plan.witness : namedBy(one);
  }

  const starts: bigint[] = [];
  for (const { gap = 0n } of plan.epochs) starts.push((starts.at(-1) ?? START - EPOCH_MS) + EPOCH_MS + gap);
  function opensAt(nth: number): bigint {
    const before = plan.epochs[nth]?.opensBefore;
    if (before !== undefined) return (starts[nth] ?? 0n) - before;
    return nth < 2 ? START - 35_000n + BigInt(nth) : (starts[nth - 1] ?? 0n);
  }
  const commits = plan.commits ?? plan.epochs.map(({ e }) => e);
  for (const [nth, e] of commits.entries()) {
    const one = plan.epochs.find((each) => each.e === e);
    const early = nth < 3 ? begin + 1n : opensAt(nth - 3) + 1n;
    const time = one?.isHasty === true ? opensAt(plan.epochs.indexOf(one)) - 1n : early;
    const witness = namedBy(one);
    at(time, () => {
      places.set(e, texts.length);
      const fields = { commit: toHex(commitOf(e)), e, params: toHex(paramsHashOf(e)) };
      write(
        time,
        "epoch.commit",
        witness === null ? fields : { ...fields, witness: formatVerifierKey(witness.verifier) },
      );
    });
  }

  let state = sm1Start(instrument);
  let seq = 0n;
  const prices: Tick[] = [];
  for (const [nth, one] of plan.epochs.entries()) {
    const { e, mixed, later = 0, logKey = testLogKey(1), invented = 0 } = one;
    const start = (starts[nth] ?? 0n) as Instant;
    const opened = opensAt(nth);
    let mix = new Uint8Array();
    at(opened, () => {
      const size = (places.get(e) ?? 0) + 1 + later;
      const made = mixed === "commit" ? null : noteOf(size, logKey, cosignerOf(one), mixed);
      mix = sm1Mix(hashes, made?.source ?? commitOf(e)) as Uint8Array<ArrayBuffer>;
      const fields = { e, mix: toHex(mix), start };
      write(opened, "epoch.open", made === null ? fields : { ...fields, checkpoint: made.note });
    });
    at(start - 1n, () => {
      for (let place = invented; place > 0; place -= 1) {
        seq += 1n;
        prices.push({ seq, time: (start - BigInt(place) * 500n) as Instant, price: instrument.anchor });
      }
      const from = state;
      const epochKey = sm1EpochKey(hashes, e, seedOf(e), mix);
      const beacon = beaconOf(e);
      const rounds = beacon && roundsOf(hashes, beacon, start);
      const ticks =
        rounds === null
          ? sm1EpochTicks(hashes, instrument, epochKey, from)
          : sm2EpochTicks(
              hashes,
              { params: instrument, epochKey, start, beacon: beacon?.chain ?? TEST_CHAIN },
              from,
              rounds,
            ).ticks;
      state = ticks.at(-1)?.state ?? state;
      for (const { t, mid } of ticks) {
        seq += 1n;
        prices.push({ seq, time: sm1TickTime(start, t), price: mid });
      }
      const reveal = {
        digest: { EURUSD: toHex(sm1Digest(hashes, e, ticks)) },
        e,
        from: { EURUSD: [from.x.toString(), from.regime] },
        seed: toHex(seedOf(e)),
        ...(beacon && rounds && shownRounds(beacon, start, rounds)),
      };
      at(start + EPOCH_MS - 1n, () => write(start + EPOCH_MS, "epoch.reveal", reveal));
    });
  }
  const end = (starts.at(-1) ?? START) + EPOCH_MS;
  for (let minute: bigint = START; minute < end; minute += MINUTE) {
    at(minute + MINUTE, () => {
      const held = byMinute(prices).get(minute) ?? [];
      const [first, last] = [held[0], held.at(-1)];
      if (first === undefined || last === undefined) return;
      const path = `prices/EURUSD/${minute}`;
      files.set(path, utf8(linesOf(held)));
      const hash = toHex(hashes.sha256(utf8(linesOf(held))));
      const fields = { count: held.length, from: first.seq, hash, symbol: "EURUSD", time: minute, to: last.seq };
      write(minute + MINUTE, "ticks", fields);
    });
  }
  let batch = 0;
  for (let time: bigint = START; time < end; time += TRADE_EVERY_MS) {
    if (!(plan.isTrading ?? (() => true))(time - START)) continue;
    batch += 1;
    const fields = { acceptedAt: time, batch, commitments: Buffer.alloc(32, batch).toString("base64") };
    at(time, () => write(time, "orders.accept", fields));
  }

  // Events can add further events, such as reveals of seeds, so sort before each one.
  while (events.length > 0) {
    events.sort((left, right) => Number(left.time - right.time));
    events.shift()?.write();
  }
  for (const file of growLog(hashes, EMPTY_LOG, texts.map(utf8)).files) files.set(file.path, file.bytes);
  files.set("checkpoint", utf8(noteOf(texts.length, plan.logKey ?? testLogKey(1), plan.cosigner ?? plan.witness).note));
  return { texts, files, read: (path) => Promise.resolve(files.get(path) ?? null) };
}
