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
  refuse,
  toHex,
  type Verdict,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { RevealedBare, RevealedOrder } from "@fairtick/protocol";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";
import { type OrderRow, orderView } from "./order-view.ts";
import type { OrderReading } from "./read-orders.ts";
import type { OpenedOrder, RevealDesk } from "./reveal-desk.ts";

/** Dependencies of the function that opens sealed orders. */
export interface Revealing extends Pick<OrderReading, "configs"> {
  readonly reveals: RevealDesk;
  /** Signs acknowledgements. Without it, reveals aren't acknowledged. */
  readonly signer?: AcceptanceSigner | undefined;
}

/** The input of a reveal. */
export interface RevealInput {
  readonly orderNo: string;
  /** The nonce, 32 bytes. */
  readonly nonce: Uint8Array;
  readonly direction: Direction;
  /** Has no more decimal places than the instrument. */
  readonly limitPrice?: string | undefined;
  /** The order's member (`usr_…`). Needed if no one is logged in. */
  readonly userId?: string | undefined;
}

/**
 * Opens a sealed order and returns a signed acknowledgement. Repeating it gives the same answer. Refuses NOT_FOUND,
 * REVEAL_WRONG if the input doesn't open the seal, and REVEAL_LATE if the order already counts as lost because it
 * wasn't opened within a week.
 *
 * @param by The member who asks. If it is null, no one is logged in, and `userId` names the member; only the device
 *   that made the order knows its nonce. The answer then only repeats what was sent, and everything that doesn't open a
 *   seal is REVEAL_WRONG, so that no one learns which orders exist. Without `userId`, it is LOGIN_REQUIRED.
 */
export async function revealOrder(
  revealing: Revealing,
  by: MemberId | null,
  input: RevealInput,
): Promise<Verdict<RevealedOrder | RevealedBare>> {
  if (by === null && input.userId === undefined) return refuse("LOGIN_REQUIRED");
  const row = await findOrder(revealing, by, input);
  if (row === undefined) return refuse(by === null ? "REVEAL_WRONG" : "NOT_FOUND");
  const opened = openSeal(revealing, row, input);
  if (opened === undefined) return refuse("REVEAL_WRONG");
  const at = await revealing.reveals.store(opened);
  if (at === "late") return refuse("REVEAL_LATE");
  const reveal = at === "over" ? null : revealView(revealing.signer, opened, at);
  if (by === null) return accept({ ...bareView(input), reveal });
  // The order was read before it was revealed, so add the reveal here. An order that was voided before stays as it was.
  const shown = at === "over" ? row : { ...row, direction: opened.direction, limit_price: opened.limitPrice };
  return accept({ ...orderView(shown, revealing.configs), reveal });
}

async function findOrder(
  { reveals }: Revealing,
  by: MemberId | null,
  { userId, orderNo }: RevealInput,
): Promise<OrderRow | undefined> {
  const memberId = by ?? parseId("member", userId ?? "");
  const orderId = parseId("order", orderNo);
  return memberId === null || orderId === null ? undefined : reveals.read(memberId, orderId);
}

/** Returns what the caller sent, and nothing more. */
function bareView({ orderNo, direction, limitPrice }: RevealInput): Omit<RevealedBare, "reveal"> {
  return { orderNo, direction, limitPrice: limitPrice ?? null };
}

/** Returns what the seal contains. Undefined if the input doesn't open it, or if the order has no seal. */
function openSeal(
  { configs }: Revealing,
  { seal, symbol, config_version: version, order_id: orderId, member_id: memberId }: OrderRow,
  { nonce, direction, limitPrice: text }: RevealInput,
): OpenedOrder | undefined {
  if (seal === null) return undefined;
  const limitPrice = text === undefined ? null : parsePrice(text, configs.termsOf(version, symbol).decimals);
  if (text !== undefined && limitPrice === null) return undefined;
  if (!opensSeal(nodeHashes, seal, nonce, { direction, limitPrice })) return undefined;
  return { orderId: orderId as OrderId, memberId: memberId as MemberId, nonce, direction, limitPrice };
}

function revealView(signer: AcceptanceSigner | undefined, { orderId, nonce, ...choice }: OpenedOrder, at: Instant) {
  const signature = signer?.signReveal({
    at,
    direction: choice.direction,
    limitPrice: choice.limitPrice,
    nonce: toHex(nonce),
    orderNo: formatId("order", orderId),
  });
  return {
    at: Number(at),
    signature: signature?.toString("base64") ?? null,
    key: signer?.keyId ?? null,
  };
}
