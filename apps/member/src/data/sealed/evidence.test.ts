// @vitest-environment jsdom
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  batchRoot,
  type Instant,
  merkleTree,
  opensSeal,
  refusalCommitment,
  termsHash,
  termsJson,
  toHex,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { parseRefusedOpenings } from "@fairtick/transparency";
import { activateAllWords } from "../../shared/i18n.ts";
import { currentAlarms, dropAlarms, raiseEvidence, settleAlarm } from "../proof/alarms.ts";
import { forgetPinned } from "../proof/pinned-now.ts";
import type { PendingOrder } from "../pending-order.ts";
import { placeOrder } from "../place-order.ts";
import { logOut } from "../session.ts";
import { checkAnswer } from "./check-evidence.ts";
import { watchEvidence } from "./evidence.ts";
import { findEvidence, heldOf, type KeptEvidence, readAllEvidence, readEvidence } from "./evidence-shelf.ts";
import { noteRefused } from "./open-orders.ts";
import { figuresOf } from "./refused-orders.ts";
import { readChoice } from "./shelf.ts";
import { acceptWish, bringSignedHead, DEVICE, LOG, MEMBER, ORDER, refuseWish, SERVED_KEYS } from "./test-house.ts";

// The evidence that this device stores about an order, and how it judges the answer.

type Answer = (body: URLSearchParams) => Response;
const accepted = (data: object) => Response.json({ code: 200, msg: "", data });
const refused = (data: object, code = 422) => Response.json({ code, msg: "no", data });

let answer: Answer;
let keys: () => Response;
let made = 0;

const pending = (): PendingOrder => {
  made += 1;
  return {
    clientOrderId: `evidence-${made}`,
    member: MEMBER,
    wallet: "practice",
    symbol: "EURUSD",
    direction: "up",
    stake: "12.50",
    duration: 60,
    payoutRate: "0.9",
    fee: "0.12",
    sentAt: Date.now(),
  };
};

const logIn = (userId: string) => {
  localStorage.setItem("exchange2508Token", `token of ${userId}`);
  localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId } }));
};

