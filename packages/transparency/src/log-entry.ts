import type { Points, Sm1Params, Sm1State } from "@fairtick/domain";
import {
  address,
  base64,
  beaconKey,
  count,
  hash,
  instant,
  listOf,
  mapOf,
  nullOr,
  oneOf,
  parseCanonical,
  record,
  ShapeError,
  symbol,
  text,
  whole,
  wholeText,
  type Read,
  type Shape,
} from "./shape.ts";
import { BEACON_SCHEME } from "./beacon.ts";
import { checkFigures } from "./entry-figures.ts";
import { acceptEntry, settleEntry } from "./order-entry.ts";

/**
 * Entries of the public log: canonical JSON with `kind` and `v`. Hashes and seeds are lower-case hexadecimal, times are
 * milliseconds since 1970 UTC, prices points, money micro-USD. A field that is not named here refuses the entry, so that
 * nothing can be said in the log that no verifier reads.
 */
const one = oneOf(1);

const sm1Params: Shape<Sm1Params> = (value, at) => {
  const read = sm1Fields(value, at);
  const [a, b, c, d] = read.switches;
  if (a === undefined || b === undefined || c === undefined || d === undefined || read.switches.length !== 4) {
    throw new ShapeError(`${at}.switches are four`);
  }
  return { ...read, anchor: read.anchor as Points, switches: [a, b, c, d] };
};
const sm1Fields = record({
  anchor: whole,
  digits: count,
  jump: count,
  name: text,
  pull: count,
  sigma: whole,
  spread: whole,
  switches: listOf(count, 4),
  symbol,
});

const sm1State: Shape<Sm1State> = (value, at) => {
  if (!Array.isArray(value) || value.length !== 2) throw new ShapeError(`${at} is no state`);
  return { x: wholeText(value[0], `${at}[0]`), regime: oneOf(0, 1, 2)(value[1], `${at}[1]`) };
};

/** Of SM2: the chain whose rounds have a say, as drand names its parts. */
const beaconChain = record({ genesis: whole, key: beaconKey, period: whole, scheme: oneOf(BEACON_SCHEME) });

/** Of SM2: the signatures of all rounds in the epoch's time from that one on, 48 zero bytes for one that never came. */
const epochRounds = record({ from: whole, signatures: base64 });

/** What outside quotes of an instrument have to be: of this price feed, and at most so unsure (millionths of the price). */
const pythFeed = record({ confMax: count, digits: count, id: hash });

/** What makes an instrument's prices: `SM1`, or the outside sources whose median they are, by name and joined by `+`. */
const sourceName: Shape<string> = (value, at) => {
  if (typeof value !== "string" || !/^(?:SM1|[a-z]{1,20}(?:\+[a-z]{1,20}){0,8})$/.test(value)) {
    throw new ShapeError(`${at} is no source`);
  }
  return value;
};
export const SIMULATED = "SM1";

/** One line of ASCII, so that it can be printed as it is. */
const plainText: Shape<string> = (value, at) => {
  if (typeof value !== "string" || !/^[ -~]{1,200}$/.test(value)) throw new ShapeError(`${at} is no line of text`);
  return value;
};

