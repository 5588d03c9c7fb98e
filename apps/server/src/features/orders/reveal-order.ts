import {
  accept,
  type Choice,
  type Direction,
  formatId,
  type Instant,
  type MemberId,
  opensSeal,
  type OrderId,
  parseId,
  parsePrice,
  refuse,
  toHex,
  type Verdict,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { RevealedBare, RevealedOrder } from "@fairtick/protocol";
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
  /** `usr_…`: whose order it is, where nobody is logged in. */
  readonly userId?: string | undefined;
}

/** A stored reveal. Sending the same reveal again gives the same answer. */
interface Revealed extends Choice {
  readonly at: Instant;
  readonly nonce: Uint8Array;
}

/**
 * Opens a sealed order and returns a signed acknowledgement. Repeating it gives the same answer. Refuses NOT_FOUND, REVEAL_WRONG
 * if the seal does not open, and REVEAL_LATE if the order already counts as lost because nobody opened it within a week.
 *
 * @param by The member who asks. Null where nobody is logged in: the nonce proves who made the order that `userId` names the
 *   member of. The answer repeats what was sent then, and whatever does not open a seal is REVEAL_WRONG, so that nobody learns
 *   which orders there are. Without `userId`, too, it is LOGIN_REQUIRED.
 */
export async function revealOrder(
  placing: Placing,
  by: MemberId | null,
  input: RevealInput,
): Promise<Verdict<RevealedOrder | RevealedBare>> {
  const found = await findSealed(placing, by, input);
  if (!found.ok) return found;
  const { orderId, memberId, opened } = found.value;
  const at = await storeReveal(placing, memberId, orderId, input.nonce, opened);
  if (at === "late") return refuse("REVEAL_LATE");
  const reveal = at === "over" ? null : revealView(placing.signer, orderId, { at, nonce: input.nonce, ...opened });
  if (by === null) return accept({ ...bareView(input), reveal });
  const order = await readOrder(placing, memberId, orderId);
  if (order === undefined) throw new Error(`order ${orderId} was revealed and is not there`);
  return accept({ ...order, reveal });
}

/** Stores a reveal that opens its order's seal, unless there is one, and tells whom it concerns. */
export async function storeReveal(
  { databases, bus }: Pick<Placing, "databases" | "bus">,
  memberId: MemberId,
  orderId: OrderId,
  nonce: Uint8Array,
  opened: Choice,
): Promise<Written["at"]> {
  const { at, wasDue } = await databases.orders.transaction((db) => writeReveal(db, memberId, orderId, nonce, opened));
  if (at === "late" || at === "over") return at;
  const about = { members: [memberId], orderIds: [orderId] };
  if (wasDue || opened.limitPrice !== null) bus.publish("reveals", about);
  bus.publish("orders", about);
  return at;
}

/** Finds the order that is opened, and what its seal opens to. Refuses as `revealOrder` does. */
async function findSealed(placing: Placing, by: MemberId | null, input: RevealInput) {
  if (by === null && input.userId === undefined) return refuse("LOGIN_REQUIRED");
  const memberId = by ?? parseId("member", input.userId ?? "");
  const orderId = parseId("order", input.orderNo);
  const sealed = orderId === null || memberId === null ? undefined : await readSealed(placing, memberId, orderId);
  if (orderId === null || memberId === null || sealed === undefined)
    return refuse(by === null ? "REVEAL_WRONG" : "NOT_FOUND");
  const opened = await openSeal(placing, sealed, input);
  return opened === undefined ? refuse("REVEAL_WRONG") : accept({ orderId, memberId, opened });
}

/** What the caller sent, and nothing more. */
function bareView({ orderNo, direction, limitPrice }: RevealInput): Omit<RevealedBare, "reveal"> {
  return { orderNo, direction, limitPrice: limitPrice ?? null };
}

/** What the seal opens to; undefined if this does not open it, or there is none. */
async function openSeal(
  placing: Placing,
  sealed: SealedOrder,
  { nonce, direction, limitPrice: text }: RevealInput,
): Promise<Choice | undefined> {
  const limitPrice = await limitOf(placing, sealed, text);
  if (sealed.seal === null || limitPrice === undefined) return undefined;
  return opensSeal(nodeHashes, sealed.seal, nonce, { direction, limitPrice }) ? { direction, limitPrice } : undefined;
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

async function readSealed(
  { databases }: Placing,
  memberId: MemberId,
  orderId: OrderId,
): Promise<SealedOrder | undefined> {
  const [row] = await databases.orders.query<SealedOrder>(
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
  { direction, limitPrice }: Choice,
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
