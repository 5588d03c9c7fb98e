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
 * An order's receipt has everything that its owner needs, apart from pinned keys, to check how the order was decided.
 * It is JSON. Anything that was hashed or signed is in it verbatim as text (`order`, `entry`, `lines`, `body`), so that
 * nothing depends on how JSON is formatted. docs/verification.md describes it field by field.
 */

/** An entry of the log with the proof that it is in there; `proof` is null while it is in no published checkpoint. */
const logged = record({ entry: text, proof: nullOr(text) });
export type LoggedEntry = Read<typeof logged>;

const tick: Shape<Tick> = (value, at) => {
  const read = record({ price: whole, seq: whole, time: instant })(value, at);
  return { ...read, price: read.price as Points };
};

/** The values that a slot's head H_k is made of, and its signature. */
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
  /** Number of commitments in the batch, refusals included. */
  count,
  /** The acceptance key's id. */
  key: keyId,
  path: listOf(hash, 63),
  place: count,
  root: hash,
  signature: base64,
};

/** Fields of version 1, from before sealed orders. `order` is the JSON that was committed to. */
const former = { v: oneOf(1), order: text, nonce, acceptance: record(acceptance) };

const present = {
  v: oneOf(2),
  /** The two texts that were committed to, each under its nonce. */
  terms: record({ json: text, nonce }),
  own: record({ json: text, nonce }),
  /** `accepted`: number of orders among the batch's commitments. */
  acceptance: record({ ...acceptance, accepted: count }),
  /** Null for an order that was placed with its direction. */
  seal: nullOr(
    record({
      /** The device that signed: its public key (SPKI, base 64), its `device.add` entry, and the nonce in its hash. */
      device: record({ key: base64, logged, nonce }),
      /** Null if not revealed. `nonce` opens the seal. */
      opened: nullOr(
        record({ direction: oneOf("up", "down"), limitPrice: nullOr(whole), nonce: hash, revealedAt: instant }),
      ),
    }),
  ),
};

const common = {
  /**
   * The configuration that the order names. `body`: its canonical JSON; `logged`: null if the log has no entry for it.
   */
  config: record({ body: text, logged: nullOr(logged) }),
  /** The `orders.accept` entry of its batch. */
  accepted: logged,
  /** Null while the order is not settled. */
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
  /** Its `orders.settle` entry; null while it is not written. */
  settled: nullOr(logged),
  /**
   * `bound`: the slot whose head has the batch's root, null while there is none; `entry` and `exit`: the slots of the two
   * ticks, null if there is no such tick. `logged`: the `heads` entries that have these heads. `seen`, of a sealed order
   * only: the slot that its device had seen.
   */
  slots: record(
    { bound: nullOr(slot), entry: nullOr(slot), exit: nullOr(slot), logged: listOf(logged) },
    { seen: slot },
  ),
  /**
   * The minutes around entry and exit, oldest first: from the tick before the entry up to the one after the expiry.
   * `lines` are the minute's `seq,time,price`; `logged` is null until the minute is over.
   */
  minutes: listOf(record({ lines: text, logged: nullOr(logged) }), 200),
  /** The simulated market's epochs that the two ticks are from; empty for prices of an outside source. */
  epochs: listOf(record({ commit: logged, open: logged, params: logged, reveal: nullOr(logged) }), 20),
  /** `SM1` if at least one of the two ticks is simulated. */
  source: oneOf("SM1", "outside"),
} as const;

const optional = {
  /** The `source` entries in force for entry and exit, if the log names the instrument's source. */
  sources: listOf(logged, 2),
  /**
   * Quotes of entry and exit, if a signed quote counted in their minutes: their quote lines with the path to the root
   * in the minute's `ticks` entry, the signed quote (null if the line names none), and the `params.pyth` entry then in
   * force.
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

/** Parses a receipt from the result of JSON.parse. Rejects unknown fields; `fault` names the field, in English. */
export function parseReceipt(value: unknown): ParsedReceipt {
  try {
    const isFormer = typeof value === "object" && value !== null && "v" in value && value.v === 1;
    return { ok: true, receipt: (isFormer ? formerReceipt : presentReceipt)(value, "receipt") };
  } catch (error) {
    if (error instanceof ShapeError) return { ok: false, fault: error.message };
    throw error;
  }
}

/** Parses the agreed order from the receipt's texts; null if they are malformed. */
export function orderOf(receipt: Receipt): CommittedOrder | null {
  if (receipt.v === 1) return parseFormerOrder(receipt.order);
  const opened = receipt.seal?.opened ?? null;
  const choice = opened && { direction: opened.direction, limitPrice: opened.limitPrice as Points | null };
  return parseCommittedOrder(receipt.terms.json, receipt.own.json, choice);
}
