// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { changeEvidence, readEvidence } from "./evidence-shelf.ts";
import { openWithoutPage } from "./open-without-page.ts";
import { dropChoice, keepChoice, type KeptChoice, readAllChoices } from "./shelf.ts";
import { bringHead } from "./test-sealing.ts";

// What the service worker does with orders that no page opened. It runs for real in the journey `closed-app`.

const MEMBER = "usr_gone";
const ACKNOWLEDGED = { at: 7, signature: null, key: null };
const sent: URLSearchParams[] = [];
let headers: unknown[] = [];
let answer: (body: URLSearchParams) => Response;
let made = 0;

const accepted = () =>
  Response.json({
    code: 200,
    msg: "",
    data: { orderNo: "ord_1", direction: "up", limitPrice: null, reveal: ACKNOWLEDGED },
  });
const refused = (error: string) => Response.json({ code: 422, msg: "no", data: { error } });

async function keep(change: Partial<KeptChoice> = {}): Promise<string> {
  made += 1;
  const clientOrderId = `without-page-${made}`;
  const choice = { clientOrderId, member: MEMBER, wallet: "practice", direction: "up", limitPrice: null } as const;
  await keepChoice({ ...choice, nonce: "ab".repeat(32), sentAt: 1, orderNo: "ord_1", acceptedAt: 2, ...change });
  return clientOrderId;
}

const keptIds = async () => (await readAllChoices()).map(({ clientOrderId }) => clientOrderId);

beforeEach(() => {
  sent.length = 0;
  headers = [];
  answer = accepted;
  vi.stubGlobal(
    "WebSocket",
    class extends EventTarget {
      static readonly OPEN = 1;
      readyState = 0;
      close() {}
    },
  );
  Object.defineProperty(navigator, "locks", {
    configurable: true,
    value: { request: (_name: string, work: () => unknown) => work() },
  });
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
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
  it("an order is opened by its nonce, without a token, and its evidence kept", async () => {
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
      reveal: { nonce: "ab".repeat(32), direction: "up", acknowledged: ACKNOWLEDGED },
    });
  });

  it("nothing is opened before a head binds it, nor what has no answer", async () => {
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

  it("what the page opened meanwhile is left alone", async () => {
    const clientOrderId = await keep();
    const opening = openWithoutPage();
    await dropChoice(clientOrderId);
    expect(await opening).toBe(true);
    expect(sent).toEqual([]);
  });

  it("a network that is away is waited for, and a refusal left to the next page", async () => {
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
});

function evidence(clientOrderId: string) {
  const nothing = { answer: null, bound: null, reveal: null, answered: null, logged: null };
  return { member: MEMBER, clientOrderId, sentAt: 1, wishes: [], told: false, ...nothing };
}
