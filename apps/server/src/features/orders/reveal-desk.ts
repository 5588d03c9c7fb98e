import type { Choice, Instant, MemberId, OrderId } from "@fairtick/domain";
import { BOARD_GRACE_MS } from "@fairtick/transparency";
import { byteaArray, int8Array } from "../../platform/binary-array.ts";
import type { Bus } from "../../platform/bus.ts";
import { gather } from "../../platform/gather.ts";
import { keepLane, type KeptLane } from "../../platform/kept-lane.ts";
import { arrayText, BEGIN, COMMIT, type Statement } from "../../platform/lane.ts";
import type { OrderRow } from "./order-view.ts";
import { type OrderReading, readOrderRows } from "./read-orders.ts";

/** The most reveals that one transaction stores. */
const REVEALS_MAX = 500;

/** Reads sealed orders and stores their reveals. Reveals that come at the same time share one transaction. */
export interface RevealDesk {
  /** Reads a member's order; undefined if they have no such order. */
  read(memberId: MemberId, orderId: OrderId): Promise<OrderRow | undefined>;
  /**
   * Stores a reveal that opens its order's seal, unless the order already has one. Notifies settlement and the member's
   * sockets.
   */
  store(reveal: OpenedOrder): Promise<StoredAt>;
  /** Closes the desk. It can't be used afterwards. */
  close(): Promise<void>;
}

/** What opens a sealed order. */
export interface OpenedOrder extends Choice {
  readonly orderId: OrderId;
  readonly memberId: MemberId;
  readonly nonce: Uint8Array;
  /** When a witness's board got it, ms. Left out if it came to the house. */
  readonly postedAt?: Instant;
}

/** When an order was revealed; "over" if it was voided before, "late" if it counts as lost. */
export type StoredAt = Instant | "over" | "late";

export function openRevealDesk(parts: OrderReading & { readonly bus: Bus }): RevealDesk {
  const lane = keepLane(parts.databases.orders);
  const read = gather(REVEALS_MAX, (keys: readonly OrderKey[]) => readAll(parts, keys));
  const store = gather(REVEALS_MAX, (reveals: readonly OpenedOrder[]) => storeAll(lane, parts.bus, reveals));
  return { read: (memberId, orderId) => read({ memberId, orderId }), store, close: () => lane.close() };
}

type OrderKey = Pick<OpenedOrder, "memberId" | "orderId">;

async function readAll({ databases, configs }: OrderReading, keys: readonly OrderKey[]) {
  const members = keys.map(({ memberId }) => memberId);
  const rows = await readOrderRows(
    databases,
    members,
    keys.map(({ orderId }) => orderId),
  );
  if (rows.length > 0) await configs.know(Math.max(...rows.map((row) => row.config_version)));
  const found = new Map(rows.map((row) => [`${row.member_id}/${row.order_id}`, row]));
  return keys.map(({ memberId, orderId }) => found.get(`${memberId}/${orderId}`));
}

/**
 * Stores reveals in one transaction. Settlement also locks the row of an order that waits for its reveal, so one of the
 * two always comes first and the other reads what it wrote. Orders are locked and written by number, so that two
 * processes never wait for each other.
 */
async function storeAll(lane: KeptLane, bus: Bus, reveals: readonly OpenedOrder[]): Promise<StoredAt[]> {
  const each = earliestByOrder(reveals);
  const opened = [...each.values()].toSorted((one, other) => (one.orderId < other.orderId ? -1 : 1));
  const orderIds = int8Array(opened.map(({ orderId }) => orderId));
  const [, waiting = [], written = []] = await lane.flush([
    [BEGIN],
    [LOCK_AWAITING, [orderIds]],
    [
      WRITE_REVEALS,
      [
        orderIds,
        int8Array(opened.map(({ memberId }) => memberId)),
        byteaArray(opened.map(({ nonce }) => Buffer.from(nonce))),
        arrayText(opened.map(({ direction }) => direction)),
        int8Array(opened.map(({ limitPrice }) => limitPrice)),
        int8Array(opened.map(({ postedAt }) => postedAt ?? null)),
        BOARD_GRACE_MS,
      ],
    ],
    [COMMIT],
  ]);
  const stored = new Map(written.map(([orderId, at]) => [orderId as OrderId, at as StoredAt]));
  if (stored.size < opened.length) await readOthers(lane, opened, stored);
  const revealed = opened.filter(({ orderId }) => typeof stored.get(orderId) === "bigint");
  tell(bus, revealed, new Set(waiting.map(([orderId]) => orderId as OrderId)));
  return reveals.map(({ orderId }) => stored.get(orderId) ?? "late");
}