beforeAll(() => activateAllWords("en"));
watchEvidence(raiseEvidence);
beforeEach(() => {
  localStorage.clear();
  logIn(MEMBER);
  forgetPinned();
  dropAlarms();
  bringSignedHead();
  answer = (body) => accepted(acceptWish(body));
  keys = () => new Response(SERVED_KEYS);
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (path === "/client/device/add") return accepted({ deviceId: DEVICE });
    if (path === "/client/order/place") return answer(init?.body as URLSearchParams);
    if (path.endsWith("/log/keys")) return keys();
    // Nothing is opened here, since that checks an earlier case's order again.
    if (path === "/client/order/reveal") throw new TypeError("no answer");
    if (path.startsWith("/client/")) return accepted({});
    return new Response("", { status: 404 });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** Places an order and waits until its answer has been judged; null if there is nothing to judge. */
async function place(order = pending()): Promise<{ order: PendingOrder; kept: KeptEvidence | null; failed: unknown }> {
  const failed = await placeOrder(order).then(
    () => null,
    (error: unknown) => error,
  );
  const kept = await vi.waitFor(async () => {
    const found = await readEvidence(MEMBER, order.clientOrderId);
    if (found?.answer !== null && found?.answered === null) throw new Error("not judged yet");
    return found ?? null;
  });
  return { order, kept, failed };
}

describe("an acceptance", () => {
  it("that is valid is stored with the request, the seen head and the signed place, and raises no alarm", async () => {
    const { kept } = await place();
    expect(kept).toMatchObject({ answered: "ok", answer: { kind: "accepted", orderNo: ORDER }, told: false });
    expect(kept?.wishes).toHaveLength(1);
    expect(kept?.wishes[0]).toMatchObject({
      stake: "12.50",
      deviceId: DEVICE,
      seal: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(heldOf(kept)).toMatchObject({ batchNo: "3", place: 0 });
    expect(JSON.stringify(kept)).not.toContain('"up"');
    expect(currentAlarms()).toEqual([]);
  });

  const bend = (change: (answered: ReturnType<typeof acceptWish>) => object) => {
    answer = (body) => accepted(change(acceptWish(body)));
  };
  it.each([
    ["null", "missing", "unproven", () => bend((a) => ({ ...a, acceptance: null }))],
    [
      "without a path",
      "missing",
      "unproven",
      () => bend((a) => ({ ...a, acceptance: { ...a.acceptance, path: null } })),
    ],
    [
      "with another signature",
      "signature",
      "unsigned",
      () => bend((a) => ({ ...a, acceptance: { ...a.acceptance, signature: btoa("a".repeat(64)) } })),
    ],
    ["of another order", "path", "other", () => bend((a) => ({ ...a, acceptance: { ...a.acceptance, batchNo: "4" } }))],
    [
      "four seconds later",
      "late",
      "late",
      () => {
        answer = (body) => accepted(acceptWish(body, Date.now() + 4_000));
      },
    ],
    ["based on prices that another key signed", "head", "head", () => bringSignedHead(Date.now() + 5, LOG)],
  ])("%s is reported, and the order is placed all the same", async (_, found, fault, plant) => {
    plant();
    const { kept, failed, order } = await place();
    expect(failed).toBeNull();
    expect(kept?.answered).toBe(found);
    expect(currentAlarms()).toMatchObject([{ kind: "order", fault, key: order.clientOrderId, orderNo: ORDER }]);
  });

  it("is reported once and stays on record", async () => {
    bend((a) => ({ ...a, acceptance: null }));
    const { order } = await place();
    settleAlarm(currentAlarms()[0]!);
    const kept = await vi.waitFor(async () => {
      const found = await readEvidence(MEMBER, order.clientOrderId);
      expect(found?.told).toBe(true);
      return found!;
    });
    raiseEvidence(kept);
    expect(currentAlarms()).toEqual([]);
    expect(kept.answered).toBe("missing");
  });

  it("is judged later if the keys can't be fetched, but a missing one at once", async () => {
    keys = () => new Response("", { status: 503 });
    const order = pending();
    await placeOrder(order);
    const waiting = await vi.waitFor(async () => {
      const found = await readEvidence(MEMBER, order.clientOrderId);
      if ((found?.answer ?? null) === null || found === undefined) throw new Error("no answer yet");
      return found;
    });
    await checkAnswer(waiting);
    expect((await readEvidence(MEMBER, order.clientOrderId))?.answered).toBeNull();
    keys = () => new Response(SERVED_KEYS);
    await checkAnswer(waiting);
    expect((await readEvidence(MEMBER, order.clientOrderId))?.answered).toBe("ok");
    keys = () => new Response("", { status: 503 });
    forgetPinned();
    bend((a) => ({ ...a, acceptance: null }));
    expect((await place()).kept?.answered).toBe("missing");
  });

  it("of the first of two sends is found among both requests", async () => {
    const order = pending();
    const bodies: URLSearchParams[] = [];
    answer = (body) => {
      bodies.push(body);
      return accepted(acceptWish(bodies[0]!));
    };
    await placeOrder(order);
    bringSignedHead(Date.now() + 10);
    const { kept } = await place(order);
    expect(kept?.wishes.map(({ seen }) => seen.slot)).toHaveLength(2);
    expect(kept?.answered).toBe("ok");
  });
});

describe("a refusal", () => {
  it("that is signed is stored with its reason and raises no alarm", async () => {
    answer = (body) => refused(refuseWish(body, "EXPOSURE_LIMIT"));
    const { kept, failed } = await place();
    expect(failed).toMatchObject({ kind: "refused" });
    expect(kept).toMatchObject({ answered: "ok", answer: { kind: "refused", error: "EXPOSURE_LIMIT" } });
    expect(currentAlarms()).toEqual([]);
  });

  it.each([
    ["without a proof", "missing", () => ({ error: "EXPOSURE_LIMIT" })],
    [
      "signed for a different reason than it gives",
      "other-reason",
      (body: URLSearchParams) => ({ ...refuseWish(body, "LATE"), error: "EXPOSURE_LIMIT" }),
    ],
  ])("%s is reported", async (_, found, bent) => {
    answer = (body) => refused(bent(body));
    const { kept } = await place();
    expect(kept?.answered).toBe(found);
    expect(currentAlarms()).toMatchObject([{ kind: "order", orderNo: null }]);
  });

  it("is opened by a file for the command, which proves the batch's refusal and names neither member nor stake", async () => {
    answer = (body) => refused(refuseWish(body, "EXPOSURE_LIMIT"));
    const { order, kept } = await place();
    expect(figuresOf([kept!], [])).toMatchObject({ orders: 1, refused: 0 });
    await noteRefused(order.clientOrderId, true);
    expect(await readChoice(order.clientOrderId)).toBeUndefined();
    const found = (await readEvidence(MEMBER, order.clientOrderId))!;
    const { file, ...counts } = figuresOf([found], []);
    expect(counts).toEqual({ orders: 1, refused: 1, unsigned: 0, unsignedAt: null });
    expect(file).not.toContain(MEMBER);
    expect(file).not.toContain("12.5");
    const [opening] = parseRefusedOpenings(file);
    const { symbol, duration: durationSeconds, direction, limitPrice, seal, sealNonce, nonce, own, batch } = opening!;
    expect({ symbol, durationSeconds, direction, limitPrice }).toEqual({
      symbol: "EURUSD",
      durationSeconds: 60,
      direction: "up",
      limitPrice: null,
    });
    expect(opensSeal(nodeHashes, seal!, sealNonce!, { direction, limitPrice: null })).toBe(true);
    const terms = termsJson({ symbol, durationSeconds, direction, limitPrice: null, seal });
    const commitment = refusalCommitment(nodeHashes, termsHash(nodeHashes, nonce, terms), own);
    const { root } = merkleTree(nodeHashes, [commitment]);
    const refusal = found.answer?.kind === "refused" ? found.answer.refusal : null;
    const at = BigInt(refusal!.at) as Instant;
    expect(toHex(batchRoot(nodeHashes, BigInt(batch), at, 0, root))).toBe(refusal!.root);
  });

  it("that comes before anything is judged raises no alarm, but is kept with its time and request, and counted", async () => {
    answer = () => refused({ error: "NOT_NOW" }, 503);
    const order = pending();
    const counted = async (count: number) =>
      vi.waitFor(async () => {
        const found = await readEvidence(MEMBER, order.clientOrderId);
        expect(found?.unsigned ?? []).toHaveLength(count);
        return found!;
      });
    await place(order);
    await counted(1);
    await place(order);
    const turnedAway = await counted(2);
    expect(turnedAway.unsigned).toMatchObject([
      { error: "NOT_NOW", at: expect.closeTo(Date.now(), -4), wish: 0 },
      { error: "NOT_NOW", at: expect.closeTo(Date.now(), -4), wish: 1 },
    ]);
    expect(turnedAway.answer).toBeNull();
    expect(figuresOf([turnedAway], [])).toMatchObject({
      orders: 0,
      unsigned: 2,
      unsignedAt: turnedAway.unsigned?.[1]?.at,
    });
    expect(currentAlarms()).toEqual([]);
    // The same order, accepted later, doesn't hide that it was turned away before.
    answer = (body) => accepted(acceptWish(body));
    const { kept } = await place(order);
    expect(kept).toMatchObject({ answered: "ok", answer: { kind: "accepted" }, unsigned: turnedAway.unsigned });
    expect(figuresOf([kept!], [])).toMatchObject({ orders: 1, unsigned: 2 });
  });

  it.each([
    ["that calls a field wrong", "FIELD_INVALID", () => refused({ error: "FIELD_INVALID" }, 400)],
    ["without a name", "UNNAMED", () => refused({})],
    ["that nobody can read", "UNREADABLE", () => new Response("<h1>Bad gateway</h1>", { status: 502 })],
    ["without a body", "UNREADABLE", () => new Response("")],
  ])(
    "%s is counted as turned away, because the app sends nothing malformed",
    async (_what, error, turnAway) => {
      answer = turnAway;
      const { order } = await place();
      await vi.waitFor(async () => {
        const kept = await readEvidence(MEMBER, order.clientOrderId);
        expect(kept).toMatchObject({ answer: null, unsigned: [{ error, wish: 0 }] });
      });
      expect(currentAlarms().filter(({ key }) => key === order.clientOrderId)).toEqual([]);
    },
    20_000,
  );

  it("that never came isn't counted: the network may be down", async () => {
    answer = () => {
      throw new TypeError("no network");
    };
    const { kept } = await place();
    expect([kept?.answer, kept?.unsigned]).toEqual([null, undefined]);
  }, 20_000);

  it("that says the log is behind was judged with a batch, and is a fault without its proof", async () => {
    answer = () => refused({ error: "LOG_BEHIND" }, 503);
    const { kept } = await place();
    expect(kept).toMatchObject({ answer: { kind: "refused", error: "LOG_BEHIND" }, answered: "missing" });
    expect(currentAlarms()).toHaveLength(1);
  });
});

describe("stored evidence", () => {
  it("survives a logout and is never shown to anyone else", async () => {
    const { order } = await place();
    await logOut();
    logIn("usr_other");
    expect(await readAllEvidence("usr_other")).toEqual([]);
    expect(await findEvidence("usr_other", ORDER)).toBeNull();
    logIn(MEMBER);
    expect(await readEvidence(MEMBER, order.clientOrderId)).toMatchObject({ answered: "ok" });
  });

  it("isn't reported to someone else who has logged in since", async () => {
    answer = (body) => {
      logIn("usr_other");
      return accepted({ ...acceptWish(body), acceptance: null });
    };
    expect((await place()).kept?.answered).toBe("missing");
    expect(currentAlarms()).toEqual([]);
  });

  it("never makes an accepted order look unplaced if the browser can no longer store it", async () => {
    const order = pending();
    const full = vi.spyOn(IDBObjectStore.prototype, "put");
    answer = (body) => {
      full.mockImplementation(() => {
        throw new DOMException("full", "QuotaExceededError");
      });
      return accepted(acceptWish(body));
    };
    try {
      await expect(placeOrder(order)).resolves.toMatchObject({ orderNo: ORDER, direction: "up" });
      expect(full).toHaveBeenCalled();
    } finally {
      full.mockRestore();
    }
  });
});