const SHAPES = {
  /** The simulated market's figures. The bytes of this entry are what `paramsHash` is the SHA-256 of. */
  params: record(
    {
      epochMs: count,
      instruments: listOf(sm1Params),
      kind: oneOf("params"),
      model: oneOf("SM1", "SM2"),
      tickMs: count,
      v: one,
    },
    { beacon: beaconChain },
  ),
  /**
   * Who must have signed a quote of Pyth's that has a say in ticks from `since` on: `quorum` of the `guardians` (20-byte
   * addresses) of a `set`, for that chain and emitter. At a tick its publish time is at most `ageMax` old and `aheadMax` ahead.
   */
  "params.pyth": record({
    ageMax: count,
    aheadMax: count,
    chain: count,
    emitter: hash,
    feeds: mapOf(pythFeed),
    guardians: listOf(address, 255),
    kind: oneOf("params.pyth"),
    quorum: count,
    set: count,
    since: instant,
    v: one,
  }),
  /** From `since` on this instrument's prices are made by `source`, until a later entry says otherwise. */
  source: record({ kind: oneOf("source"), since: instant, source: sourceName, symbol, v: one }),
  /** `witness`: the verifier key of whoever makes this epoch's mix, by signing the checkpoint that ends with this entry. */
  "epoch.commit": record(
    { commit: hash, e: whole, kind: oneOf("epoch.commit"), params: hash, v: one },
    { witness: text },
  ),
  /**
   * `checkpoint`: the signed note that `mix` was made of, the one that ends with the commit: of the named witness's timeless
   * signature, or of its root where it has none. Missing: there was no log yet, and mix was made of the commit itself.
   */
  "epoch.open": record(
    { e: whole, kind: oneOf("epoch.open"), mix: hash, start: instant, v: one },
    { checkpoint: text },
  ),
  "epoch.reveal": record(
    { digest: mapOf(hash), e: whole, from: mapOf(sm1State), kind: oneOf("epoch.reveal"), seed: hash, v: one },
    { rounds: epochRounds },
  ),
  /**
   * One instrument's minute from `time` on; `hash` is the SHA-256 of its lines `seq,time,price` joined by newlines. `quotes`:
   * the root over its quote lines (`tick-quotes.ts`), where a signed quote had a say in it. `sources`: the `source` entries in force
   * for its ticks, oldest first; missing where all of them are older than the first one.
   */
  ticks: record(
    {
      count,
      from: count,
      hash,
      kind: oneOf("ticks"),
      symbol,
      time: instant,
      to: count,
      v: one,
    },
    { quotes: hash, sources: listOf(record({ since: instant, source: sourceName }), 100) },
  ),
  "orders.accept": acceptEntry,
  "orders.settle": settleEntry,
  /** A device that signs a member's orders from then on, or no more; `hash` is over what the member knows of it. */
  "device.add": record({ at: instant, hash, kind: oneOf("device.add"), v: one }),
  "device.remove": record({ at: instant, hash, kind: oneOf("device.remove"), v: one }),
  /**
   * H_from to H_to, and what each is made of: the newest batch that it binds, and of each symbol the number of the first
   * tick followed by how many ticks each slot has. `time`: when the minute of the newest of these ticks is over, so that the
   * prices of all of them are owed. Logs from before do not say.
   */
  heads: record(
    {
      batches: listOf(count),
      from: count,
      heads: listOf(hash),
      kind: oneOf("heads"),
      ticks: mapOf(listOf(count)),
      to: count,
      v: one,
    },
    { time: instant },
  ),
  /** A configuration that binds from `effectiveAt` on; `hash` is the SHA-256 of its canonical JSON. */
  config: record({ effectiveAt: instant, hash, kind: oneOf("config"), v: one, version: count }),
  /** What operators decide beside trading, by name: regions, terms of withdrawals. `hash` is the SHA-256 of its canonical JSON. */
  policy: record({
    effectiveAt: instant,
    hash,
    kind: oneOf("policy"),
    name: oneOf("regions", "withdrawals"),
    v: one,
    version: count,
  }),
  /** A version of an account that members send money to; `hash` is the SHA-256 of what it shows, as canonical JSON. */
  card: record({ at: instant, card: wholeText, hash, kind: oneOf("card"), v: one, version: count }),
  /** That operators agreed to something: `hash` is over a nonce that the house keeps, and over what they agreed to. */
  approval: record({ at: instant, hash, kind: oneOf("approval"), subject: text, v: one }),
  /**
   * What the house serves from `at` on: `app` is the SHA-256 of the list of its app's files (`releaseList`), so many `files`, and
   * `verifier` that of the tarball it hands out, null for none.
   */
  release: record({ app: hash, at: instant, files: count, kind: oneOf("release"), v: one, verifier: nullOr(hash) }),
  /**
   * That a part of the house stood still `from` … `to`, written `at`: `prices` (no epoch was open, so there were none), `settlement`, `log`,
   * `house` (nobody wrote the log: it was down), `source` (an outside source of `symbol`). `orders`: how many were settled late by it.
   */
  incident: record(
    {
      at: instant,
      from: instant,
      kind: oneOf("incident"),
      part: oneOf("house", "log", "prices", "settlement", "source"),
      reason: plainText,
      to: instant,
      v: one,
    },
    { orders: count, symbol },
  ),
  /** What was owed to all members of a wallet when it was read at `at`, once a UTC day, and the root of the Merkle sum tree of it. */
  liabilities: record({
    at: instant,
    day: count,
    kind: oneOf("liabilities"),
    members: count,
    root: hash,
    sum: wholeText,
    v: one,
    wallet: oneOf("practice", "real"),
  }),
  /** From the next checkpoint on, `key` (a verifier key) signs beside the older ones; `until` is when those stop. */
  "key.rotate": record({
    key: text,
    kind: oneOf("key.rotate"),
    role: oneOf("log", "acceptance"),
    until: instant,
    v: one,
  }),
} as const;

export type LogEntryKind = keyof typeof SHAPES;
export type LogEntryOf<Kind extends LogEntryKind> = Read<(typeof SHAPES)[Kind]>;
export type LogEntry = { [Kind in LogEntryKind]: LogEntryOf<Kind> }[LogEntryKind];

export type ParsedEntry =
  | { readonly ok: true; readonly entry: LogEntry }
  | { readonly ok: false; readonly fault: string };

/** `fault` says in English what is wrong with the bytes. */
export function parseLogEntry(bytes: Uint8Array): ParsedEntry {
  try {
    const value = parseCanonical(bytes);
    const kind = typeof value === "object" && value !== null && "kind" in value ? value.kind : null;
    if (typeof kind !== "string" || !isKind(kind)) throw new ShapeError("entry.kind is unknown");
    const entry: LogEntry = SHAPES[kind](value, "entry");
    checkFigures(entry);
    return { ok: true, entry };
  } catch (error) {
    if (error instanceof ShapeError) return { ok: false, fault: error.message };
    throw error;
  }
}

function isKind(kind: string): kind is LogEntryKind {
  return Object.hasOwn(SHAPES, kind);
}
