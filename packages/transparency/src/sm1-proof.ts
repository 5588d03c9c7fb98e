import {
  equalBytes,
  SM1_TICKS_PER_EPOCH,
  sm1Commit,
  sm1Digest,
  sm1EpochKey,
  sm1EpochTicks,
  sm1Mix,
  sm1ParamsHash,
  sm1TickTime,
  type Hashes,
  type Sm1State,
  type Sm1Tick,
  sm2EpochTicks,
  type Tick,
} from "@fairtick/domain";
import { openCheckpoint, type Checkpoint, type LogPolicy } from "./checkpoint.ts";
import { COSIGNATURE_BYTES } from "./cosignature.ts";
import { checkRounds, type EpochRounds } from "./sm2-proof.ts";
import { COSIGNATURE_TYPE, formatVerifierKey, parseVerifierKey, type VerifierKey } from "./keys.ts";
import type { LogEntryOf } from "./log-entry.ts";
import { type NoteSignature, parseNote } from "./note.ts";
import { findTimeless, verifyTimeless } from "./timeless-signature.ts";

/** The log's entries about one epoch of the simulated market. `paramsText`: the text of its `params` entry. */
export interface Sm1Evidence {
  readonly paramsText: string;
  readonly params: LogEntryOf<"params">;
  readonly commit: LogEntryOf<"epoch.commit">;
  readonly open: LogEntryOf<"epoch.open">;
  readonly reveal: LogEntryOf<"epoch.reveal">;
}

/** The witness whose signature the commit named for the mix. `signed`: whether the mix was made from it. */
export interface MixWitness {
  readonly name: string;
  /** The witness's verifier key. */
  readonly key: string;
  readonly isPinned: boolean;
  readonly signed: boolean;
}

/**
 * What an epoch's mix was made from, which the house could not know when it committed. `checkpoint` is null if there
 * was no log yet; otherwise the caller must still compare it with the log's own tree of that size.
 */
export type MixFinding =
  | { readonly ok: true; readonly checkpoint: Checkpoint | null; readonly witness: MixWitness | null }
  | { readonly ok: false; readonly fault: string };

/**
 * Checks an epoch's mix: SHA256("SM1/mix\0" || the timeless signature of the witness that the commit names, on the
 * checkpoint that ends with the commit; else that checkpoint's root, else the commit). There is only one such
 * checkpoint and one such signature, so the house has nothing to choose from once it has committed. `commit.index` is
 * the commit's place in the log.
 */
export function checkMix(
  hashes: Hashes,
  open: LogEntryOf<"epoch.open">,
  commit: LogEntryOf<"epoch.commit"> & { readonly index: number },
  policy: LogPolicy,
): MixFinding {
  const key = commit.witness === undefined ? null : parseVerifierKey(commit.witness);
  if (commit.witness !== undefined && key?.type !== COSIGNATURE_TYPE) {
    return { ok: false, fault: "its commit names no key of a witness" };
  }
  const isMixed = (source: Uint8Array) => equalBytes(sm1Mix(hashes, source), open.mix);
  const isPinned = policy.witnessKeys.some((each) => formatVerifierKey(each) === commit.witness);
  if (open.checkpoint === undefined) {
    const witness = key && { name: key.name, key: formatVerifierKey(key), isPinned, signed: false };
    return isMixed(commit.commit)
      ? { ok: true, checkpoint: null, witness }
      : { ok: false, fault: "mix is not made of the commit" };
  }
  const opened = openCheckpoint(open.checkpoint, policy);
  if (!opened.ok) return { ok: false, fault: `its checkpoint: ${opened.fault}` };
  const lines = parseNote(open.checkpoint)?.signatures ?? [];
  return key === null
    ? madeByHouse(opened.checkpoint, lines, commit.index, isMixed)
    : madeByWitness({ key, isPinned }, opened, lines, commit.index, isMixed);
}

