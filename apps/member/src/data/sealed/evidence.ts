import type { Fields, Order, orderPlace, PlacedOrder } from "@fairtick/protocol";
import { serverNow } from "../../shared/server-clock.ts";
import type { PendingOrder } from "../pending-order.ts";
import type { CallError } from "../transport.ts";
import { changeEvidence, type KeptAnswer, type KeptEvidence, type KeptWish, pruneEvidence } from "./evidence-shelf.ts";
import type { SeenHead } from "./heads.ts";

/**
 * Gathers evidence of each order as it is placed and checks its answer. Nothing here prevents an order from being
 * placed: an answer that can't be stored is still an answer.
 */

/** Names under which answers without a name are kept: no envelope at all, or one that gives no reason. */
const UNREADABLE = "UNREADABLE";
const UNNAMED = "UNNAMED";

/**
 * Names with which `order/place` refuses before it judges anything, so that nothing was committed to. Every other
 * refusal must come with its proof (docs/verification.md, "Order, batch, slot").
 */
const UNJUDGED: ReadonlySet<string> = new Set([
  "LOGIN_REQUIRED",
  "SESSION_EXPIRED",
  "RATE_LIMITED",
  "FORBIDDEN",
  "CONFLICT",
  "SERVER_ERROR",
  "NOT_NOW",
  UNREADABLE,
  UNNAMED,
]);

/**
 * A malformed field is refused before anything is judged. The app sends none, whatever the member typed: the form and the
 * seal only take amounts and prices that can be read, and the rules judge and sign whether they are within the limits.
 */
function isUnjudged(error: string): boolean {
  return UNJUDGED.has(error) || error.startsWith("FIELD_");
}

const watchers = new Set<(evidence: KeptEvidence) => void>();

/** Calls `watcher` with each checked piece of evidence. Returns a function that stops it. */
export function watchEvidence(watcher: (evidence: KeptEvidence) => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function tellEvidence(evidence: KeptEvidence): void {
  for (const watcher of watchers) watcher(evidence);
}

/**
 * Stores what is about to be sent.
 * @throws ShelfClosed if this browser has no storage; nothing was sent then
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
 * Stores an acceptance, together with what to tell the witnesses' boards if the order's opening isn't acknowledged,
 * and checks it. The result goes to `watchEvidence`.
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
  // Loaded with the first answer, like the checks, so that the order form doesn't wait for it.
  const { keepPosting } = await import("./keep-posting.ts");
  await keepPosting(kept, order, acceptance).catch(() => undefined);
  await check(kept);
}

/**
 * Stores a refusal and checks it. One from before anything was judged has no proof to check and leaves the order
 * unanswered, but the member can count how often the house turned them away like that. An answer that can't be read
 * turned them away, too.
 */
export async function noteRefusal(
  member: string,
  clientOrderId: string,
  { code, failure }: Pick<CallError, "code" | "failure">,
): Promise<void> {
  const { error: name = null, refusal } = failure ?? {};
  // The order may be accepted: there was no answer.
  if (failure === null && code === 0) return;
  const error = name ?? (failure === null ? UNREADABLE : UNNAMED);
  if (refusal === undefined && isUnjudged(error)) return keepUnsigned(member, clientOrderId, error);
  const kept = await keepAnswer(member, clientOrderId, { kind: "refused", error, refusal: refusal ?? null });
  if (kept !== undefined) await check(kept);
}

async function keepUnsigned(member: string, clientOrderId: string, error: string): Promise<void> {
  const at = serverNow();
  await changeEvidence(member, clientOrderId, (known) => {
    if (known === undefined) return undefined;
    const { unsigned = [], wishes } = known;
    return { ...known, unsigned: [...unsigned, { error, at, wish: wishes.length - 1 }] };
  });
}

/**
 * Stores an answer. A refusal of the same order doesn't replace an acceptance, and both stay: a house that gives both
 * answers to one request contradicts itself.
 */
function keepAnswer(member: string, clientOrderId: string, answer: KeptAnswer): Promise<KeptEvidence | undefined> {
  return changeEvidence(member, clientOrderId, (known) => {
    if (known === undefined) return undefined;
    const both = [answer, known.answer];
    const accepted = both.find((each) => each?.kind === "accepted");
    const refused = both.find((each) => each?.kind === "refused" && each.refusal !== null);
    if (accepted === undefined || refused?.kind !== "refused")
      return known.answer?.kind === "accepted" ? undefined : { ...known, answer, answered: null };
    return { ...known, answer: accepted, alsoRefused: refused, answered: null };
  });
}

async function check(kept: KeptEvidence): Promise<void> {
  const { checkAnswer } = await import("./check-evidence.ts");
  await checkAnswer(kept);
  void pruneEvidence(kept.member).catch(() => undefined);
}
