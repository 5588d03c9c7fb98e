// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { changeEvidence, readEvidence } from "./evidence-shelf.ts";
import { openWithoutPage } from "./open-without-page.ts";
import { dropChoice, keepChoice, type KeptChoice, readAllChoices } from "./shelf.ts";
import { ACCEPTANCE_LINE, acknowledge, LOG } from "./test-house.ts";
import { bringHead } from "./test-sealing.ts";

// How the service worker handles orders that no page opened. It runs for real in the journey `closed-app`.

const MEMBER = "usr_gone";
const BOARD = "https://witness.test";
const sent: URLSearchParams[] = [];
const posted: string[] = [];
let headers: unknown[] = [];
let answer: (body: URLSearchParams) => Response;
let made = 0;
/** Number of streams opened and closed. */
let opened = 0;
let closed = 0;

const accepted = (body: URLSearchParams) => Response.json({ code: 200, msg: "", data: acknowledge(body) });
const refused = (error: string) => Response.json({ code: 422, msg: "no", data: { error } });

async function keep(change: Partial<KeptChoice> = {}): Promise<string> {
  made += 1;
  const clientOrderId = `without-page-${made}`;
  const choice = { clientOrderId, member: MEMBER, wallet: "practice", direction: "up", limitPrice: null } as const;
  const limitPoints = change.limitPrice === undefined ? null : "108500";
  const judging = { keys: [ACCEPTANCE_LINE], limitPoints };
  const first = { nonce: "ab".repeat(32), sentAt: 1, orderNo: "ord_1", acceptedAt: 2, judging };
  await keepChoice({ ...choice, ...first, ...change });
  return clientOrderId;
}

const pause = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
const keptIds = async () => (await readAllChoices()).map(({ clientOrderId }) => clientOrderId);

beforeEach(() => {
  sent.length = 0;
  posted.length = 0;
  headers = [];
  opened = 0;
  closed = 0;
  answer = accepted;
  vi.stubGlobal(
    "WebSocket",
    class extends EventTarget {
      static readonly OPEN = 1;
      readyState = 0;
      constructor() {
        super();
        opened += 1;
      }
      close() {
        closed += 1;
      }
    },
  );
  Object.defineProperty(navigator, "locks", {
    configurable: true,
    value: { request: (_name: string, work: () => unknown) => work() },
  });
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    if (path === `${BOARD}/reveal`) {
      posted.push(init.body as string);
      return new Response("a line");
    }
    if (path !== "/client/order/reveal") throw new Error(path);
    const body = init.body as URLSearchParams;
    sent.push(body);
    headers.push(init.headers);
    return answer(body);
  });
});
afterEach(async () => {
  vi.unstubAllGlobals();
  for (const id of await keptIds()) await dropChoice(id);
});

