import {
  firstIdAt,
  formatId,
  formatMoney,
  type Instant,
  type MemberId,
  type MicroUsd,
  type OrderId,
  type Outcome,
  parseId,
  refuse,
  accept,
  type Verdict,
  type Wallet,
} from "@fairtick/domain";
import type { Order } from "@fairtick/protocol";
import { STILL_RUNS } from "../ledger/index.ts";
import { ORDER_COLUMNS, ORDER_JOINS, type OrderRow } from "./order-view.ts";
import { type OrderReading, viewsOf } from "./read-orders.ts";

export interface OrderFilters {
  readonly wallet: Wallet;
  readonly symbol?: string | undefined;
  readonly outcome?: Outcome | undefined;
  /** Earliest and latest acceptance time. */
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  /** An order number; the page continues with older orders. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface OrderPage {
  readonly items: Order[];
  readonly nextCursor: string | null;
}

export interface OrderTotals {
  readonly count: number;
  readonly staked: string;
  readonly fees: string;
  readonly profit: string;
}

const PAGE_ORDERS = 20;
const SETTLED = "s.order_id IS NOT NULL";
/**
 * How much a range of ids is widened, in ms. Ids have the process's time, and `acceptedAt` is the database's time a
 * moment later.
 */
const ID_MARGIN_MS = 60_000n;

/** Lists open orders, newest first. Refuses FIELD_INVALID for an invalid cursor. */
export async function listPositions(
  reading: OrderReading,
  memberId: MemberId,
  filters: OrderFilters,
): Promise<Verdict<OrderPage>> {
  return listPage(reading, memberId, filters, STILL_RUNS);
}

/** Lists settled orders, newest first, with totals over all pages. Refuses FIELD_INVALID for an invalid cursor. */
export async function listHistory(
  reading: OrderReading,
  memberId: MemberId,
  filters: OrderFilters,
): Promise<Verdict<OrderPage & { readonly totals: OrderTotals }>> {
  const [page, totals] = await Promise.all([
    listPage(reading, memberId, filters, SETTLED),
    readTotals(reading, memberId, filters),
  ]);
  return page.ok ? accept({ ...page.value, totals }) : page;
}

/** Streams the settled orders of a time span in chunks, newest first, for exports of any size. */
export async function* eachSettledOrder(
  reading: OrderReading,
  memberId: MemberId,
  filters: OrderFilters,
): AsyncGenerator<Order> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await listPage(reading, memberId, { ...filters, limit: 1_000, cursor: cursor ?? undefined }, SETTLED);
    if (!page.ok) throw new Error("the cursor of an export was refused");
    yield* page.value.items;
    cursor = page.value.nextCursor;
  }
}

async function listPage(
  { databases, configs }: OrderReading,
  memberId: MemberId,
  filters: OrderFilters,
  which: typeof STILL_RUNS | typeof SETTLED,
): Promise<Verdict<OrderPage>> {
  const limit = filters.limit ?? PAGE_ORDERS;
  const before = filters.cursor === undefined ? null : parseId("order", filters.cursor);
  if (filters.cursor !== undefined && before === null) {
    return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  }
  const rows = await databases.reader.query<OrderRow>(
    `SELECT ${ORDER_COLUMNS} FROM orders o ${ORDER_JOINS}
     WHERE ${FILTERS} AND ${which}
     ORDER BY o.order_id DESC LIMIT $9`,
    [...filterValues(memberId, filters, before), limit + 1],
  );
  const views = await viewsOf(rows.slice(0, limit), configs);
  const last = rows.length > limit ? views.at(-1) : undefined;
  return accept({
    items: views.map(({ order }) => order),
    nextCursor: last === undefined ? null : formatId("order", last.orderId),
  });
}

/** Reads totals without returned money: stakes count if the order ran, fees if they were kept. */
async function readTotals(
  { databases }: OrderReading,
  memberId: MemberId,
  filters: OrderFilters,
): Promise<OrderTotals> {
  const [row] = await databases.reader.query<{ count: bigint; staked: bigint; fees: bigint; profit: bigint }>(
    `SELECT count(*) AS count, coalesce(sum(s.profit), 0)::bigint AS profit,
       coalesce(sum(o.stake) FILTER (WHERE s.outcome <> 'voided'), 0)::bigint AS staked,
       coalesce(sum(o.fee) FILTER (WHERE s.outcome IN ('won', 'lost')), 0)::bigint AS fees
     FROM orders o JOIN settlements s ON s.member_id = o.member_id AND s.order_id = o.order_id WHERE ${FILTERS}`,
    filterValues(memberId, filters, null),
  );
  return {
    count: Number(row?.count ?? 0n),
    staked: formatMoney((row?.staked ?? 0n) as MicroUsd),
    fees: formatMoney((row?.fees ?? 0n) as MicroUsd),
    profit: formatMoney((row?.profit ?? 0n) as MicroUsd),
  };
}

/**
 * Filters with the parameters $1 member, $2 wallet, $3 symbol, $4 outcome, $5 and $6 acceptance time, $7 and $8 range
 * of ids.
 */
const FILTERS = `o.member_id = $1 AND o.wallet = $2 AND ($3::text IS NULL OR o.symbol = $3) AND ($4::outcome IS NULL OR s.outcome = $4)
  AND ($5::bigint IS NULL OR o.accepted_at >= $5) AND ($6::bigint IS NULL OR o.accepted_at <= $6)
  AND o.order_id >= $7 AND o.order_id < $8`;
const ID_END = (1n << 63n) - 1n;

function filterValues(memberId: MemberId, filters: OrderFilters, before: OrderId | null): unknown[] {
  const { from, to } = filters;
  const first = from === undefined ? 0n : firstIdAt((from - ID_MARGIN_MS) as Instant);
  const end = to === undefined || to > MAX_TO ? ID_END : firstIdAt((to + ID_MARGIN_MS) as Instant);
  return [
    memberId,
    filters.wallet,
    filters.symbol ?? null,
    filters.outcome ?? null,
    from ?? null,
    to ?? null,
    first,
    before !== null && before < end ? before : end,
  ];
}

/** The latest time to search up to. Ids run out in 2089, so no order is later. */
const MAX_TO = 3_700_000_000_000n;
