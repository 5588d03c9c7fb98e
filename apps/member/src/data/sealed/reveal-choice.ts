import { REVEAL_WITHIN_MS } from "@fairtick/domain";
import type { Fields, orderReveal, Output } from "@fairtick/protocol";
import { serverNow } from "../../shared/server-clock.ts";
import { storedMemberId } from "../member-id.ts";
import { takeOrder } from "../orders.ts";
import { ask, CallError } from "../transport.ts";
import { noteReveal } from "./evidence-opening.ts";
import { newestHead, type SeenHead } from "./heads.ts";
import { readEvidence } from "./evidence-shelf.ts";
import { isRefusedReveal, POST_AGAIN_MS, postToBoards, sendOrPost } from "./post-board.ts";
import type { KeptChoice, Posting } from "./shelf.ts";

/** Time until a reveal that the house didn't acknowledge is sent again. */
export const AGAIN_MS = 2_000;
/** After this many answers without an acknowledgement, a reveal is sent as rarely as it is posted. */
const ANSWERS_MAX = 3;
/** The longest order is a day, so this long after its acceptance nobody can reveal it any more. */
const OVER_MS = Number(REVEAL_WITHIN_MS) + 86_400_000;

type Accepted = KeptChoice & { readonly orderNo: string; readonly acceptedAt: number };
type Answer = Output<typeof orderReveal>;

/** How often the house answered without acknowledging an order's reveal. */
const answers = new Map<string, number>();

/**
 * Sends an order's reveal. Only a validly signed acknowledgement opens the order, or a voided order, which has nothing to
 * reveal. With every other answer the choice is kept, and the reveal goes to the witnesses' boards.
 *
 * @returns The ms until it should be sent again; null once nothing is left to do
 * @throws CallError if there was no answer, or one that says nothing about the order
 */
export async function revealChoice(choice: Accepted): Promise<number | null> {
  const head = newestHead();
  try {
    const { answer, isOver } = await sendOrPost(
      choice,
      isTaken,
      () => ask<typeof orderReveal>("order/reveal", fieldsOf(choice)),
      async (told) => isVoid(told) || (await isAcknowledged(choice, told.reveal)),
    );
    const { reveal: acknowledged, ...order } = answer;
    await keep(choice, acknowledged, head);
    // Someone else may have logged in since.
    if (storedMemberId() === choice.member && "stake" in order) takeOrder(order);
    return isOver ? null : unacknowledged(choice);
  } catch (error) {
    if (!(error instanceof CallError) || !isRefusedReveal(error.failure?.error ?? null)) throw error;
    return refused(choice, head);
  }
}

function fieldsOf({ orderNo, nonce, direction, member, limitPrice }: Accepted): Fields<typeof orderReveal> {
  return { orderNo, nonce, direction, userId: member, ...(limitPrice !== null && { limitPrice }) };
}

/** Without a session the answer doesn't have the order's state, and an acknowledgement that is missing says nothing. */
function isVoid(answer: Answer): boolean {
  return "outcome" in answer && answer.outcome === "voided";
}

/** The checks are loaded with the first order, so that the app's start doesn't wait for them. */
async function isAcknowledged(choice: Accepted, acknowledged: unknown): Promise<boolean> {
  if (acknowledged === null) return false;
  try {
    const { isRevealSigned } = await import("./check-evidence.ts");
    return await isRevealSigned(choice, acknowledged);
  } catch {
    return false;
  }
}

async function isTaken(line: string, posting: Posting): Promise<boolean> {
  const judging = await import("./check-evidence.ts");
  return judging.isTaken(line, posting);
}

/** Stores what the house was sent and how it answered, and reports an acknowledgement that isn't valid. */
async function keep(choice: Accepted, acknowledged: unknown, head: SeenHead | null): Promise<void> {
  const { member, clientOrderId, nonce, direction, limitPrice } = choice;
  const reveal = {
    nonce,
    direction,
    limitPrice,
    acknowledged,
    at: serverNow(),
    ...(choice.untilEnd !== undefined && head !== null && { head: { ...head } }),
  };
  await noteReveal(member, clientOrderId, reveal).catch(() => undefined);
  if (acknowledged !== null) void judge(member, clientOrderId).catch(() => undefined);
}

async function judge(member: string, clientOrderId: string): Promise<void> {
  const kept = await readEvidence(member, clientOrderId);
  const { checkReveal } = await import("./check-evidence.ts");
  if (kept !== undefined) await checkReveal(kept);
}

function unacknowledged(choice: Accepted): number | null {
  if (isTooLate(choice)) return null;
  return countAnswer(choice) < ANSWERS_MAX ? AGAIN_MS : POST_AGAIN_MS;
}

/**
 * Handles a refusal to open an order. What would have opened it stays with its evidence, and witnesses may judge it: the
 * choice is kept until a board has taken it, or all boards if they do so soon. Where no board is known, a few tries are
 * enough, because the posting may be ready only a moment later.
 */
async function refused(choice: Accepted, head: SeenHead | null): Promise<number | null> {
  const times = countAnswer(choice);
  await keep(choice, null, head);
  const { taken, left } = await postToBoards(choice, isTaken).catch(() => ({ taken: 0, left: 0 }));
  if (isTooLate(choice)) return null;
  const isUntaken = taken === 0 && left > 0;
  if (!isUntaken && times >= ANSWERS_MAX) return null;
  if (taken > 0 && left === 0) return null;
  return left > 0 ? POST_AGAIN_MS : AGAIN_MS;
}

function countAnswer({ clientOrderId }: Accepted): number {
  const times = (answers.get(clientOrderId) ?? 0) + 1;
  answers.set(clientOrderId, times);
  return times;
}

function isTooLate({ acceptedAt }: Accepted): boolean {
  return serverNow() > acceptedAt + OVER_MS;
}
