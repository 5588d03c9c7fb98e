import {
  type AgreedOrder,
  type Instant,
  NONCE_BYTES,
  ORDER_NONCES_BYTES,
  privateHash,
  privateJson,
  type Settlement,
  toHex,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { Revealed } from "./settlement-rows.ts";

/** One settled order as the public log shows it: in clear text, without its member. */
export interface LoggedSettlement {
  readonly order: AgreedOrder;
  readonly batchNo: bigint;
  readonly batchPlace: number;
  /**
   * ORDER_NONCES_BYTES long; orders from before sealed orders existed have NONCE_BYTES, and none of their parts is
   * opened.
   */
  readonly nonces: Uint8Array;
  readonly settlement: Pick<Settlement, "entry" | "exit" | "outcome" | "voidReason">;
  /** The reveal of a sealed order. */
  readonly reveal?: Revealed | null;
}

const ORDERS_MAX = 300;
/** A log entry holds 65,535 bytes at most; the JSON around the orders fits in what this limit leaves. */
const ORDER_BYTES_MAX = 65_000;

/**
 * Builds the log entries of a batch: JSON with sorted keys, integers and words, at most 300 orders per entry, all of
 * the same version.
 */
export function settleEntries(settledAt: Instant, settled: readonly LoggedSettlement[]): string[] {
  const isFormer = ({ nonces }: LoggedSettlement) => nonces.length < ORDER_NONCES_BYTES;
  const [former, present] = [settled.filter(isFormer), settled.filter((each) => !isFormer(each))];
  return [...entriesOf(settledAt, former.map(formerJson), 1), ...entriesOf(settledAt, present.map(openedJson), 2)];
}

function entriesOf(settledAt: Instant, texts: readonly string[], version: 1 | 2): string[] {
  const entries: string[] = [];
  let orders: string[] = [];
  let bytes = 0;
  const flush = () => {
    if (orders.length === 0) return;
    entries.push(`{"kind":"orders.settle","orders":[${orders.join(",")}],"settledAt":${settledAt},"v":${version}}`);
    orders = [];
    bytes = 0;
  };
  for (const text of texts) {
    if (orders.length === ORDERS_MAX || bytes + text.length + 1 > ORDER_BYTES_MAX) flush();
    orders.push(text);
    bytes += text.length + 1;
  }
  flush();
  return entries;
}

function formerJson(each: LoggedSettlement): string {
  const { order, batchPlace, settlement } = each;
  return (
    `{${beginning(each)},"limitPrice":${order.limitPrice},"outcome":"${settlement.outcome}","place":${batchPlace}` +
    `,"symbol":"${order.symbol}","voidReason":${quoted(settlement.voidReason)}}`
  );
}

/** Adds what opens the order's terms: their nonce, and the hash of the part that stays sealed. */
function openedJson(each: LoggedSettlement): string {
  const { order, batchPlace, settlement, nonces, reveal } = each;
  const own = privateHash(nodeHashes, nonces.subarray(NONCE_BYTES), privateJson(order));
  return (
    `{${beginning(each)},"limitPrice":${order.limitPrice},"nonce":"${toHex(nonces.subarray(0, NONCE_BYTES))}"` +
    `,"outcome":"${settlement.outcome}","own":"${toHex(own)}","place":${batchPlace},"revealedAt":${reveal?.at ?? null}` +
    `,"seal":${quoted(hexOf(order.sealed?.seal))},"sealNonce":${quoted(hexOf(reveal?.nonce))},"symbol":"${order.symbol}","voidReason":${quoted(settlement.voidReason)}}`
  );
}

function hexOf(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? null : toHex(bytes);
}

function beginning({ order, batchNo, settlement: { entry, exit } }: LoggedSettlement): string {
  return (
    `"acceptedAt":${order.acceptedAt},"batch":${batchNo},"direction":${quoted(order.direction)}` +
    `,"duration":${order.durationSeconds},"entrySeq":${entry?.seq ?? null},"exitSeq":${exit?.seq ?? null}`
  );
}

function quoted(word: string | null): string {
  return word === null ? "null" : `"${word}"`;
}
