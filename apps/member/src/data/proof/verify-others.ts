import type { Order } from "@fairtick/protocol";
import { serverNow } from "../../shared/server-clock.ts";
import { storedMemberId } from "../member-id.ts";
import { keepOrigin, type KeptOrigin } from "../sealed/evidence-shelf.ts";
import { raise } from "./alarms.ts";
import { shownOrders } from "./order-origins.ts";
import { originsOf, setOrigins } from "./origin-store.ts";
import { isPassing, verify } from "./verification.ts";
import { isAllThatCanBe } from "./verify-order.ts";

/** A seed is revealed within ten minutes, and what is asked earlier is only pending. */
const COMPLETE_AFTER_MS = 11 * 60_000;
const AGAIN_MS = 5 * 60_000;

const nextTry = new Map<string, number>();

/**
 * Verifies one settled order from the member's lists that wasn't placed on this device, and reports it if it fails. Those
 * that were are compared with the evidence of their answer.
 *
 * @param decimalsOf Returns the decimals of a symbol; null if they aren't known
 * @throws ShelfClosed if this browser has no storage · CallError
 */
export async function verifyOneOther(
  member: string,
  decimalsOf: (symbol: string) => Promise<number | null>,
): Promise<void> {
  const next = shownOrders().find(({ orderNo, state, settledAt }) => {
    const origin = originsOf(member)?.get(orderNo);
    const isComplete = state === "settled" && serverNow() > (settledAt ?? Infinity) + COMPLETE_AFTER_MS;
    const isLeft = origin !== undefined && origin.verified === undefined;
    return isComplete && isLeft && serverNow() > (nextTry.get(orderNo) ?? 0);
  });
  if (next === undefined) return;
  nextTry.set(next.orderNo, serverNow() + AGAIN_MS);
  const decimals = await decimalsOf(next.symbol);
  if (decimals === null) return;
  const { verdict } = await verify(next, decimals);
  if (storedMemberId() !== member) return;
  if (isAllThatCanBe(verdict)) return keepVerified(member, next, "ok");
  if (verdict.state !== "failed" || isPassing(verdict)) return;
  await keepVerified(member, next, "failed");
  const { orderNo, acceptedAt } = next;
  raise({ kind: "order", key: `${orderNo} failed`, fault: "failed", orderNo, at: acceptedAt, evidence: null });
}

async function keepVerified(
  member: string,
  { orderNo }: Order,
  verified: NonNullable<KeptOrigin["verified"]>,
): Promise<void> {
  const origins = originsOf(member);
  const origin = origins?.get(orderNo);
  if (origins === null || origin === undefined) return;
  const changed = { ...origin, verified };
  await keepOrigin(changed);
  setOrigins(member, new Map([...origins, [orderNo, changed]]));
}
