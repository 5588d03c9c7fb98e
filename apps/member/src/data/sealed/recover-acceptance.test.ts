// @vitest-environment jsdom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { activateAllWords } from "../../shared/i18n.ts";
import { placeOrder } from "../place-order.ts";
import { currentAlarms, dropAlarms, raiseEvidence } from "../proof/alarms.ts";
import { forgetPinned } from "../proof/pinned-now.ts";
import { readEvidence } from "./evidence-shelf.ts";
import { watchEvidence } from "./evidence.ts";
import { keepOpening, noteRefused, openAll } from "./open-orders.ts";
import { readChoice } from "./shelf.ts";
import { keys, queryClient } from "../queries.ts";
import { checkOnce } from "../proof/check-round.ts";
import { acceptWish, acknowledge, bringSignedHead, DEVICE, MEMBER, refuseWish, SERVED_KEYS } from "./test-house.ts";

// The house accepts an order but withholds its answer. The app finds the order in the lists.

const BOARD = "https://witness.test";
const accepted = (data: object) => Response.json({ code: 200, msg: "", data });
const wishes: string[] = [];
const posted: string[] = [];
let order: ReturnType<typeof acceptWish> | null = null;
let answer: (body: URLSearchParams) => Response;
let reveal: (body: URLSearchParams) => Response;
let made = 0;

const noAnswer = (): Response => {
  throw new TypeError("no answer");
};

beforeAll(() => activateAllWords("en"));
watchEvidence(raiseEvidence);
beforeEach(() => {
  localStorage.clear();
  // Every order here has the same number.
  queryClient.clear();
  localStorage.setItem("exchange2508Token", "token");
  localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId: MEMBER } }));
  forgetPinned();
  dropAlarms();
  wishes.length = 0;
  posted.length = 0;
  order = null;
  answer = noAnswer;
  reveal = (body) => accepted(acknowledge(body));
  bringSignedHead();
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    const body = init?.body as URLSearchParams;
    if (path === "/client/device/add") return accepted({ deviceId: DEVICE });
    if (path === "/client/order/place") {
      wishes.push([...body].map(String).toSorted().join("&"));
      order ??= acceptWish(body);
      return answer(body);
    }
    if (path === "/client/device/list") return accepted([]);
    const { acceptance: _, ...shown } = order ?? { acceptance: null };
    if (path === "/client/order/detail") return accepted({ ...shown, expiresAt: null });
    if (path === "/client/order/positions") return accepted({ items: order === null ? [] : [shown], nextCursor: null });
    if (path === "/client/order/history") return accepted({ items: [], nextCursor: null });
    if (path === "/client/order/reveal") return reveal(body);
    if (path.endsWith("/log/keys")) return new Response(SERVED_KEYS);
    if (path.endsWith("/log/witnesses")) return Response.json({ witnesses: [{ board: BOARD }] });
    if (path !== `${BOARD}/reveal`) return new Response("", { status: 404 });
    posted.push(String(body));
    return new Response("a line");
  });
  keepOpening();
});
afterEach(() => vi.unstubAllGlobals());

async function placeUnanswered(): Promise<string> {
  made += 1;
  const clientOrderId = `withheld-${made}`;
  const terms = { wallet: "practice", symbol: "EURUSD", direction: "down", stake: "12.50", duration: 60 } as const;
  const figures = { payoutRate: "0.9", fee: "0.12", sentAt: Date.now() };
  await placeOrder({ clientOrderId, member: MEMBER, ...terms, ...figures }).catch(() => undefined);
  return clientOrderId;
}

async function until(check: () => Promise<void> | void): Promise<void> {
  await vi.waitFor(
    async () => {
      bringSignedHead(Date.now() + made * 100_000);
      await openAll();
      await check();
    },
    { timeout: 30_000, interval: 200 },
  );
}

it("sends the same request again, keeps its acceptance and can post the reveal", async () => {
  const clientOrderId = await placeUnanswered();
  answer = () => accepted(order!);
  reveal = noAnswer;
  await until(() => expect(posted).toHaveLength(1));
  expect(new Set(wishes).size).toBe(1);
  expect(await readEvidence(MEMBER, clientOrderId)).toMatchObject({ answered: "ok", answer: { kind: "accepted" } });
  reveal = (body) => accepted(acknowledge(body));
  await until(async () => expect(await readChoice(clientOrderId)).toBeUndefined());
  expect(currentAlarms()).toEqual([]);
}, 60_000);

