import {
  equalBytes,
  toHex,
  verifyMerklePath,
  type Hashes,
  type Instant,
  type Points,
  type Tick,
} from "@fairtick/domain";
import { parsePriceLines } from "./acceptance.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { findRules, parseConfigTerms } from "./committed-order.ts";
import { decideOrder } from "./decide-order.ts";
import { parseLogEntry, type LogEntryKind, type LogEntryOf } from "./log-entry.ts";
import type { SettledOrder } from "./order-entry.ts";
import type { Receipt } from "./receipt.ts";
import { opensCommitment } from "./settled-opening.ts";
import { TILE_WIDTH } from "./tile-path.ts";
import { LogFileError, openTileTree, readEntries, type LogReader } from "./tile-tree.ts";
import { parseTlogProof } from "./tlog-proof.ts";

/**
 * The places of an order's entries in the public log. Anyone can verify from them how the order was decided. Like the
 * log, they name no member and no amount.
 */
export interface ProofPlaces {
  readonly batch: number;
  readonly place: number;
  /** Places of the `orders.accept` and `orders.settle` entries, and of the configuration's, counted from 0. */
  readonly accepted: number;
  readonly settled: number;
  readonly config: number;
  /** Places of the `ticks` entries of the deciding minutes, oldest first. */
  readonly minutes: readonly number[];
  /** The first 16 hexadecimal digits of the order's commitment, so that it can't be confused with another order. */
  readonly commitment: string;
}

export const PROOF_CHECKS = ["accepted", "opened", "prices", "decided", "settled"] as const;
export type ProofCheckId = (typeof PROOF_CHECKS)[number];

/**
 * Why a check failed or could not be made. `entry` is the place, counted from 0, of the log's entry that it is about.
 */
export type ProofReason =
  | {
      readonly code:
        | "noEntry"
        | "otherKind"
        | "otherOrder"
        | "notThere"
        | "otherProduct"
        | "pricesMissing"
        | "otherPrices";
      readonly entry: number;
    }
  | {
      readonly code:
        | "otherTerms"
        | "settledFirst"
        | "pricesOrder"
        | "otherRules"
        | "noProduct"
        | "noNextPrice"
        | "pricesLeftOut"
        | "otherResult";
    };

export interface ProofCheck {
  readonly id: ProofCheckId;
  /** `open`: the check could not be made because an earlier one failed or data is missing. */
  readonly state: "ok" | "failed" | "open";
  readonly why?: ProofReason;
}

/** What the log says about the order: its terms and how it ended, without member or amount. */
export interface ProvenOrder {
  readonly settled: SettledOrder;
  readonly settledAt: Instant;
  readonly entry: Tick | null;
  readonly exit: Tick | null;
}

export interface PublicProof {
  readonly checks: readonly ProofCheck[];
  /** Null if the log has no such order. */
  readonly order: ProvenOrder | null;
}

/** Returns a settled order's places from its receipt; null for version 1 or while an entry is in no checkpoint. */
export function proofPlacesOf(receipt: Receipt): ProofPlaces | null {
  if (receipt.v === 1) return null;
  const { batch, place, commitment } = receipt.acceptance;
  const minutes = receipt.minutes.map(({ logged }) => indexOf(logged));
  const accepted = indexOf(receipt.accepted);
  const settled = indexOf(receipt.settled);
  const config = indexOf(receipt.config.logged);
  const known = minutes.filter((index) => index !== null);
  if (accepted === null || settled === null || config === null || known.length < minutes.length) return null;
  return { batch, place, accepted, settled, config, minutes: known, commitment: toHex(commitment).slice(0, 16) };
}

function indexOf(logged: { readonly proof: string | null } | null): number | null {
  const proof = logged?.proof ?? null;
  return proof === null ? null : (parseTlogProof(proof)?.index ?? null);
}

/**
 * Verifies an order from the public log alone, in the tree of `checkpoint`, whose signatures the caller must have
 * checked. Anything that the log doesn't confirm is a failed check. Rejects only if a file of the log can't be read
 * (LogFileError, or the error that `reader` rejects with).
 */
