import type { CallFailure } from "@fairtick/client";
import type { Fields, Order, orderPlace, PlacedOrder } from "@fairtick/protocol";
import type { PendingOrder } from "../pending-order.ts";
import { changeEvidence, type KeptAnswer, type KeptEvidence, type KeptWish, pruneEvidence } from "./evidence-shelf.ts";
import type { SeenHead } from "./heads.ts";

/**
 * Evidence of each order, gathered as it is placed and checked at its answer. Nothing here keeps an order from being placed: an
 * answer that cannot be kept is still an answer.
 */

/**
 * Names that `order/place` refuses with before anything is judged, so that nothing is committed to. Every other refusal has to
 * come with its proof (docs/verification.md, "Order, batch, slot").
 */
const UNJUDGED: ReadonlySet<string> = new Set([
  "LOGIN_REQUIRED",
  "SESSION_EXPIRED",
  "RATE_LIMITED",
  "FORBIDDEN",
  "CONFLICT",
  "SERVER_ERROR",
  "NOT_NOW",
  "LOG_BEHIND",
]);

const watchers = new Set<(evidence: KeptEvidence) => void>();

/** Called with each piece of evidence that was checked. */
export function watchEvidence(watcher: (evidence: KeptEvidence) => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function tellEvidence(evidence: KeptEvidence): void {
  for (const watcher of watchers) watcher(evidence);
}

/**
 * Keeps what is about to be sent.
 * @throws ShelfClosed where this browser keeps nothing; nothing was sent then
 */
export async function noteWish(
  pending: PendingOrder,
  fields: Fields<typeof orderPlace>,
  seen: SeenHead,
): Promise<void> {
  const { wallet, symbol, duration } = pending;
  const text = (name: "stake" | "payoutRate" | "fee" | "seal" | "deviceId" | "signature") => String(fields[name]);
  const wish: KeptWish = {
    wallet,
    symbol,
    duration,
    stake: text("stake"),
    payoutRate: text("payoutRate"),
    fee: text("fee"),
    seal: text("seal"),
    deviceId: text("deviceId"),
    signature: text("signature"),
    seen: { ...seen },
  };
  const { member, clientOrderId, sentAt } = pending;
  const first = { bound: null, reveal: null, answered: null, logged: null, told: false, answer: null };
  await changeEvidence(member, clientOrderId, (kept) => ({
    ...(kept ?? { ...first, member, clientOrderId, sentAt }),
    wishes: [...(kept?.wishes ?? []), wish],
  }));
}

/**
 * Keeps an acceptance, with what witnesses' boards are told if the order's opening is not acknowledged, and checks it. What is found is
 * told to `watchEvidence`.
 */
export async function noteAcceptance(
  member: string,
  clientOrderId: string,
  order: Order,
  acceptance: PlacedOrder["acceptance"],
): Promise<void> {
  const { orderNo, configVersion, acceptedAt } = order;
  const answer = { kind: "accepted", orderNo, configVersion, acceptedAt, acceptance } as const;
  const kept = await keepAnswer(member, clientOrderId, answer);
  if (kept === undefined) return;
  // Fetched when the first answer is there, as the checks are: the order form does not wait for them.
  const { keepPosting } = await import("./keep-posting.ts");
  await keepPosting(kept, order, acceptance).catch(() => undefined);
  await check(kept);
}

/** Keeps a refusal and checks it; what was refused before it was judged proves nothing and is left. */
export async function noteRefusal(
  member: string,
  clientOrderId: string,
  { error, refusal }: Pick<CallFailure, "error" | "refusal">,
): Promise<void> {
  if (error === null) return;
  if (refusal === undefined && (UNJUDGED.has(error) || error.startsWith("FIELD_"))) return;
  const kept = await keepAnswer(member, clientOrderId, { kind: "refused", error, refusal: refusal ?? null });
  if (kept !== undefined) await check(kept);
}

/** Of an order that was accepted, a later refusal of the same wish changes nothing. */
function keepAnswer(member: string, clientOrderId: string, answer: KeptAnswer): Promise<KeptEvidence | undefined> {
  return changeEvidence(member, clientOrderId, (known) =>
    known === undefined || known.answer?.kind === "accepted" ? undefined : { ...known, answer, answered: null },
  );
}

async function check(kept: KeptEvidence): Promise<void> {
  const { checkAnswer } = await import("./check-evidence.ts");
  await checkAnswer(kept);
  void pruneEvidence(kept.member).catch(() => undefined);
}
