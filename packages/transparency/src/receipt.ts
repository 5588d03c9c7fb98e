import type { Points, Tick } from "@fairtick/domain";
import { parseCommittedOrder, parseFormerOrder, type CommittedOrder } from "./committed-order.ts";
import {
  base64,
  count,
  hash,
  nonce,
  instant,
  keyId,
  listOf,
  nullOr,
  oneOf,
  record,
  ShapeError,
  text,
  whole,
  type Read,
  type Shape,
} from "./shape.ts";

/**
 * An order's receipt: everything that its owner needs, apart from pinned keys, to check how the order was decided. It is
 * JSON. What was hashed or signed is in it word for word as a text (`order`, `entry`, `lines`, `body`), so that nothing
 * depends on how JSON is written again. docs/verification.md describes it field by field.
 */

/** An entry of the log with the proof that it is in there; a null proof: not in a published checkpoint yet. */
const logged = record({ entry: text, proof: nullOr(text) });
export type LoggedEntry = Read<typeof logged>;

const tick: Shape<Tick> = (value, at) => {
  const read = record({ price: whole, seq: whole, time: instant })(value, at);
  return { ...read, price: read.price as Points };
};

/** Everything that H_k is made of, and its signature. */
const slot = record({
  hash,
  k: count,
  key: keyId,
  lines: text,
  previous: hash,
  roots: listOf(hash),
  signature: base64,
});
export type ReceiptSlot = Read<typeof slot>;

const signedQuote = record({ branch: base64, message: base64, vaa: base64 });

const acceptance = {
  acceptedAt: instant,
  batch: count,
  commitment: hash,
  /** How many commitments the batch has. */
  count,
  /** The acceptance key's id. */
  key: keyId,
  path: listOf(hash, 63),
  place: count,
  root: hash,
  signature: base64,
};

/** An order from before sealed orders: its JSON as it was committed to. */
const former = { v: oneOf(1), order: text, nonce, acceptance: record(acceptance) };

const present = {
  v: oneOf(2),
  /** The two texts that were committed to, each under its nonce. */
  terms: record({ json: text, nonce }),
  own: record({ json: text, nonce }),
  /** `accepted`: how many of the batch's commitments are orders. */
  acceptance: record({ ...acceptance, accepted: count }),
  /** Null for an order whose direction was told when it was placed. */
  seal: nullOr(
    record({
      /** Whose signature the order bears: its public key (SPKI, base 64), and what its `device.add` was made with. */
      device: record({ key: base64, logged, nonce }),
      /** Null: not revealed. `nonce` opens the seal. */
      opened: nullOr(
        record({ direction: oneOf("up", "down"), limitPrice: nullOr(whole), nonce: hash, revealedAt: instant }),
      ),
    }),
  ),
};

const common = {
  /** `body`: canonical JSON of the configuration that the order names. `logged` null: the log has no entry of it. */
  config: record({ body: text, logged: nullOr(logged) }),
  /** Its batch's `orders.accept`. */
  accepted: logged,
  /** Null: not settled yet. */
  result: nullOr(
    record({
      credit: whole,
      entry: nullOr(tick),
      exit: nullOr(tick),
      outcome: oneOf("won", "lost", "tied", "voided", "unrevealed"),
      profit: whole,
      voidReason: nullOr(oneOf("NO_ENTRY_TICK", "LIMIT_PASSED", "NO_TICK_BETWEEN", "STALE_EXIT")),
    }),
  ),
  /** Its `orders.settle`; null: not written yet. */
  settled: nullOr(logged),
  /**
   * `bound`: the slot whose head has the batch's root, null while there is none; `entry` and `exit`: the slots of the two
   * ticks, null where there is no such tick. `logged`: the `heads` entries that these heads are in.
   */
  slots: record({ bound: nullOr(slot), entry: nullOr(slot), exit: nullOr(slot), logged: listOf(logged) }),
  /**
   * The minutes around entry and exit, oldest first: from the tick before the entry on, and up to the one after the
   * expiry. `lines` are the minute's `seq,time,price`; `logged` is null as long as the minute is not finished.
   */
  minutes: listOf(record({ lines: text, logged: nullOr(logged) }), 200),
  /** The simulated market's epochs that the two ticks are from; empty for prices of an outside source. */
  epochs: listOf(record({ commit: logged, open: logged, params: logged, reveal: nullOr(logged) }), 20),
  /** `SM1` where one of the two ticks is. */
  source: oneOf("SM1", "outside"),
} as const;

const optional = {
  /** The `source` entries in force for entry and exit, where the log says what makes the instrument's prices. */
  sources: listOf(logged, 2),
  /**
   * Of entry and exit, where a signed quote had a say in their minutes: their quote lines with the way to the root in the
   * minute's `ticks` entry, the signed quote itself (null where the line names none), and who had to sign it then.
   */
  quotes: listOf(record({ line: text, params: nullOr(logged), path: listOf(hash, 63), quote: nullOr(signedQuote) }), 2),
};

const formerReceipt = record({ ...former, ...common }, optional);
const presentReceipt = record({ ...present, ...common }, optional);
export type FormerReceipt = Read<typeof formerReceipt>;
export type PresentReceipt = Read<typeof presentReceipt>;
export type Receipt = FormerReceipt | PresentReceipt;

export type ParsedReceipt =
  | { readonly ok: true; readonly receipt: Receipt }
  | { readonly ok: false; readonly fault: string };

/** Reads a receipt from what JSON.parse gave. Refuses unknown fields; `fault` names the field in English. */
export function parseReceipt(value: unknown): ParsedReceipt {
  try {
    const isFormer = typeof value === "object" && value !== null && "v" in value && value.v === 1;
    return { ok: true, receipt: (isFormer ? formerReceipt : presentReceipt)(value, "receipt") };
  } catch (error) {
    if (error instanceof ShapeError) return { ok: false, fault: error.message };
    throw error;
  }
}

/** Reads what was agreed from the receipt's texts; null where they are malformed. */
export function orderOf(receipt: Receipt): CommittedOrder | null {
  if (receipt.v === 1) return parseFormerOrder(receipt.order);
  const opened = receipt.seal?.opened ?? null;
  const choice = opened && { direction: opened.direction, limitPrice: opened.limitPrice as Points | null };
  return parseCommittedOrder(receipt.terms.json, receipt.own.json, choice);
}