export async function verifyPublicProof(
  hashes: Hashes,
  reader: LogReader,
  checkpoint: Checkpoint,
  places: ProofPlaces,
): Promise<PublicProof> {
  const log = openLog(hashes, reader, checkpoint);
  const accepted = await findAccepted(log, places);
  const found = await findSettled(log, places);
  const settled = "entry" in found ? found.entry.orders.find((each) => isOf(each, places)) : undefined;
  if (!("commitment" in accepted) || !("entry" in found) || settled === undefined) {
    const why = "why" in found ? found.why : ({ code: "notThere", entry: found.index } as const);
    return notFound(accepted, settled === undefined ? failed("settled", why) : ok("settled"));
  }
  const opens = settled.acceptedAt === accepted.acceptedAt && opensCommitment(hashes, settled, accepted.commitment);
  const prices = await readPrices(log, reader, settled.symbol, places.minutes);
  const decided = "ticks" in prices ? await decide(log, reader, settled, places.config, prices.ticks) : null;
  const [entry, exit] = [settled.entrySeq, settled.exitSeq].map((seq) => tickOf(prices, seq));
  return {
    checks: [
      ok("accepted"),
      opens ? ok("opened") : failed("opened", { code: "otherTerms" }),
      "ticks" in prices ? ok("prices") : failed("prices", prices.why),
      decided === null ? { id: "decided", state: "open" } : decided,
      accepted.index < found.index ? ok("settled") : failed("settled", { code: "settledFirst" }),
    ],
    order: { settled, settledAt: found.entry.settledAt, entry: entry ?? null, exit: exit ?? null },
  };
}

interface Why {
  readonly why: ProofReason;
}

/** Makes the result for an order whose acceptance or settlement wasn't found, so that nothing else can be checked. */
function notFound(accepted: Accepted | Why, settled: ProofCheck): PublicProof {
  return {
    checks: [
      "commitment" in accepted ? ok("accepted") : failed("accepted", accepted.why),
      { id: "opened", state: "open" },
      { id: "prices", state: "open" },
      { id: "decided", state: "open" },
      settled,
    ],
    order: null,
  };
}

interface Log {
  /** Reads an entry and verifies that it is in the tree; returns why if it doesn't exist or has another kind. */
  find<Kind extends LogEntryKind>(index: number, kind: Kind): Promise<Why | { readonly entry: LogEntryOf<Kind> }>;
  hash(bytes: Uint8Array): Uint8Array;
}

function openLog(hashes: Hashes, reader: LogReader, { size, root }: Checkpoint): Log {
  const tree = openTileTree(hashes, reader, size);
  return {
    hash: (bytes) => hashes.sha256(bytes),
    async find(index, kind) {
      if (!Number.isSafeInteger(index) || index < 0 || index >= size) {
        return { why: { code: "noEntry", entry: index } };
      }
      const entries = await readEntries(reader, size, Math.floor(index / TILE_WIDTH));
      const bytes = entries[index % TILE_WIDTH] ?? new Uint8Array();
      const path = await tree.inclusionProof(index);
      if (!verifyMerklePath(hashes, { entry: bytes, index, size, path, root })) {
        throw new LogFileError(`entry ${index}`, "is not in the checkpoint's tree");
      }
      const parsed = parseLogEntry(bytes);
      if (!parsed.ok || parsed.entry.kind !== kind) {
        return { why: { code: "otherKind", entry: index } };
      }
      return { entry: parsed.entry as LogEntryOf<typeof kind> };
    },
  };
}

interface Accepted {
  readonly index: number;
  readonly acceptedAt: Instant;
  readonly commitment: Uint8Array;
}

