import type { Order, orderHistory, orderPositions } from "@fairtick/protocol";
import { onReconnected } from "../connection.ts";
import { storedMemberId } from "../member-id.ts";
import { keys, queryClient } from "../queries.ts";
import { beforeLogOut, sessionToken, watchSession } from "../session.ts";
import { ask, CallError } from "../transport.ts";
import { sealedThrough } from "./await-end.ts";
import { newestHead, watchHeads } from "./heads.ts";
import { isDecided, isFixed, opensAfter } from "./opening-time.ts";
import { noteBound, noteRefusedChoice } from "./evidence-opening.ts";
import { type KeptEvidence, readEvidence } from "./evidence-shelf.ts";
import { forgetKnownChoices, knowChoice } from "./known-choices.ts";
import { heldChoice, heldChoices, holdChoice, releaseChoice } from "./placed-here.ts";
import { recoverAcceptance } from "./recover-acceptance.ts";
import { AGAIN_MS, revealChoice } from "./reveal-choice.ts";
import { dropChoice, keepChoice, readChoice, readChoices, type KeptChoice } from "./shelf.ts";
import { OPENING_LOCK, wakeWorker } from "./wake-worker.ts";

/** An unanswered order is looked for once its own retries are over. */
const ANSWER_MS_MAX = 60_000;
/** Interval between later attempts to find it. */
const LOOK_MS = 30_000;
/**
 * After this long, an order unknown to the server never comes: it accepts none later than 3 s after what the device
 * saw.
 */
const GONE_MS = 300_000;

let timer: ReturnType<typeof setTimeout> | undefined;
let isKept = false;
/** Whether this page may have something left to open. Avoids work on heads, which come several times a second. */
let isAnyLeft = true;
/** Nothing can be opened before a head newer than this, ms by the server's clock. */
let nextDue = 0;
/** When a choice that failed may be tried again, by this page's clock. */
const nextTry = new Map<string, number>();
/** Until when an order stays sealed by the member's choice, ms by the server's clock. */
const sealedUntil = new Map<string, number>();
let isOpening = false;
/** Whether another run was requested while orders were being opened. */
let isMissed = false;

/**
 * Opens this member's sealed orders for as long as the page lives, including those of earlier pages. Each is opened
 * once this device holds a signed head newer than its acceptance, or than its end if the member chose that.
 */
export function keepOpening(): void {
  if (isKept) return;
  isKept = true;
  beforeLogOut(openAll);
  watchHeads(() => {
    if (isAnyLeft && (newestHead()?.at ?? 0) > nextDue) openSoon();
  });
  document.addEventListener("visibilitychange", handOver);
  onReconnected(openSoon);
  watchSession(() => {
    forgetKnownChoices();
    isShown = false;
    openSoon();
  });
  openSoon();
}

/** Records that the server accepted an order, which can be opened from now on. */
export async function noteAccepted(member: string, { clientOrderId, orderNo, acceptedAt }: Order): Promise<void> {
  const held = heldChoice(clientOrderId);
  // Update memory first: the storage may have been wiped, and then the choice is stored again.
  if (held !== undefined) holdChoice({ ...held, orderNo, acceptedAt });
  const choice = (await readChoices(member)).find((kept) => kept.clientOrderId === clientOrderId) ?? held;
  if (choice === undefined) return;
  await keepChoice({ ...choice, orderNo, acceptedAt });
  // This page may be closed before it can open the order.
  void wakeWorker().catch(() => undefined);
  keepOpening();
  openSoon();
}

/**
 * Records that the server refused an order. Its sealed choice moves to its evidence. Does nothing if this browser has no
 * storage.
 *
 * @param isSigned Whether the refusal has a proof. Without one the order may have been accepted all the same, so the
 *   choice stays until the server's list of orders shows that it wasn't.
 */
export async function noteRefused(clientOrderId: string, isSigned: boolean): Promise<void> {
  const choice = await readChoice(clientOrderId).catch(() => undefined);
  if (choice !== undefined) await noteRefusedChoice(choice).catch(() => undefined);
  if (!isSigned) {
    keepOpening();
    return openSoon();
  }
  releaseChoice(clientOrderId);
  await dropChoice(clientOrderId).catch(() => undefined);
}

