import { createClient, createStream, type Stream } from "@fairtick/client";
import type { orderReveal } from "@fairtick/protocol";
import { noteBound, noteReveal } from "./evidence-opening.ts";
import { newestHead, takeHead, watchHeads } from "./heads.ts";
import { opensAfter } from "./opening-time.ts";
import { sendOrPost } from "./post-board.ts";
import { dropChoice, type KeptChoice, readAllChoices } from "./shelf.ts";
import { OPENING_LOCK } from "./wake-worker.ts";

/** A page opens its orders about a second after they were accepted. */
const PAGE_MS = 3_000;
/** Browsers end a worker that works on for five minutes. */
const WORK_MS_MAX = 270_000;
/** An order whose end is further away than this is waited for without the stream, which is opened again so long before. */
const REST_MS_MIN = 5_000;
/** How often an order is tried again that could not be opened. */
const AGAIN_MS = 2_000;
/** Said by the house about the moment, and not about the order. */
const FOR_NOW: ReadonlySet<string> = new Set(["RATE_LIMITED", "NOT_NOW", "SERVER_ERROR"]);

const client = createClient({
  baseUrl: "",
  // The token is in the page's storage alone (decision 18): the nonce says who asks.
  token: () => null,
  lang: () => "en_US",
});

let last: Promise<boolean> = Promise.resolve(true);

/**
 * Opens what no page opened: each accepted order that is still kept, once a signed head is newer than its acceptance, or than its end
 * where it stays sealed so long. Runs in the service worker, one call after the other.
 *
 * @returns Whether nothing is left that could be opened later. What the house refuses is left to the member's next page, which
 *   knows more.
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

/** Answers whether it was cut short by news of an order. */
function rest(ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    endRest = () => {
      clearTimeout(timer);
      resolve(true);
    };
  });
}

/** Listens for as long as anything can be opened soon. Null once nothing is left, else for how long nothing is due, in ms. */
async function openWhileDue(refused: Set<string>, until: number): Promise<number | null> {
  const stream = listen();
  // A head of before the last rest tells nothing of the time.
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
  return now === undefined ? 0 : Math.min(...left.map((each) => opensAfter(each.acceptedAt, each))) - now;
}

type Accepted = KeptChoice & { readonly orderNo: string; readonly acceptedAt: number };

/** What is kept of orders that the house has accepted. */
async function accepted(): Promise<Accepted[]> {
  const all = await readAllChoices();
  return all.flatMap(({ orderNo, acceptedAt, ...kept }) =>
    orderNo === null || acceptedAt === null ? [] : [{ ...kept, orderNo, acceptedAt }],
  );
}

/** Heads come with prices, which everybody may hear. */
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
    const { member, clientOrderId, orderNo, acceptedAt, nonce, direction, limitPrice } = choice;
    const head = newestHead();
    if (refused.has(clientOrderId) || head === null || head.at <= acceptedAt) continue;
    await noteBound(member, clientOrderId, head).catch(() => undefined);
    if (head.at <= opensAfter(acceptedAt, choice)) continue;
    const fields = { orderNo, nonce, direction, userId: member, ...(limitPrice !== null && { limitPrice }) };
    const send = () => client.call<typeof orderReveal>("order/reveal", fields);
    const answer = await sendOrPost(choice, send, ({ ok }) => !ok);
    if (answer.ok) {
      const acknowledged = answer.value.reveal;
      await noteReveal(member, clientOrderId, { nonce, direction, limitPrice, acknowledged }).catch(() => undefined);
      await dropChoice(clientOrderId);
    } else if (answer.failure.error !== null && !FOR_NOW.has(answer.failure.error)) refused.add(clientOrderId);
  }
}

/** Answers whether one came within `ms`. */
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