async function findAccepted(log: Log, { accepted, batch, place, commitment }: ProofPlaces): Promise<Accepted | Why> {
  const found = await log.find(accepted, "orders.accept");
  if ("why" in found) return found;
  const { entry } = found;
  const held = entry.commitments.subarray(place * 32, place * 32 + 32);
  if (entry.batch !== batch || held.length !== 32) return { why: { code: "notThere", entry: accepted } };
  if (!toHex(held).startsWith(commitment) || commitment.length < 16) {
    return { why: { code: "otherOrder", entry: accepted } };
  }
  return { index: accepted, acceptedAt: entry.acceptedAt, commitment: held };
}

async function findSettled(log: Log, { settled }: ProofPlaces) {
  const found = await log.find(settled, "orders.settle");
  return "why" in found ? found : { ...found, index: settled };
}

function isOf({ batch, place }: SettledOrder, wanted: ProofPlaces): boolean {
  return batch === wanted.batch && place === wanted.place;
}

type Prices = Why | { readonly ticks: readonly Tick[] };

/** Reads the ticks of the minutes that the log serves, and checks them against the hashes in its entries. */
async function readPrices(log: Log, reader: LogReader, symbol: string, minutes: readonly number[]): Promise<Prices> {
  const ticks: Tick[] = [];
  for (const index of minutes) {
    const found = await log.find(index, "ticks");
    if ("why" in found) return found;
    const { entry } = found;
    if (entry.symbol !== symbol) return { why: { code: "otherProduct", entry: index } };
    const bytes = await reader.read(`prices/${symbol}/${entry.time}`);
    if (bytes === null) return { why: { code: "pricesMissing", entry: index } };
    const lines = parsePriceLines(new TextDecoder().decode(bytes));
    if (lines === null || !equalBytes(log.hash(bytes), entry.hash)) {
      return { why: { code: "otherPrices", entry: index } };
    }
    const last = ticks.at(-1);
    if (last !== undefined && last.seq >= (lines[0]?.seq ?? 0n)) {
      return { why: { code: "pricesOrder" } };
    }
    ticks.push(...lines);
  }
  return { ticks };
}

/** Decides the order again from those ticks and the configuration in the log. */
async function decide(
  log: Log,
  reader: LogReader,
  settled: SettledOrder,
  config: number,
  ticks: readonly Tick[],
): Promise<ProofCheck> {
  const found = await log.find(config, "config");
  if ("why" in found) return failed("decided", found.why);
  const body = await reader.read(`config/${found.entry.version}`);
  if (body === null || !equalBytes(log.hash(body), found.entry.hash)) {
    return failed("decided", { code: "otherRules" });
  }
  const terms = parseConfigTerms(new TextDecoder().decode(body));
  const rules = terms === null ? null : findRules(terms, settled.symbol);
  if (rules === null) return failed("decided", { code: "noProduct" });
  const decision = decideOrder(
    {
      acceptedAt: settled.acceptedAt,
      durationSeconds: settled.duration,
      direction: settled.direction,
      limitPrice: settled.limitPrice as Points | null,
    },
    rules.staleExitMs,
    ticks,
  );
  if (decision.state === "waiting") return { id: "decided", state: "open", why: { code: "noNextPrice" } };
  if (decision.state === "gap") return failed("decided", { code: "pricesLeftOut" });
  const { entry, exit, outcome, voidReason } = decision.decided;
  const numberOf = (tick: Tick | null) => (tick === null ? null : Number(tick.seq));
  const isSame =
    outcome === settled.outcome &&
    voidReason === settled.voidReason &&
    numberOf(entry) === settled.entrySeq &&
    numberOf(exit) === settled.exitSeq;
  return isSame ? ok("decided") : failed("decided", { code: "otherResult" });
}

function tickOf(prices: Prices, seq: number | null): Tick | undefined {
  return "ticks" in prices && seq !== null ? prices.ticks.find((tick) => Number(tick.seq) === seq) : undefined;
}

function ok(id: ProofCheckId): ProofCheck {
  return { id, state: "ok" };
}

function failed(id: ProofCheckId, why: ProofReason): ProofCheck {
  return { id, state: "failed", why };
}
