// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "../queries.ts";
import { keepOpening, noteAccepted, openAll } from "./open-orders.ts";
import { holdChoice } from "./placed-here.ts";
import { dropChoice, keepChoice, type KeptChoice, readAllChoices, readChoice } from "./shelf.ts";
import { acknowledge, SERVED_KEYS } from "./test-house.ts";
import { bringHead } from "./test-sealing.ts";

// How a page handles orders that stay sealed until their end, and storage that the browser has lost. The journeys
// `sealed-until-end` and `sealed-trouble` run it for real.

const MEMBER = "usr_page";
const ACCEPTED = Date.now() + 1_000_000;
const revealed: URLSearchParams[] = [];
let expiresAt: number | null = null;
let told = {};
let made = 0;

function logIn(): void {
  localStorage.setItem("exchange2508Token", "token");
  localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId: MEMBER } }));
}

function choice(change: Partial<KeptChoice> = {}): KeptChoice {
  made += 1;
  const told = { clientOrderId: `page-${made}`, member: MEMBER, wallet: "practice", direction: "up" } as const;
  const nothing = { limitPrice: null, nonce: "ab".repeat(32), sentAt: 1 };
  return { ...told, ...nothing, orderNo: `ord_${made}`, acceptedAt: ACCEPTED, ...change };
}

beforeEach(() => {
  logIn();
  revealed.length = 0;
  expiresAt = null;
  told = {};
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    const body = init.body as URLSearchParams;
    const answer = (data: unknown) => Response.json({ code: 200, msg: "", data });
    if (path.endsWith("/log/keys")) return new Response(SERVED_KEYS);
    if (path.endsWith("order/detail"))
      return answer({ orderNo: body.get("orderNo"), state: "accepted", wallet: "practice", expiresAt, ...told });
    if (!path.endsWith("order/reveal")) return answer({ items: [], nextCursor: null });
    revealed.push(body);
    return answer(acknowledge(body));
  });
  keepOpening();
});
afterEach(async () => {
  vi.unstubAllGlobals();
  queryClient.clear();
  for (const { clientOrderId } of await readAllChoices()) await dropChoice(clientOrderId);
});

const opened = () => revealed.map((body) => body.get("orderNo"));

describe("a page", () => {
  it("opens an order that stays sealed until its end with the first head after it, and stores when that is", async () => {
    const mine = choice({ untilEnd: { durationSeconds: 30, expiresAt: null } });
    await keepChoice(mine);
    bringHead(ACCEPTED + 300);
    // No entry yet, so it is checked again.
    await vi.waitFor(async () => expect(await readChoice(mine.clientOrderId)).toMatchObject(mine));
    expiresAt = ACCEPTED + 30_500;
    await vi.waitFor(
      async () => {
        bringHead(ACCEPTED + 400);
        expect((await readChoice(mine.clientOrderId))?.untilEnd?.expiresAt).toBe(expiresAt);
      },
      { timeout: 10_000, interval: 200 },
    );
    bringHead(ACCEPTED + 30_500);
    await vi.waitFor(async () => expect(await readChoice(mine.clientOrderId)).toBeDefined());
    expect(opened()).toEqual([]);
    bringHead(ACCEPTED + 30_501);
    await vi.waitFor(() => expect(opened()).toEqual([mine.orderNo]), { timeout: 5_000 });
    await vi.waitFor(async () => expect(await readAllChoices()).toEqual([]));
  });

  it("opens an order after its latest possible end although the house never says when that is", async () => {
    const mine = choice({ untilEnd: { durationSeconds: 30, expiresAt: null } });
    bringHead(ACCEPTED + 40_000);
    await keepChoice(mine);
    await openAll();
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    });
    expect(opened()).toEqual([]);
    await vi.waitFor(
      () => {
        bringHead(ACCEPTED + 40_001);
        expect(opened()).toEqual([mine.orderNo]);
      },
      { timeout: 15_000, interval: 200 },
    );
  }, 30_000);

  it("opens what it placed although the browser's storage was wiped since", async () => {
    const mine = choice({ orderNo: null, acceptedAt: null });
    holdChoice(mine);
    bringHead(ACCEPTED + 60_000);
    const order = { clientOrderId: mine.clientOrderId, orderNo: "ord_wiped", acceptedAt: ACCEPTED + 59_000 };
    await noteAccepted(MEMBER, order as Parameters<typeof noteAccepted>[1]);
    await dropChoice(mine.clientOrderId);
    await vi.waitFor(() => expect(opened()).toEqual(["ord_wiped"]), { timeout: 5_000 });
  });

  it("opens what it placed although the login was wiped too: the nonce shows whose it is", async () => {
    const mine = choice({ orderNo: null, acceptedAt: null });
    holdChoice(mine);
    localStorage.clear();
    const order = { clientOrderId: mine.clientOrderId, orderNo: "ord_alone", acceptedAt: ACCEPTED + 61_000 };
    await noteAccepted(MEMBER, order as Parameters<typeof noteAccepted>[1]);
    await dropChoice(mine.clientOrderId);
    bringHead(ACCEPTED + 62_000);
    await vi.waitFor(() => expect(opened()).toEqual(["ord_alone"]), { timeout: 5_000 });
    expect(revealed[0]?.get("userId")).toBe(MEMBER);
  });

  it.each([
    ["it says that the order has expired", (at: number) => ({ expiresAt: at + 1 })],
    ["it says that the order is over", () => ({ state: "settled", outcome: "voided" })],
    ["it dates a head far ahead", (at: number) => ({ expiresAt: at + 3_600_500 })],
  ])("keeps an order sealed until its end from a house that wants its direction earlier: %s", async (_what, lie) => {
    const at = Date.now();
    told = lie(at);
    const untilEnd = { durationSeconds: 3_600, expiresAt: null };
    const mine = choice({ acceptedAt: at, placedAt: at - 200, symbol: "EURUSD", untilEnd });
    bringHead(at + 600);
    await keepChoice(mine);
    // The page has to know that something is left, or else it looks at no head.
    await openAll();
    await new Promise((resolve) => {
      setTimeout(resolve, 2_500);
    });
    bringHead(at + 3_700_000);
    await new Promise((resolve) => {
      setTimeout(resolve, 2_500);
    });
    expect(opened()).toEqual([]);
    expect(await readChoice(mine.clientOrderId)).toBeDefined();
  });
});