describe("without a page", () => {
  it("an order is opened by its nonce, without a token, and its evidence is stored", async () => {
    localStorage.setItem("exchange2508Token", "token");
    const clientOrderId = await keep({ limitPrice: "1.08500" });
    await changeEvidence(MEMBER, clientOrderId, () => evidence(clientOrderId));
    bringHead(5);
    expect(await openWithoutPage()).toBe(true);
    expect(Object.fromEntries(sent[0] ?? [])).toEqual({
      orderNo: "ord_1",
      nonce: "ab".repeat(32),
      direction: "up",
      userId: MEMBER,
      limitPrice: "1.08500",
    });
    expect(headers[0]).not.toHaveProperty("exchange2508Token");
    expect(await keptIds()).toEqual([]);
    expect(await readEvidence(MEMBER, clientOrderId)).toMatchObject({
      bound: { at: 5 },
      reveal: { nonce: "ab".repeat(32), direction: "up", acknowledged: acknowledge(sent[0]!).reveal },
    });
  });

  it("nothing is opened before a head binds it or before it is answered", async () => {
    const unanswered = await keep({ orderNo: null, acceptedAt: null });
    const ahead = Date.now() + 3_600_000;
    const clientOrderId = await keep({ acceptedAt: ahead });
    bringHead(ahead);
    const opening = openWithoutPage();
    await new Promise((resolve) => {
      setTimeout(resolve, 3_500);
    });
    expect(sent).toEqual([]);
    bringHead(ahead + 500);
    expect(await opening).toBe(true);
    expect(sent).toHaveLength(1);
    expect(await keptIds()).toEqual([unanswered]);
    expect(await keptIds()).not.toContain(clientOrderId);
  });

  it("what a page has opened in the meantime is left alone", async () => {
    const clientOrderId = await keep();
    const opening = openWithoutPage();
    await dropChoice(clientOrderId);
    expect(await opening).toBe(true);
    expect(sent).toEqual([]);
  });

  it("a missing network is waited for, and a refusal is left to the next page", async () => {
    const clientOrderId = await keep();
    bringHead(Date.now() + 3_700_000);
    let tries = 0;
    answer = () => {
      tries += 1;
      if (tries === 1) throw new TypeError("no network");
      return refused(tries === 2 ? "NOT_NOW" : "REVEAL_WRONG");
    };
    expect(await openWithoutPage()).toBe(true);
    expect(tries).toBe(3);
    expect(await keptIds()).toEqual([clientOrderId]);
  });

  it.each([
    ["without an acknowledgement", () => null],
    ["with an acknowledgement that another key signed", (body: URLSearchParams) => acknowledge(body, LOG).reveal],
  ])("a reveal that is answered %s is posted, and sent until it is acknowledged", async (_what, acknowledgement) => {
    const clientOrderId = await keep({ posting: { body: "posting", boards: [BOARD] } });
    await changeEvidence(MEMBER, clientOrderId, () => evidence(clientOrderId));
    bringHead(Date.now() + 3_750_000);
    answer = (body) =>
      posted.length === 0
        ? Response.json({ code: 200, msg: "", data: { ...acknowledge(body), reveal: acknowledgement(body) } })
        : accepted(body);
    expect(await openWithoutPage()).toBe(true);
    expect(posted).toEqual(["posting"]);
    expect(await readEvidence(MEMBER, clientOrderId)).toMatchObject({
      boards: ["a line"],
      reveal: { acknowledged: acknowledge(sent[0]!).reveal },
    });
    expect(await keptIds()).toEqual([]);
  });

  it("a reveal that the house refuses is posted at once and noted, and left to the next page", async () => {
    const clientOrderId = await keep({ posting: { body: "posting", boards: [BOARD] } });
    await changeEvidence(MEMBER, clientOrderId, () => evidence(clientOrderId));
    bringHead(Date.now() + 3_755_000);
    answer = () => refused("REVEAL_WRONG");
    expect(await openWithoutPage()).toBe(true);
    expect([sent.length, posted]).toEqual([1, ["posting"]]);
    expect(await keptIds()).toEqual([clientOrderId]);
    expect(await readEvidence(MEMBER, clientOrderId)).toMatchObject({
      boards: ["a line"],
      reveal: { direction: "up", acknowledged: null, at: expect.any(Number) },
    });
  });

  it("an acknowledgement that this worker has no keys for is kept, and left to the next page to judge", async () => {
    const clientOrderId = await keep({ judging: undefined });
    await changeEvidence(MEMBER, clientOrderId, () => evidence(clientOrderId));
    bringHead(Date.now() + 3_760_000);
    expect(await openWithoutPage()).toBe(true);
    expect(sent).toHaveLength(1);
    expect(await keptIds()).toEqual([clientOrderId]);
    expect(await readEvidence(MEMBER, clientOrderId)).toMatchObject({
      reveal: { acknowledged: acknowledge(sent[0]!).reveal },
    });
  });

  it("an order that stays sealed until its end is opened by the first head after it", async () => {
    const ahead = Date.now() + 3_800_000;
    const untilEnd = { durationSeconds: 3, expiresAt: ahead + 4_000 };
    const clientOrderId = await keep({ acceptedAt: ahead, untilEnd });
    await changeEvidence(MEMBER, clientOrderId, () => evidence(clientOrderId));
    bringHead(ahead + 500);
    const opening = openWithoutPage();
    // Bound already, but the head at the expiry itself may lack its last tick.
    await vi.waitFor(
      async () => expect(await readEvidence(MEMBER, clientOrderId)).toMatchObject({ bound: { at: ahead + 500 } }),
      {
        timeout: 10_000,
      },
    );
    bringHead(ahead + 4_000);
    await pause();
    expect(sent).toEqual([]);
    bringHead(ahead + 4_001);
    expect(await opening).toBe(true);
    expect(sent).toHaveLength(1);
    expect(await keptIds()).toEqual([]);
  });

  it("an order with an unknown entry is opened once the end of even the latest entry is over", async () => {
    const ahead = Date.now() + 3_900_000;
    await keep({ acceptedAt: ahead, untilEnd: { durationSeconds: 30, expiresAt: null } });
    const opening = openWithoutPage();
    bringHead(ahead + 36_000);
    await new Promise((resolve) => {
      setTimeout(resolve, 3_500);
    });
    bringHead(ahead + 40_000);
    await pause();
    expect(sent).toEqual([]);
    bringHead(ahead + 40_001);
    expect(await opening).toBe(true);
    expect(sent).toHaveLength(1);
  });

  it("news of an order interrupts the rest until another one's end", async () => {
    const ahead = Date.now() + 4_000_000;
    const waiting = await keep({
      acceptedAt: ahead,
      untilEnd: { durationSeconds: 3_600, expiresAt: ahead + 3_600_000 },
    });
    void openWithoutPage();
    await vi.waitFor(
      () => {
        bringHead(ahead + 600);
        expect(closed).toBe(opened);
        expect(opened).toBeGreaterThan(0);
      },
      { timeout: 15_000, interval: 500 },
    );
    const clientOrderId = await keep({ orderNo: "ord_2", acceptedAt: ahead });
    void openWithoutPage();
    await vi.waitFor(() => expect(sent).toHaveLength(1), { timeout: 15_000 });
    expect(sent[0]?.get("orderNo")).toBe("ord_2");
    await vi.waitFor(async () => expect(await keptIds()).toEqual([waiting]));
    expect(clientOrderId).not.toBe(waiting);
  });
});

function evidence(clientOrderId: string) {
  const nothing = { answer: null, bound: null, reveal: null, answered: null, logged: null };
  return { member: MEMBER, clientOrderId, sentAt: 1, wishes: [], told: false, ...nothing };
}