/**
 * Takes up an order again that the house shows although it refused it, or although its lists didn't have it when this
 * device gave it up. It would count as lost otherwise. Such a house learns its direction only after its end.
 */
export async function reclaimOrder(kept: KeptEvidence, order: Order): Promise<void> {
  const { member, clientOrderId, sentAt, wishes, refused, answer } = kept;
  const [wish] = wishes;
  if (refused === undefined || wish === undefined || answer?.kind === "accepted") return;
  if (!order.sealed || order.state === "settled" || (await readChoice(clientOrderId)) !== undefined) return;
  const { wallet, symbol, duration: durationSeconds } = wish;
  const untilEnd = { durationSeconds, expiresAt: null };
  const unanswered = { clientOrderId, member, wallet, symbol, sentAt, orderNo: null, acceptedAt: null };
  await keepChoice({ ...unanswered, ...refused, placedAt: Date.now(), untilEnd });
  nextTry.delete(clientOrderId);
  keepOpening();
  openSoon();
}

/**
 * Wakes the service worker when the page is hidden: it may be killed long before the end of an order that stays
 * sealed.
 */
function handOver(): void {
  if (document.visibilityState === "hidden" && isAnyLeft) void wakeWorker().catch(() => undefined);
}

/** Schedules a run at the end of this turn, because heads come in quick succession. */
function openSoon(): void {
  isAnyLeft = true;
  plan(0);
}

function plan(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void openAll().catch(() => undefined), ms);
}

/**
 * Opens all orders that can be opened now; the rest is retried automatically. Without a session these are the orders
 * that this page placed, because the nonce proves who placed them.
 * @throws ShelfClosed if this browser has no storage
 */
export async function openAll(): Promise<void> {
  isMissed = isOpening;
  if (isOpening) return;
  isOpening = true;
  try {
    await alone(async (isAlone) => {
      const left = isAlone ? await openEach(whoAsks()) : 1;
      isAnyLeft = left > 0;
      if (isAnyLeft) plan(AGAIN_MS);
    });
  } finally {
    isOpening = false;
    if (isMissed) openSoon();
  }
}

/** Returns the logged-in member, or null. */
function whoAsks(): string | null {
  return sessionToken() === null ? null : storedMemberId();
}

/**
 * Lets only one tab or service worker open orders at a time if the browser has locks. Opening an order twice is
 * harmless.
 */
async function alone(work: (isAlone: boolean) => Promise<void>): Promise<void> {
  const locks = (navigator as Partial<Navigator>).locks;
  if (locks === undefined) await work(true);
  else await locks.request(OPENING_LOCK, { ifAvailable: true }, (lock) => work(lock !== null));
}

/** Opens the due orders. Returns how many are left. */
async function openEach(member: string | null): Promise<number> {
  const choices = member === null ? heldChoices() : await choicesOf(member);
  if (member !== null && choices.length > 0) {
    for (const choice of choices) knowChoice(choice);
    showOwnDirections();
  }
  const left: string[] = [];
  for (const choice of choices) {
    if (whoAsks() !== member) return 1;
    if (isResting(choice) || !(await openOne(choice))) left.push(choice.clientOrderId);
  }
  nextDue = Math.min(...left.map((id) => sealedUntil.get(id) ?? 0));
  return left.length;
}

function isResting({ clientOrderId }: KeptChoice): boolean {
  const isSealed = (newestHead()?.at ?? 0) <= (sealedUntil.get(clientOrderId) ?? 0);
  return isSealed || performance.now() < (nextTry.get(clientOrderId) ?? 0);
}

/** Returns the stored choices, plus those that this page placed and the browser has lost since. */
async function choicesOf(member: string): Promise<KeptChoice[]> {
  const kept = await readChoices(member).catch((error: unknown) => {
    if (heldChoices().length === 0) throw error;
    return [];
  });
  const choices = [...kept];
  for (const held of heldChoices()) {
    if (held.member !== member || kept.some(({ clientOrderId }) => clientOrderId === held.clientOrderId)) continue;
    // Another tab or the service worker records that it opened an order before it deletes the choice.
    if (await isOpened(held)) releaseChoice(held.clientOrderId);
    else choices.push(held);
  }
  return choices;
}

