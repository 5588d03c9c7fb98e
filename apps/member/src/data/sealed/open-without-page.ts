import { createClient, createStream, type Stream } from "@fairtick/client";
import type { orderReveal } from "@fairtick/protocol";
import { noteBound, noteReveal } from "./evidence-opening.ts";
import { newestHead, takeHead, watchHeads } from "./heads.ts";
import { sendOrPost } from "./post-board.ts";
import { dropChoice, type KeptChoice, readAllChoices } from "./shelf.ts";
import { OPENING_LOCK } from "./wake-worker.ts";

/** A page opens its orders about a second after they were accepted. */
const PAGE_MS = 3_000;
/** Browsers end a worker that works on longer than a few minutes. */
const WORK_MS_MAX = 120_000;
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
 * Opens what no page opened: each accepted order that is still kept, once a signed head is newer than its acceptance. Runs in the
 * service worker, one call after the other.
 *
 * @returns Whether nothing is left that could be opened later. What the house refuses is left to the member's next page, which
 *   knows more.
 */
export function openWithoutPage(): Promise<boolean> {
  const mine = last.then(openWhatIsLeft);
  last = mine.catch(() => false);
  return mine;
}

async function openWhatIsLeft(): Promise<boolean> {
  if ((await accepted()).length === 0) return true;
  await pause(PAGE_MS);
  if ((await accepted()).length === 0) return true;
  const stream = listen();
  const refused = new Set<string>();
  try {
    const until = performance.now() + WORK_MS_MAX;
    do {
      await navigator.locks.request(OPENING_LOCK, () => openEach(refused));
      if ((await accepted()).every(({ clientOrderId }) => refused.has(clientOrderId))) return true;
      await nextHead(AGAIN_MS);
    } while (performance.now() < until);
    return false;
  } finally {
    stream.close();
  }
}

/** What is kept of orders that the house has accepted. */
async function accepted(): Promise<(KeptChoice & { readonly orderNo: string; readonly acceptedAt: number })[]> {
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

function nextHead(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop();
      clearTimeout(timer);
      resolve();
    };
    const stop = watchHeads(done);
    const timer = setTimeout(done, ms);
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
