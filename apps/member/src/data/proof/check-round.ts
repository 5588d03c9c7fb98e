import { ENTRY_WINDOW_MS, REVEAL_WITHIN_MS, SETTLE_WITHIN_MS } from "@fairtick/domain";
import type { Instrument, marketInstruments, Order, orderDetail } from "@fairtick/protocol";
import { BOARD_GRACE_MS, readBoardLine, SILENCE_MS } from "@fairtick/transparency";
import { serverNow } from "../../shared/server-clock.ts";
import { storedMemberId } from "../member-id.ts";
import { keys, queryClient } from "../queries.ts";
import { checkAnswer, checkReveal } from "../sealed/check-evidence.ts";
import { tellEvidence } from "../sealed/evidence.ts";
import {
  changeEvidence,
  type Found,
  type KeptEvidence,
  pruneEvidence,
  readAllEvidence,
} from "../sealed/evidence-shelf.ts";
import { reclaimOrder } from "../sealed/open-orders.ts";
import { sessionToken } from "../session.ts";
import { ask, CallError } from "../transport.ts";
import { raiseEvidence, raiseUnsettled } from "./alarms.ts";
import { judgeRefusal, REFUSAL_LOGGED_MS } from "./check-refusal.ts";
import { publicLog } from "./log-reader.ts";
import { checkOrigins, shownOrders } from "./order-origins.ts";
import { pinnedNow } from "./pinned-now.ts";
import { isPassing, verify } from "./verification.ts";
import { verifyOneOther } from "./verify-others.ts";
import { isAllThatCanBe } from "./verify-order.ts";

/**
 * Compares in the background what this device holds with what the house shows and the public log has: one order at a
 * time, and only while the page is visible.
 */

/** How long after its expiry an order is settled and its entries are in the log. */
const SETTLED_MS = 20_000;
/**
 * How long after its shortest life an order whose direction is known is certainly due: it may wait for an entry price,
 * and for the price after its exit.
 */
const OVERDUE_MS = Number(ENTRY_WINDOW_MS + SILENCE_MS + SETTLE_WITHIN_MS);
/** Time until an incomplete proof is checked again. A seed is revealed after ten minutes. */
const AGAIN_MS = 5 * 60_000;

const nextTry = new Map<string, number>();
let isChecking = false;

/**
 * Runs one round: first answers that couldn't be checked when they came, then one order against the log, then who
 * placed an order that came from another device, and one such order against the log.
 * @throws ShelfClosed if this browser has no storage
 */
export async function checkOnce(): Promise<void> {
  if (isChecking || sessionToken() === null) return;
  isChecking = true;
  try {
    const member = storedMemberId();
    const all = await readAllEvidence(member);
    for (const kept of all) {
      if (kept.answer !== null && kept.answered === null) await checkAnswer(kept);
      // The service worker that stored an acknowledgement has no keys to check it with.
      else if (kept.reveal !== null && (kept.opened ?? null) === null) await checkReveal(kept);
      raiseEvidence(kept);
    }
    for (const order of shownOrders()) {
      const kept = all.find(({ clientOrderId }) => clientOrderId === order.clientOrderId);
      if (kept !== undefined) await reclaimOrder(kept, order);
    }
    const next = all.find(isDue);
    if (next !== undefined && storedMemberId() === member) await compare(next, all);
    await checkOrigins(
      member,
      new Set(all.flatMap(({ answer }) => (answer?.kind === "accepted" ? [answer.orderNo] : []))),
    );
    await verifyOneOther(member, decimalsOf);
    await pruneEvidence(member);
  } finally {
    isChecking = false;
  }
}

function isDue(kept: KeptEvidence): boolean {
  const { answer, answered, logged, clientOrderId } = kept;
  if (answer === null || logged !== null || serverNow() <= (nextTry.get(clientOrderId) ?? 0)) return false;
  // A refusal without a valid proof was reported already, so there is nothing to look up.
  if (answer.kind === "refused")
    return answered === "ok" && serverNow() > (answer.refusal?.at ?? Infinity) + REFUSAL_LOGGED_MS;
  return serverNow() > expiresFrom(kept) + SETTLED_MS;
}