async function isOpened({ member, clientOrderId }: KeptChoice): Promise<boolean> {
  const evidence = await readEvidence(member, clientOrderId).catch(() => undefined);
  return Boolean(evidence?.reveal?.acknowledged) && evidence?.opened !== "acknowledgement";
}

/** Reloads lists that were loaded before the choices, because the server didn't send their orders' directions. */
function showOwnDirections(): void {
  if (isShown) return;
  isShown = true;
  void queryClient.invalidateQueries({ queryKey: keys.member, predicate: ({ queryKey }) => isOrders(queryKey) });
}
let isShown = false;

function isOrders([, kind]: readonly unknown[]): boolean {
  return kind === "positions" || kind === "order";
}

/** Opens one order if it is due. Returns true once nothing is left to do for it. */
async function openOne(choice: KeptChoice): Promise<boolean> {
  try {
    const known = choice.orderNo === null ? await lookFor(choice) : choice;
    if (known === "gone") {
      // The house may have hidden the order. What opens it stays with the evidence, for `reclaimOrder`.
      await noteRefusedChoice(choice).catch(() => undefined);
      return await done(choice);
    }
    if (known === null || known.orderNo === null || known.acceptedAt === null) return false;
    const accepted = { ...known, orderNo: known.orderNo, acceptedAt: known.acceptedAt };
    if (!(await isDue(accepted))) return false;
    const againMs = await revealChoice(accepted);
    if (againMs === null) return await done(choice);
    nextTry.set(choice.clientOrderId, performance.now() + againMs);
    return false;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    nextTry.set(choice.clientOrderId, performance.now() + AGAIN_MS);
    return false;
  }
}

/**
 * Returns whether the order is bound and needn't stay sealed any longer (at once, or from its end on). Otherwise it
 * waits.
 */
async function isDue(choice: KeptChoice & { readonly orderNo: string; readonly acceptedAt: number }): Promise<boolean> {
  const binding = newestHead();
  if (binding === null || !isFixed(choice, binding, Date.now())) return false;
  await noteBound(choice.member, choice.clientOrderId, binding).catch(() => undefined);
  if (choice.untilEnd === undefined) return true;
  const through = await sealedThrough(choice, sessionToken() !== null);
  // A house that never names an entry can't keep the order from being opened after its latest possible end.
  if (isDecided(through ?? opensAfter(choice), choice, binding, Date.now())) return true;
  if (through === null) nextTry.set(choice.clientOrderId, performance.now() + AGAIN_MS);
  else sealedUntil.set(choice.clientOrderId, through);
  return false;
}

async function done({ clientOrderId }: KeptChoice): Promise<true> {
  releaseChoice(clientOrderId);
  await dropChoice(clientOrderId);
  return true;
}

/** Looks for an order whose answer never came: null while it may still come, "gone" if the server has no such order. */
async function lookFor(choice: KeptChoice): Promise<KeptChoice | "gone" | null> {
  const { clientOrderId, wallet, sentAt } = choice;
  const head = newestHead();
  if (head === null || head.at - sentAt < ANSWER_MS_MAX) return null;
  nextTry.set(clientOrderId, performance.now() + LOOK_MS);
  const running = await ask<typeof orderPositions>("order/positions", { wallet, limit: 100 });
  const settled = await ask<typeof orderHistory>("order/history", { wallet, limit: 100, from: sentAt - 60_000 });
  const found = [...running.items, ...settled.items].find((order) => order.clientOrderId === clientOrderId);
  if (found === undefined) {
    const isAll = running.nextCursor === null && settled.nextCursor === null;
    return isAll && head.at - sentAt > GONE_MS ? "gone" : null;
  }
  nextTry.set(clientOrderId, performance.now() + AGAIN_MS);
  if (!(await recoverAcceptance(choice, found))) return null;
  nextTry.delete(clientOrderId);
  const { orderNo, acceptedAt } = found;
  // What the boards need may have been stored with it since.
  const kept = (await readChoice(clientOrderId)) ?? choice;
  const known = { ...kept, orderNo, acceptedAt };
  await keepChoice(known);
  return known;
}