/** Checks a mix whose commit names a witness: made from its signature on the commit's checkpoint, else from the root. */
function madeByWitness(
  { key, isPinned }: { readonly key: VerifierKey; readonly isPinned: boolean },
  { checkpoint, text }: { readonly checkpoint: Checkpoint; readonly text: string },
  lines: readonly NoteSignature[],
  commitIndex: number,
  isMixed: (source: Uint8Array) => boolean,
): MixFinding {
  const due = commitIndex + 1;
  if (checkpoint.size !== due) {
    return { ok: false, fault: `its checkpoint has ${checkpoint.size} entries, and due was the one of ${due}` };
  }
  const line = findTimeless(lines, key);
  if (line !== null && !verifyTimeless(key, text, line.signature)) {
    return { ok: false, fault: `the signature of ${key.name} on its checkpoint does not hold` };
  }
  const witness = { name: key.name, key: formatVerifierKey(key), isPinned, signed: line !== null };
  return isMixed(line?.signature ?? checkpoint.root)
    ? { ok: true, checkpoint, witness }
    : { ok: false, fault: "mix is not made of its checkpoint" };
}

/**
 * Checks a mix whose commit names no witness, so that the house alone made it. In older logs no commit names one, and
 * the mix was made from a cosignature of any checkpoint that had the commit.
 */
function madeByHouse(
  checkpoint: Checkpoint,
  lines: readonly NoteSignature[],
  commitIndex: number,
  isMixed: (source: Uint8Array) => boolean,
): MixFinding {
  const cosignatures = lines.filter(({ signature }) => signature.length === COSIGNATURE_BYTES);
  const isMade = [checkpoint.root, ...cosignatures.map(({ signature }) => signature)].some(isMixed);
  return isMade && checkpoint.size > commitIndex
    ? { ok: true, checkpoint, witness: null }
    : { ok: false, fault: "mix is not made of its checkpoint" };
}

/** Returns what is inconsistent between the params, commit, opening and seed of an epoch; null for nothing. */
export function checkSeed(hashes: Hashes, evidence: Sm1Evidence): string | null {
  const { commit, open, reveal, paramsText } = evidence;
  if (commit.e !== open.e || open.e !== reveal.e) return "entries of different epochs";
  const paramsHash = sm1ParamsHash(hashes, paramsText);
  if (!equalBytes(paramsHash, commit.params)) return "the commit names other params";
  const made = sm1Commit(hashes, reveal.e, reveal.seed, paramsHash);
  return equalBytes(made, commit.commit) ? null : "the seed is not the one committed to";
}

export type Replay =
  /** `end`: state of the path after the epoch. */
  | { readonly ok: true; readonly ticks: readonly Sm1Tick[]; readonly end: Sm1State }
  | { readonly ok: false; readonly fault: string };

/**
 * Recomputes all ticks of one instrument from the seed (for SM2 also from the rounds) and compares them with the
 * revealed digest. `rounds`: the epoch's result of `checkRounds`; callers that replay several instruments pass it to
 * save work.
 */
export function replayEpoch(
  hashes: Hashes,
  evidence: Sm1Evidence,
  symbol: string,
  rounds: EpochRounds = checkRounds(hashes, evidence),
): Replay {
  const { params, open, reveal } = evidence;
  const instrument = params.instruments.find((each) => each.symbol === symbol);
  const from = reveal.from.get(symbol);
  const digest = reveal.digest.get(symbol);
  if (instrument === undefined || from === undefined || digest === undefined) {
    return { ok: false, fault: `${symbol} is not in the epoch` };
  }
  if (!rounds.ok) return rounds;
  const epochKey = sm1EpochKey(hashes, reveal.e, reveal.seed, open.mix);
  const { beacon } = params;
  const ticks =
    beacon === undefined
      ? sm1EpochTicks(hashes, instrument, epochKey, from)
      : sm2EpochTicks(hashes, { params: instrument, epochKey, start: open.start, beacon }, from, rounds.rounds).ticks;
  return equalBytes(sm1Digest(hashes, reveal.e, ticks), digest)
    ? { ok: true, ticks, end: ticks.at(-1)?.state ?? from }
    : { ok: false, fault: `the digest of ${symbol} is another` };
}

export function isInEpoch(open: LogEntryOf<"epoch.open">, tick: Pick<Tick, "time">): boolean {
  return tick.time >= open.start && tick.time < sm1TickTime(open.start, SM1_TICKS_PER_EPOCH);
}

/** Returns whether the epoch made exactly this tick. */
export function isMade(open: LogEntryOf<"epoch.open">, ticks: readonly Sm1Tick[], tick: Tick): boolean {
  const place = Number((tick.time - open.start) / 500n);
  return sm1TickTime(open.start, place) === tick.time && ticks.find(({ t }) => t === place)?.mid === tick.price;
}