/** Compares the order that the house shows, its receipt and the log with the answer that this device got. */
async function compare(kept: KeptEvidence, all: readonly KeptEvidence[]): Promise<void> {
  const { member, clientOrderId } = kept;
  nextTry.set(clientOrderId, serverNow() + AGAIN_MS);
  const logged = await compareOnce(kept, all);
  if (logged === null) return;
  const changed = await changeEvidence(member, clientOrderId, (known) => known && { ...known, logged });
  if (changed !== undefined) tellEvidence(changed);
}

/** Returns `ok`, the name of the fault, or null if it can't be told yet. */
async function compareOnce(kept: KeptEvidence, all: readonly KeptEvidence[]): Promise<string | null> {
  const { answer, wishes } = kept;
  if (answer?.kind !== "accepted") return lookUpRefusal(kept, all);
  const order = await readOrder(answer.orderNo);
  if (order === null) return "gone";
  if (order.state !== "settled") {
    if (serverNow() > expiresFrom(kept) + OVERDUE_MS && (await isRevealed(kept))) raiseUnsettled(kept, answer.orderNo);
    return null;
  }
  const isMine = wishes.some((wish) => wish.symbol === order.symbol && wish.stake === order.stake);
  if (!isMine) return "other";
  if (order.outcome === "unrevealed" && (await isRevealed(kept))) return "unrevealed";
  const decimals = await decimalsOf(order.symbol);
  if (decimals === null) return null;
  const { verdict } = await verify(order, decimals);
  if (verdict.state === "failed") return isPassing(verdict) ? null : "failed";
  return isAllThatCanBe(verdict) ? "ok" : null;
}

/** Checks that the public log has a refusal too, and for the same reason. */
async function lookUpRefusal(kept: KeptEvidence, all: readonly KeptEvidence[]): Promise<Found> {
  const clocks = { now: serverNow(), device: Date.now() };
  return judgeRefusal(kept, all, publicLog, await pinnedNow(), clocks);
}

/**
 * Returns whether this device holds that the order's direction was known in time: acknowledged by the house, answered by
 * it in any other way, or on the board of a pinned witness.
 */
async function isRevealed(kept: KeptEvidence): Promise<boolean> {
  const { opened, reveal, boards = [] } = kept;
  const isAcknowledged = opened === "ok" || (opened === "bound" && reveal?.acknowledged);
  const until = revealedBy(kept);
  if (isAcknowledged || (reveal?.at !== undefined && reveal.at <= until)) return true;
  const { witnessKeys } = await pinnedNow();
  return boards.some((line) => (readBoardLine(line, witnessKeys)?.at ?? Infinity) <= until);
}

/** Returns until when a reveal was certainly in time, ms: the house has a minute to book what it received. */
function revealedBy(kept: KeptEvidence): number {
  return expiresFrom(kept) + Number(REVEAL_WITHIN_MS - BOARD_GRACE_MS);
}

/** Returns the earliest possible expiry of an accepted order, ms: its duration after its acceptance. */
function expiresFrom({ answer, wishes }: KeptEvidence): number {
  return answer?.kind === "accepted" ? answer.acceptedAt + (wishes[0]?.duration ?? 0) * 1_000 : -Infinity;
}

async function decimalsOf(symbol: string): Promise<number | null> {
  const listed = queryClient.getQueryData<Instrument[]>(keys.instruments);
  const instruments = listed ?? (await ask<typeof marketInstruments>("market/instruments", {}));
  return instruments.find((each) => each.symbol === symbol)?.decimals ?? null;
}

/** Fetches an order; null if the house knows no such order. */
async function readOrder(orderNo: string): Promise<Order | null> {
  try {
    return await ask<typeof orderDetail>("order/detail", { orderNo });
  } catch (error) {
    if (error instanceof CallError && error.failure?.error === "NOT_FOUND") return null;
    throw error;
  }
}
