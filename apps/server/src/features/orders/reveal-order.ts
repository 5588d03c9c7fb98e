import {
  accept,
  type Direction,
  formatId,
  type Instant,
  type MemberId,
  opensSeal,
  type OrderId,
  parseId,
  parsePrice,
  type Points,
  refuse,
  toHex,
  type Verdict,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { RevealedOrder } from "@fairtick/protocol";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";
import type { Queryable } from "../../platform/database.ts";
import type { Placing } from "./place-order.ts";
import { readOrder } from "./read-orders.ts";

/** Opens a sealed order. */
export interface RevealInput {
  readonly orderNo: string;
  /** 32 bytes. */
  readonly nonce: Uint8Array;
  readonly direction: Direction;
  /** In the instrument's places. */
  readonly limitPrice?: string | undefined;
}

/** A stored reveal. Sending the same reveal again gives the same answer. */
interface Revealed {
  readonly at: Instant;
  readonly nonce: Uint8Array;
  readonly direction: Direction;
  readonly limitPrice: Points | null;
}

/**
 * Opens a sealed order and returns a signed acknowledgement. Repeating it gives the same answer. Refuses NOT_FOUND, REVEAL_WRONG
 * if the seal does not open, and REVEAL_LATE if the order already counts as lost because nobody opened it within a week.
 */
export async function revealOrder(
  placing: Placing,
  memberId: MemberId,
  input: RevealInput,
): Promise<Verdict<RevealedOrder>> {
  const orderId = parseId("order", input.orderNo);
  const sealed = orderId === null ? undefined : await readSealed(placing.databases.orders, memberId, orderId);
  if (orderId === null || sealed === undefined) return refuse("NOT_FOUND");
  const limitPrice = await limitOf(placing, sealed, input.limitPrice);
  if (sealed.seal === null || limitPrice === undefined) return refuse("REVEAL_WRONG");
  const { direction, nonce } = input;
  if (!opensSeal(nodeHashes, sealed.seal, nonce, { direction, limitPrice })) return refuse("REVEAL_WRONG");
  const { at, wasDue } = await placing.databases.orders.transaction((db) =>
    writeReveal(db, memberId, orderId, nonce, { direction, limitPrice }),
  );
  if (at === "late") return refuse("REVEAL_LATE");
  if (at !== "over") {
    const about = { members: [memberId], orderIds: [orderId] };
    if (wasDue || limitPrice !== null) placing.bus.publish("reveals", about);
    placing.bus.publish("orders", about);
  }
  const order = await readOrder(placing, memberId, orderId);
  if (order === undefined) throw new Error(`order ${orderId} was revealed and is not there`);
  const reveal = at === "over" ? null : revealView(placing.signer, orderId, { at, nonce, direction, limitPrice });
  return accept({ ...order, reveal });
}

function revealView(signer: AcceptanceSigner | undefined, orderId: OrderId, revealed: Revealed) {
  const signature = signer?.signReveal({
    ...revealed,
    nonce: toHex(revealed.nonce),
    orderNo: formatId("order", orderId),
  });
  return {
    at: Number(revealed.at),
    signature: signature?.toString("base64") ?? null,
    key: signer?.keyId ?? null,
  };
}

interface SealedOrder {
  readonly seal: Uint8Array | null;
  readonly symbol: string;
  readonly config_version: number;
}

async function readSealed(database: Queryable, memberId: MemberId, orderId: OrderId): Promise<SealedOrder | undefined> {
  const [row] = await database.query<SealedOrder>(
    "SELECT seal, symbol, config_version FROM orders WHERE member_id = $1 AND order_id = $2",
    [memberId, orderId],
    "orders_read_sealed",
  );
  return row;
}

/** Parses the limit price: null if there is none, undefined if it is not a price of the order's instrument. */
async function limitOf({ configs }: Placing, order: SealedOrder, limitPrice: string | undefined) {
  if (limitPrice === undefined) return null;
  await configs.know(order.config_version);
  return parsePrice(limitPrice, configs.termsOf(order.config_version, order.symbol).decimals) ?? undefined;
}

interface Written {
  /** Time of the reveal; "over" if the order was voided before, "late" if it counts as lost. */
  readonly at: Instant | "over" | "late";
  readonly wasDue: boolean;
}

/**
 * Writes the reveal unless there is one. Settlement locks the row of an order that waits for its reveal, so one of the two
 * always comes first.
 */
async function writeReveal(
  db: Queryable,
  memberId: MemberId,
  orderId: OrderId,
  nonce: Uint8Array,
  { direction, limitPrice }: Pick<Revealed, "direction" | "limitPrice">,
): Promise<Written> {
  const [waiting] = await db.query<{ is_late: boolean }>(
    `SELECT reveal_by <= floor(extract(epoch FROM clock_timestamp()) * 1000) AS is_late
     FROM awaiting_reveals WHERE order_id = $1 FOR SHARE`,
    [orderId],
    "orders_lock_awaiting",
  );
  const wasDue = waiting !== undefined;
  if (waiting?.is_late === true) return { at: "late", wasDue };
  const [known] = await db.query<{ revealed_at: Instant | null; outcome: string | null }>(
    `SELECT r.revealed_at, s.outcome FROM (SELECT $1::bigint AS order_id) o
     LEFT JOIN reveals r USING (order_id) LEFT JOIN settlements s USING (order_id)`,
    [orderId],
    "orders_read_reveal",
  );
  if (known !== undefined && known.revealed_at !== null) return { at: known.revealed_at, wasDue };
  if (known !== undefined && known.outcome !== null)
    return { at: known.outcome === "voided" ? "over" : "late", wasDue };
  const [written] = await db.query<{ revealed_at: Instant }>(
    `INSERT INTO reveals (order_id, member_id, revealed_at, nonce, direction, limit_price)
     VALUES ($1, $2, floor(extract(epoch FROM clock_timestamp()) * 1000), $3, $4, $5)
     ON CONFLICT (order_id) DO NOTHING RETURNING revealed_at`,
    [orderId, memberId, nonce, direction, limitPrice],
    "orders_write_reveal",
  );
  if (written !== undefined) return { at: written.revealed_at, wasDue };
  // Another call wrote it at the same moment. It is the same reveal, since a seal opens to one choice only.
  const [other] = await db.query<{ revealed_at: Instant }>("SELECT revealed_at FROM reveals WHERE order_id = $1", [
    orderId,
  ]);
  if (other === undefined) throw new Error(`order ${orderId} is revealed and has no reveal`);
  return { at: other.revealed_at, wasDue };
}