it("opens the order all the same if its acceptance is withheld, and reports that it is missing", async () => {
  const clientOrderId = await placeUnanswered();
  answer = () => accepted({ ...order!, acceptance: null });
  await until(async () => expect(await readChoice(clientOrderId)).toBeUndefined());
  expect(await readEvidence(MEMBER, clientOrderId)).toMatchObject({ answered: "missing", opened: "ok" });
  expect(currentAlarms()).toMatchObject([{ kind: "order", fault: "unproven", key: clientOrderId }]);
}, 60_000);

it("opens an order that the house accepted although it answered with a refusal without a proof", async () => {
  answer = () => Response.json({ code: 400, msg: "Not allowed", data: { error: "FORBIDDEN" } }, { status: 400 });
  const clientOrderId = await placeUnanswered();
  await noteRefused(clientOrderId, false);
  expect(await readChoice(clientOrderId)).toBeDefined();
  answer = () => accepted(order!);
  await until(async () => expect(await readChoice(clientOrderId)).toBeUndefined());
  expect(await readEvidence(MEMBER, clientOrderId)).toMatchObject({ answer: { kind: "accepted" }, opened: "ok" });
}, 60_000);

it("forgets the choice of an order that the house refused without a proof once its lists don't have it", async () => {
  answer = () => Response.json({ code: 400, msg: "Not now", data: { error: "NOT_NOW" } }, { status: 400 });
  const clientOrderId = await placeUnanswered();
  order = null;
  await noteRefused(clientOrderId, false);
  made += 3;
  await until(async () => expect(await readChoice(clientOrderId)).toBeUndefined());
  expect((await readEvidence(MEMBER, clientOrderId))?.reveal ?? null).toBeNull();
}, 60_000);

/** Shows the order in the lists, as a house does that hid it before, and runs the app's own checks. */
async function show(hidden: NonNullable<typeof order>): Promise<void> {
  order = hidden;
  answer = () => accepted(hidden);
  const { acceptance: _, ...shown } = hidden;
  queryClient.setQueryData(keys.positions("practice"), { items: [shown], nextCursor: null });
  await checkOnce();
}

it.each([
  ["signed a refusal of", "both", true],
  ["claimed a signed refusal of", "ok", false],
])(
  "opens an order that the house accepted although it %s it, once its end is over, and finds the answers %s",
  async (_what, answered, isReal) => {
    answer = (body) => {
      const told = isReal ? refuseWish(body, "LATE") : { error: "LATE", refusal: {} };
      return Response.json({ code: 422, msg: "no", data: told }, { status: 422 });
    };
    const clientOrderId = await placeUnanswered();
    await noteRefused(clientOrderId, true);
    expect(await readChoice(clientOrderId)).toBeUndefined();
    made += 1;
    await show(order!);
    await until(async () => expect((await readChoice(clientOrderId))?.orderNo).toBe(order?.orderNo));
    expect((await readEvidence(MEMBER, clientOrderId))?.reveal ?? null).toBeNull();
    await expectOpenedAfterEnd(clientOrderId);
    await until(async () => expect(await readEvidence(MEMBER, clientOrderId)).toMatchObject({ answered }));
  },
  60_000,
);

it("opens an order that the house hid until this device had given it up", async () => {
  const clientOrderId = await placeUnanswered();
  const hidden = order!;
  order = null;
  made += 3;
  await until(async () => expect(await readChoice(clientOrderId)).toBeUndefined());
  await show(hidden);
  await expectOpenedAfterEnd(clientOrderId);
}, 60_000);

async function expectOpenedAfterEnd(clientOrderId: string): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 80_000 });
  try {
    await until(async () => expect(await readChoice(clientOrderId)).toBeUndefined());
  } finally {
    vi.useRealTimers();
  }
  expect(await readEvidence(MEMBER, clientOrderId)).toMatchObject({ answer: { kind: "accepted" }, opened: "ok" });
}
