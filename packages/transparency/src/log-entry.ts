import type { Points, Sm1Params, Sm1State } from "@fairtick/domain";
import {
  address,
  base64,
  beaconKey,
  bySymbol,
  count,
  hash,
  instant,
  listOf,
  natural,
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
 * Entries of the public log are canonical JSON with `kind` and `v`. Hashes and seeds are lower-case hexadecimal, times
 * are milliseconds since 1970 UTC, prices points, money micro-USD. An entry with a field that is not named here is
 * invalid, so that the log can't contain anything that verifiers don't read.
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

/** The beacon of SM2: the chain whose rounds prices depend on, with drand's names for its parts. */
const beaconChain = record({ genesis: natural, key: beaconKey, period: natural, scheme: oneOf(BEACON_SCHEME) });

/** Rounds of an SM2 epoch: signatures of all its rounds, starting with `from`; 48 zero bytes for one that never came. */
const epochRounds = record({ from: natural, signatures: base64 });

/**
 * Terms for outside quotes of an instrument: their price feed, and their largest uncertainty (millionths of the price).
 */
const pythFeed = record({ confMax: count, digits: count, id: hash });

/** Source of an instrument's prices: `SM1`, or the sorted names, joined by `+`, of the sources whose median they are. */
const sourceName: Shape<string> = (value, at) => {
  if (typeof value !== "string" || !/^(?:SM1|[a-z]{1,20}(?:\+[a-z]{1,20}){0,8})$/.test(value)) {
    throw new ShapeError(`${at} is no source`);
  }
  return value;
};
export const SIMULATED = "SM1";

/** One line of printable ASCII, which is safe to print. */
const plainText: Shape<string> = (value, at) => {
  if (typeof value !== "string" || !/^[ -~]{1,200}$/.test(value)) throw new ShapeError(`${at} is no line of text`);
  return value;
};

const SHAPES = {
  /** The simulated market's parameters. `paramsHash` is the SHA-256 of this entry's bytes. */
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
   * Terms for Pyth quotes that count in ticks from `since` on. They are signed by `quorum` of the `guardians` (20-byte
   * addresses) of a `set`, for that chain and emitter. At a tick their publish time is at most `ageMax` old and
   * `aheadMax` ahead, and at most `backMax` before that of an earlier tick's quote.
   */
  "params.pyth": record(
    {
      ageMax: count,
      aheadMax: count,
      chain: count,
      emitter: hash,
      feeds: bySymbol(pythFeed),
      guardians: listOf(address, 255),
      kind: oneOf("params.pyth"),
      quorum: count,
      set: count,
      since: instant,
      v: one,
    },
    { backMax: count },
  ),
  /** This instrument's prices come from `source` from `since` on, until a later entry changes it. */
  source: record({ kind: oneOf("source"), since: instant, source: sourceName, symbol, v: one }),
  /** Commitment to an epoch. `witness`: key of the witness that makes its mix by signing the checkpoint that ends here. */
  "epoch.commit": record(
    { commit: hash, e: whole, kind: oneOf("epoch.commit"), params: hash, v: one },
    { witness: text },
  ),
  /**
   * Opening of an epoch. `checkpoint`: the signed note, ending with the commit, that `mix` was made from: from the
   * named witness's timeless signature, or from the root if there is none. If it is missing, there was no log yet, and
   * `mix` was made from the commit itself.
   */
  "epoch.open": record(
    { e: whole, kind: oneOf("epoch.open"), mix: hash, start: instant, v: one },
    { checkpoint: text },
  ),
  "epoch.reveal": record(
    { digest: bySymbol(hash), e: whole, from: bySymbol(sm1State), kind: oneOf("epoch.reveal"), seed: hash, v: one },
    { rounds: epochRounds },
  ),
  /**
   * One instrument's ticks in the minute from `time` on; `hash` is the SHA-256 of its lines `seq,time,price` joined by
   * newlines. `quotes`: the root over its quote lines (`tick-quotes.ts`), if a signed quote counted in it. `sources`:
   * the `source` entries in force for its ticks, oldest first; missing if all ticks are older than the first such
   * entry.
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
  /** A device starts or stops signing a member's orders; `hash` is over the facts that the member knows about it. */
  "device.add": record({ at: instant, hash, kind: oneOf("device.add"), v: one }),
  "device.remove": record({ at: instant, hash, kind: oneOf("device.remove"), v: one }),
  /**
   * Slot heads H_from to H_to and what each is made of: the newest batch that it binds, and for each symbol the number
   * of the first tick, followed by the number of ticks in each slot. `time`: the end of the newest tick's minute, when
   * all their prices are due. Older logs lack it.
   */
  heads: record(
    {
      batches: listOf(count),
      from: count,
      heads: listOf(hash),
      kind: oneOf("heads"),
      ticks: bySymbol(listOf(count)),
      to: count,
      v: one,
    },
    { time: instant },
  ),
  /** A configuration that is in force from `effectiveAt` on; `hash` is the SHA-256 of its canonical JSON. */
  config: record({ effectiveAt: instant, hash, kind: oneOf("config"), v: one, version: count }),
  /** A policy that operators set: regions, or terms of withdrawals. `hash` is the SHA-256 of its canonical JSON. */
  policy: record({
    effectiveAt: instant,
    hash,
    kind: oneOf("policy"),
    name: oneOf("regions", "withdrawals"),
    v: one,
    version: count,
  }),
  /** A version of a receiving card; `hash` is the SHA-256 of what it shows, as canonical JSON. */
  card: record({ at: instant, card: wholeText, hash, kind: oneOf("card"), v: one, version: count }),
  /** An approval by operators; `hash` is over a nonce that the house keeps and over what they approved. */
  approval: record({ at: instant, hash, kind: oneOf("approval"), subject: text, v: one }),
  /**
   * The release that the house serves from `at` on. `app`: SHA-256 of the list of the app's files (`releaseList`);
   * `files`: their number; `verifier`: SHA-256 of the verifier's tarball, null if none is served.
   */
  release: record({ app: hash, at: instant, files: count, kind: oneOf("release"), v: one, verifier: nullOr(hash) }),
  /**
   * An incident, written `at`: a part of the house stood still from `from` to `to`. Parts: `prices` (no epoch was open,
   * so there were none), `settlement`, `log`, `house` (it was down and wrote no log), `source` (an outside source of
   * `symbol`). `orders`: number of orders that were settled late because of it.
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
  /** Sum owed to all members in a wallet, read once a UTC day, and the root of the Merkle sum tree over all balances. */
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
  /**
   * A new key: from the next checkpoint on, `key` (a verifier key) signs beside the older ones, which stop at `until`.
   */
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

/** Parses a log entry. If the bytes are not a valid entry, `fault` says why, in English. */
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