/** Returns one reveal for each order: the one that a board got first, since it may be in time when the others are late. */
function earliestByOrder(reveals: readonly OpenedOrder[]): Map<OrderId, OpenedOrder> {
  const each = new Map<OrderId, OpenedOrder>();
  for (const reveal of reveals) {
    const { postedAt } = each.get(reveal.orderId) ?? {};
    const isEarlier = postedAt === undefined || (reveal.postedAt !== undefined && reveal.postedAt < postedAt);
    if (isEarlier) each.set(reveal.orderId, reveal);
  }
  return each;
}

/** Reads the state of the orders that this transaction didn't open. Their state is final. */
async function readOthers(
  lane: KeptLane,
  opened: readonly OpenedOrder[],
  stored: Map<OrderId, StoredAt>,
): Promise<void> {
  const others = opened.flatMap(({ orderId }) => (stored.has(orderId) ? [] : [orderId]));
  const [rows = []] = await lane.flush([[READ_REVEALS, [int8Array(others)]]]);
  for (const [orderId, at, outcome] of rows) {
    if (at !== null) stored.set(orderId as OrderId, at as Instant);
    else if (outcome === "voided") stored.set(orderId as OrderId, "over");
  }
}

/**
 * Announces reveals. Wakes settlement only for orders that already wait or that a limit price may void. Others are
 * settled with their group.
 */
function tell(bus: Bus, revealed: readonly OpenedOrder[], waiting: ReadonlySet<OrderId>): void {
  const about = (orders: readonly OpenedOrder[]) => ({
    members: orders.map(({ memberId }) => memberId),
    orderIds: orders.map(({ orderId }) => orderId),
  });
  const woken = revealed.filter(({ orderId, limitPrice }) => limitPrice !== null || waiting.has(orderId));
  if (woken.length > 0) bus.publish("reveals", about(woken));
  if (revealed.length > 0) bus.publish("orders", about(revealed));
}

const LOCK_AWAITING: Statement = {
  name: "orders_lock_awaiting",
  text: "SELECT order_id FROM awaiting_reveals WHERE order_id = ANY($1::bigint[]) ORDER BY order_id FOR SHARE",
};

/**
 * Writes the reveals of orders $1 of members $2 with their nonces, directions and limit prices. $6 is when a board got each
 * of them, null if it came to the house. Leaves out orders that have ended, are already revealed, or can't be revealed any
 * more. What a board got in time counts however late the house reads it. It is dated to when verifiers expect the house to
 * know it, $7 ms after the board got it, and never to after the deadline that it kept.
 */
const WRITE_REVEALS: Statement = {
  name: "orders_write_reveals",
  text: `WITH present AS MATERIALIZED (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS time),
    opened AS MATERIALIZED (
      SELECT told.*, present.time, least(present.time, told.posted_at) AS made_at,
        (SELECT a.reveal_by FROM awaiting_reveals a WHERE a.order_id = told.order_id) AS reveal_by
      FROM present, unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::direction[], $5::bigint[], $6::bigint[])
        AS told(order_id, member_id, nonce, direction, limit_price, posted_at))
    INSERT INTO reveals (order_id, member_id, revealed_at, nonce, direction, limit_price)
    SELECT opened.order_id, opened.member_id, least(opened.time, opened.posted_at + $7::bigint, opened.reveal_by - 1),
      opened.nonce, opened.direction, opened.limit_price
    FROM opened
    WHERE (opened.reveal_by IS NULL OR opened.made_at < opened.reveal_by)
      AND NOT EXISTS (SELECT FROM settlements s WHERE s.order_id = opened.order_id)
    ON CONFLICT (order_id) DO NOTHING RETURNING order_id, revealed_at`,
};

const READ_REVEALS: Statement = {
  name: "orders_read_reveals",
  text: `SELECT each.order_id, r.revealed_at, s.outcome FROM unnest($1::bigint[]) AS each(order_id)
    LEFT JOIN reveals r USING (order_id) LEFT JOIN settlements s USING (order_id)`,
};
