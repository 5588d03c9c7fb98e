import { type CallResult, createClient, createStream, type Stream } from "@fairtick/client";
import type { orderReveal, Output } from "@fairtick/protocol";
import { noteBound, noteReveal } from "./evidence-opening.ts";
import { newestHead, type SeenHead, takeHead, watchHeads } from "./heads.ts";
import { isAcknowledgedAsKept } from "./judge-acknowledgement.ts";
import { isTakenAsKept } from "./judge-board-line.ts";
import { isFixed, mayOpen, opensAfter } from "./opening-time.ts";
import { isRefusedReveal, postToBoards, sendOrPost } from "./post-board.ts";
import { dropChoice, type KeptChoice, readAllChoices } from "./shelf.ts";
import { OPENING_LOCK } from "./wake-worker.ts";

/** Grace period for the page, which opens its orders about a second after they are accepted. */
const PAGE_MS = 3_000;
/** Browsers end a worker that runs for five minutes. */
const WORK_MS_MAX = 270_000;
/** If the next order ends later than this, the worker closes the stream and reopens it this long before the end. */
const REST_MS_MIN = 5_000;
/** Time until an order that couldn't be opened is tried again. */
const AGAIN_MS = 2_000;
/** Refusals that are temporary and say nothing about the order. */
const FOR_NOW: ReadonlySet<string> = new Set(["RATE_LIMITED", "NOT_NOW", "SERVER_ERROR"]);

const client = createClient({
  baseUrl: "",
  // The token is only in the page's storage (decision 18); the nonce shows who is asking.
  token: () => null,
  lang: () => "en_US",
});

let last: Promise<boolean> = Promise.resolve(true);

/**
 * Opens what no page opened: each accepted order that is still stored, once a signed head is newer than its
 * acceptance, or than its end if it stays sealed until then. Only a validly signed acknowledgement counts. Runs in the
 * service worker, one call after another.
 *
 * @returns Whether nothing is left that could be opened later. What the house refuses is left to the member's next
 *   page, which knows more.
 */
export function openWithoutPage(): Promise<boolean> {
  endRest();
  const mine = last.then(openWhatIsLeft);
  last = mine.catch(() => false);
  return mine;
}

async function openWhatIsLeft(): Promise<boolean> {
  if ((await accepted()).length === 0) return true;
  await pause(PAGE_MS);
  if ((await accepted()).length === 0) return true;
  const refused = new Set<string>();
  const until = performance.now() + WORK_MS_MAX;
  while (performance.now() < until) {
    const restMs = await openWhileDue(refused, until);
    if (restMs === null) return true;
    if (await rest(Math.min(restMs, Math.max(0, until - performance.now())))) await pause(PAGE_MS);
  }
  return false;
}

let endRest: () => void = () => undefined;

/** Waits for `ms`. Resolves to whether news of an order interrupted the wait. */
function rest(ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    endRest = () => {
      clearTimeout(timer);
      resolve(true);
    };
  });
}

/**
 * Listens while anything can be opened soon. Returns null once nothing is left, or else the ms until something is due.
 */
async function openWhileDue(refused: Set<string>, until: number): Promise<number | null> {
  const stream = listen();
  // A head from before the last rest doesn't tell the current time.
  let isFresh = false;
  try {
    do {
      await navigator.locks.request(OPENING_LOCK, () => openEach(refused));
      const left = (await accepted()).filter(({ clientOrderId }) => !refused.has(clientOrderId));
      if (left.length === 0) return null;
      const restMs = msUntilDue(left) - REST_MS_MIN;
      if (isFresh && restMs > 0) return restMs;
      isFresh = await nextHead(AGAIN_MS);
    } while (performance.now() < until);
    return 0;
  } finally {
    stream.close();
  }
}

function msUntilDue(left: readonly Accepted[]): number {
  const now = newestHead()?.at;
  return now === undefined ? 0 : Math.min(...left.map((each) => opensAfter(each))) - now;
}

type Accepted = KeptChoice & { readonly orderNo: string; readonly acceptedAt: number };

/** Returns the stored choices of orders that the house has accepted. */
async function accepted(): Promise<Accepted[]> {
  const all = await readAllChoices();
  return all.flatMap(({ orderNo, acceptedAt, ...kept }) =>
    orderNo === null || acceptedAt === null ? [] : [{ ...kept, orderNo, acceptedAt }],
  );
}

/** Opens a price stream, which carries the heads and is open to everyone. */
function listen(): Stream {
  const stream = createStream({
    url: `${location.origin.replace(/^http/, "ws")}/client/stream`,
    token: () => null,
    onMessage(message) {
      if (message.t === "ticks") takeHead(message);
    },
    onGap: () => undefined,
    onConnected: () => undefined,
    onSessionEnd: () => undefined,
  });
  stream.subscribe(["tick:*"]);
  return stream;
}

async function openEach(refused: Set<string>): Promise<void> {
  for (const choice of await accepted()) {
    const { member, clientOrderId, orderNo, nonce, direction, limitPrice } = choice;
    const head = newestHead();
    if (refused.has(clientOrderId) || head === null || !isFixed(choice, head, Date.now())) continue;
    await noteBound(member, clientOrderId, head).catch(() => undefined);
    if (!mayOpen(choice, head, Date.now())) continue;
    const fields = { orderNo, nonce, direction, userId: member, ...(limitPrice !== null && { limitPrice }) };
    const send = () => client.call<typeof orderReveal>("order/reveal", fields);
    const isEnd = (told: Revealed) => told.ok && isAcknowledgedAsKept(choice, told.value.reveal);
    const { answer, isOver } = await sendOrPost(choice, isTakenAsKept, send, isEnd);
    await keep(choice, answer, head);
    if (isOver) await dropChoice(clientOrderId);
    else if (isLeftToPage(choice, answer)) refused.add(clientOrderId);
    // Witnesses may judge a refusal at once; nobody knows when the next page comes.
    if (!answer.ok && isRefusedReveal(answer.failure.error))
      await postToBoards(choice, isTakenAsKept).catch(() => undefined);
  }
}

type Revealed = CallResult<Output<typeof orderReveal>>;

/** Stores what the house was sent, and how it answered. Nothing shows that it got a reveal that it didn't answer. */
async function keep(choice: Accepted, answer: Revealed, head: SeenHead): Promise<void> {
  if (!answer.ok && !isRefusedReveal(answer.failure.error)) return;
  const { member, clientOrderId, nonce, direction, limitPrice } = choice;
  const acknowledged = answer.ok ? answer.value.reveal : null;
  // Of two clocks, the later one never accuses an honest house that was told too late.
  const at = Math.max(head.at, Date.now());
  const ended = choice.untilEnd === undefined ? {} : { head: { ...head } };
  const reveal = { nonce, direction, limitPrice, acknowledged, at, ...ended };
  await noteReveal(member, clientOrderId, reveal).catch(() => undefined);
}

/** Returns whether the next page has to go on: after a refusal, and where this worker can't judge the acknowledgement. */
function isLeftToPage({ judging }: Accepted, answer: Revealed): boolean {
  if (answer.ok) return judging === undefined;
  return answer.failure.error !== null && !FOR_NOW.has(answer.failure.error);
}

/** Waits up to `ms` for a head. Resolves to whether one came. */
function nextHead(ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (isThere: boolean) => {
      stop();
      clearTimeout(timer);
      resolve(isThere);
    };
    const stop = watchHeads(() => done(true));
    const timer = setTimeout(() => done(false), ms);
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
