import type { AgreedOrder, Instant, Settlement } from "@fairtick/domain";

/** One settled order as the public log shows it, in clear and without its member. */
export interface LoggedSettlement {
  readonly order: Pick<AgreedOrder, "acceptedAt" | "direction" | "durationSeconds" | "limitPrice" | "symbol">;
  readonly batchNo: bigint;
  readonly batchPlace: number;
  readonly settlement: Pick<Settlement, "entry" | "exit" | "outcome" | "voidReason">;
}

const ORDERS_MAX = 300;
/** An entry of the log holds 65,535 bytes at most; the frame around the orders takes less than this leaves. */
const ORDER_BYTES_MAX = 65_000;

/** Entries of a batch: JSON with sorted keys, integers and words; at most 300 orders in each. */
export function settleEntries(settledAt: Instant, settled: readonly LoggedSettlement[]): string[] {
  const entries: string[] = [];
  let orders: string[] = [];
  let bytes = 0;
  const flush = () => {
    if (orders.length === 0) return;
    entries.push(`{"kind":"orders.settle","orders":[${orders.join(",")}],"settledAt":${settledAt},"v":1}`);
    orders = [];
    bytes = 0;
  };
  for (const each of settled) {
    const text = settledJson(each);
    if (orders.length === ORDERS_MAX || bytes + text.length + 1 > ORDER_BYTES_MAX) flush();
    orders.push(text);
    bytes += text.length + 1;
  }
  flush();
  return entries;
}

function settledJson({ order, batchNo, batchPlace, settlement }: LoggedSettlement): string {
  const { voidReason, entry, exit } = settlement;
  return (
    `{"acceptedAt":${order.acceptedAt},"batch":${batchNo},"direction":"${order.direction}"` +
    `,"duration":${order.durationSeconds},"entrySeq":${entry?.seq ?? null},"exitSeq":${exit?.seq ?? null}` +
    `,"limitPrice":${order.limitPrice},"outcome":"${settlement.outcome}","place":${batchPlace}` +
    `,"symbol":"${order.symbol}","voidReason":${voidReason === null ? null : `"${voidReason}"`}}`
  );
}
