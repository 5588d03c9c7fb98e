// @vitest-environment jsdom
import { toHex } from "@fairtick/domain";
import {
  checkPosting,
  COSIGNATURE_TYPE,
  formatBoardLine,
  formatVerifierKey,
  parsePosting,
  parseVerifierKey,
  portableHashes,
  readBoardLine,
  signerKey,
} from "@fairtick/transparency";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { activateAllWords } from "../../shared/i18n.ts";
import type { PendingOrder } from "../pending-order.ts";
import { placeOrder } from "../place-order.ts";
import { forgetPinned } from "../proof/pinned-now.ts";
import { isTaken } from "./check-evidence.ts";
import { readEvidence } from "./evidence-shelf.ts";
import { keepOpening, openAll } from "./open-orders.ts";
import { postToBoards, sendOrPost } from "./post-board.ts";
import { dropChoice, keepChoice, readChoice } from "./shelf.ts";
import { acceptWish, acknowledge, bringSignedHead, DEVICE, LOG, MEMBER, SERVED_KEYS } from "./test-house.ts";

// The house acknowledges no reveal: the app posts it to the witness and stores the witness's answer.

const WITNESS = signerKey("witness.test/1", COSIGNATURE_TYPE, new Uint8Array(32).fill(7));
const BOARD = "https://witness.test";
const OTHERS = signerKey("other.test/1", COSIGNATURE_TYPE, new Uint8Array(32).fill(8));
const OTHER = "https://other.test";
const STRANGER = signerKey("other.test/1", COSIGNATURE_TYPE, new Uint8Array(32).fill(9));
const KEYS = SERVED_KEYS + [WITNESS, OTHERS].map(({ verifier }) => `${formatVerifierKey(verifier)}\n`).join("");
const lineOf = (witness: typeof WITNESS, body: string) => `${formatBoardLine(witness, 0, 5n, body)}\n`;
const accepted = (data: object) => Response.json({ code: 200, msg: "", data });
const signed = (body: URLSearchParams) => Promise.resolve(accepted(acknowledge(body)));
const refusal = (error: string) => Response.json({ code: 422, msg: "no", data: { error } });
const posted: string[] = [];
let named: { key?: string; board: string | null }[];
let reveal: (body: URLSearchParams) => Promise<Response>;
let atOther: (body: string) => Response;
/** What the log serves of its rotations, and what was brought of them to the other board. */
let rotations: string | null = null;
const brought: string[] = [];
let made = 0;
let ahead = 0;

const pending = (): PendingOrder => {
  made += 1;
  const terms = { wallet: "practice", symbol: "EURUSD", direction: "down", stake: "12.50", duration: 60 } as const;
  return {
    clientOrderId: `posted-${made}`,
    member: MEMBER,
    ...terms,
    payoutRate: "0.9",
    fee: "0.12",
    sentAt: Date.now(),
  };
};

beforeAll(() => activateAllWords("en"));
beforeEach(() => {
  localStorage.clear();
  localStorage.setItem("exchange2508Token", "token");
  localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId: MEMBER } }));
  forgetPinned();
  posted.length = 0;
  rotations = null;
  brought.length = 0;
  named = [{ board: BOARD }, { board: null }];
  bringSignedHead();
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (path === "/client/device/add") return accepted({ deviceId: DEVICE });
    if (path === "/client/order/place") return accepted(acceptWish(init?.body as URLSearchParams, Date.now() + ahead));
    if (path === "/client/order/reveal") return reveal(init?.body as URLSearchParams);
    if (path.endsWith("/log/keys")) return new Response(KEYS);
    if (path.endsWith("/log/witnesses")) return Response.json({ witnesses: named });
    if (path === `${BOARD}/reveal`) {
      const body = init?.body as string;
      posted.push(body);
      return new Response(lineOf(WITNESS, body));
    }
    if (path === `${OTHER}/reveal`) return atOther(init?.body as string);
    if (path === `${OTHER}/rotations`) {
      brought.push(init?.body as string);
      return new Response("1 new");
    }
    if (path.endsWith("/log/rotations") && rotations !== null) return new Response(rotations);
    return new Response("", { status: 404 });
  });
  keepOpening();
});
afterEach(() => vi.unstubAllGlobals());

/** Places an order accepted later than every head so far, so that no head opens it before its posting is ready. */
async function placeOne(): Promise<string> {
  ahead += 10_000;
  const order = pending();
  await placeOrder(order);
  return order.clientOrderId;
}

/** Places an order and waits until the app has prepared its posting for the witnesses. */
async function placeForPosting(): Promise<string> {
  const clientOrderId = await placeOne();
  await vi.waitFor(async () => expect((await readChoice(clientOrderId))?.posting).toBeDefined(), { timeout: 20_000 });
  return clientOrderId;
}

/** Brings heads until `check` passes. */
async function until(check: () => Promise<void> | void): Promise<void> {
  await vi.waitFor(
    async () => {
      bringSignedHead(Date.now() + ahead + 1_000);
      await openAll();
      await check();
    },
    { timeout: 20_000, interval: 200 },
  );
}

describe("a reveal", () => {
  it("that isn't acknowledged is posted to every board once, and its line is stored", async () => {
    reveal = () => Promise.reject(new TypeError("no answer"));
    const clientOrderId = await placeForPosting();
    await until(async () => expect((await readEvidence(MEMBER, clientOrderId))?.boards).toHaveLength(1));
    expect(posted).toHaveLength(1);
    const posting = parsePosting(posted[0] ?? "");
    const keys = SERVED_KEYS.trim()
      .split("\n")
      .flatMap((line) => parseVerifierKey(line) ?? []);
    expect(posting && checkPosting(portableHashes, keys, posting)).toBeNull();
    const choice = await readChoice(clientOrderId);
    expect([posting?.direction, posting && toHex(posting.sealNonce)]).toEqual(["down", choice?.nonce]);
    const [line = ""] = (await readEvidence(MEMBER, clientOrderId))?.boards ?? [];
    expect(readBoardLine(line, [WITNESS.verifier])).toMatchObject({ witness: "witness.test/1", at: 5n });
    // Nothing shows whose order it is.
    expect(posted[0]).not.toContain(MEMBER);
    reveal = signed;
    await until(async () => expect(await readChoice(clientOrderId)).toBeUndefined());
    expect(posted).toHaveLength(1);
  });

  it("is posted to the boards that this device was told of before, though the house names none any more", async () => {
    reveal = () => Promise.reject(new TypeError("no answer"));
    localStorage.setItem("fairtickBoards", JSON.stringify([BOARD, 7, "ftp://no.board"]));
    named = [];
    const clientOrderId = await placeForPosting();
    await until(async () => expect((await readEvidence(MEMBER, clientOrderId))?.boards).toHaveLength(1));
    expect(posted).toHaveLength(1);
    expect((await readChoice(clientOrderId))?.posting?.boards).toEqual([BOARD]);
    reveal = signed;
    await until(async () => expect(await readChoice(clientOrderId)).toBeUndefined());
  });

  it("is posted to the pinned witnesses' boards and those known earlier, however many new ones the house names", async () => {
    reveal = signed;
    localStorage.setItem("fairtickBoards", JSON.stringify([BOARD]));
    const junk = Array.from({ length: 12 }, (_, nth) => `https://junk-${nth}.test`);
    const key = formatVerifierKey(OTHERS.verifier);
    const stranger = formatVerifierKey(STRANGER.verifier);
    named = [
      ...junk.map((board) => ({ key: stranger, board })),
      { key, board: OTHER },
      ...junk.toReversed().map((board) => ({ key, board })),
    ];
    const first = await placeForPosting();
    expect((await readChoice(first))?.posting?.boards).toEqual([OTHER, BOARD, ...junk.slice(0, 3)]);
    await until(async () => expect(await readChoice(first)).toBeUndefined());
    for (let orders = 1; orders <= 3; orders += 1) {
      const next = await placeForPosting();
      const boards = (await readChoice(next))?.posting?.boards;
      expect(boards?.slice(0, 2)).toEqual([OTHER, BOARD]);
      expect(boards).toHaveLength(Math.min(5 + 3 * orders, 10));
      await until(async () => expect(await readChoice(next)).toBeUndefined());
    }
  });

  it("is posted after three seconds, and again a minute later to a board that didn't take it", async () => {
    const began = performance.now();
    const times: number[] = [];
    reveal = () => new Promise(() => undefined);
    localStorage.setItem("fairtickBoards", JSON.stringify([BOARD, OTHER]));
    atOther = (body) => {
      times.push(performance.now() - began);
      return times.length === 1 ? new Response("", { status: 503 }) : new Response(lineOf(OTHERS, body));
    };
    const choice = (await readChoice(await placeForPosting()))!;
    const sent = performance.now();
    void sendOrPost(
      choice,
      isTaken,
      () => new Promise(() => undefined),
      () => true,
    ).catch(() => undefined);
    await vi.waitFor(() => expect(times).toHaveLength(1), { timeout: 5_000, interval: 10 });
    const waited = began + times[0]! - sent;
    expect(waited).toBeGreaterThan(2_990);
    expect(waited).toBeLessThan(4_500);
    const linesKept = async () => (await readEvidence(MEMBER, choice.clientOrderId))?.boards;
    await vi.waitFor(async () => expect(await linesKept()).toHaveLength(1));
    const later = performance.now() + 61_000;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => later);
    expect(await postToBoards(choice, isTaken)).toEqual({ taken: 2, left: 0 });
    clock.mockImplementation(() => later + 61_000);
    expect(await postToBoards(choice, isTaken)).toEqual({ taken: 2, left: 0 });
    clock.mockRestore();
    expect([posted.length, times.length]).toEqual([1, 2]);
    const names = ((await linesKept()) ?? []).map((line) => {
      const read = readBoardLine(line, [WITNESS.verifier, OTHERS.verifier]);
      return typeof read === "string" ? read : read?.witness;
    });
    expect(names).toEqual(["witness.test/1", "other.test/1"]);
    await dropChoice(choice.clientOrderId);
  });

  it("is brought with the log's rotations to a board that doesn't know the acceptance key", async () => {
    rotations = JSON.stringify([{ entry: "{}", proof: "p" }]);
    reveal = () => new Promise(() => undefined);
    localStorage.setItem("fairtickBoards", JSON.stringify([OTHER]));
    named = [];
    atOther = (body) =>
      brought.length === 0 ? new Response("no such key", { status: 403 }) : new Response(lineOf(OTHERS, body));
    const choice = (await readChoice(await placeForPosting()))!;
    expect(await postToBoards(choice, isTaken)).toEqual({ taken: 1, left: 0 });
    expect(brought).toEqual([rotations]);
    await dropChoice(choice.clientOrderId);
  });

  it("that is acknowledged in time isn't sent to anyone else", async () => {
    reveal = signed;
    const clientOrderId = await placeOne();
    await until(async () => expect(await readChoice(clientOrderId)).toBeUndefined());
    expect(posted).toEqual([]);
  });

  it.each([
    ["without an acknowledgement", () => null],
    ["with an acknowledgement that another key signed", (body: URLSearchParams) => acknowledge(body, LOG).reveal],
    [
      "with the acknowledgement of another order",
      (body: URLSearchParams) => {
        const other = new URLSearchParams(body);
        other.set("orderNo", "ord_other");
        return acknowledge(other).reveal;
      },
    ],
  ])("that is answered %s is posted, and sent until it is acknowledged", async (_what, acknowledgement) => {
    reveal = (body) => Promise.resolve(accepted({ ...acknowledge(body), reveal: acknowledgement(body) }));
    const clientOrderId = await placeForPosting();
    await until(async () => expect((await readEvidence(MEMBER, clientOrderId))?.boards).toHaveLength(1));
    expect(posted).toHaveLength(1);
    expect(await readChoice(clientOrderId)).toBeDefined();
    reveal = signed;
    const later = performance.now() + 61_000;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => later);
    await until(async () => expect(await readChoice(clientOrderId)).toBeUndefined());
    clock.mockRestore();
    expect(posted).toHaveLength(1);
    await vi.waitFor(async () => expect((await readEvidence(MEMBER, clientOrderId))?.opened).toBe("ok"));
  });

  it("of an order that the house says is void has nothing to acknowledge and isn't posted", async () => {
    const voided = { state: "settled", outcome: "voided", stake: "12.50", symbol: "EURUSD", wallet: "practice" };
    reveal = (body) => Promise.resolve(accepted({ ...voided, ...acknowledge(body), reveal: null }));
    const clientOrderId = await placeForPosting();
    await until(async () => expect(await readChoice(clientOrderId)).toBeUndefined());
    expect(posted).toEqual([]);
  });

  it("that the house calls wrong is judged by the witness at once and stays with the evidence", async () => {
    reveal = () => Promise.resolve(refusal("REVEAL_WRONG"));
    const clientOrderId = await placeOne();
    await until(() => expect(posted).toHaveLength(1));
    await vi.waitFor(async () => expect(await readChoice(clientOrderId)).toBeUndefined());
    const kept = await readEvidence(MEMBER, clientOrderId);
    expect(kept).toMatchObject({ reveal: { direction: "down", acknowledged: null } });
    expect(kept?.boards).toHaveLength(1);
  });

  it.each(["REVEAL_WRONG", "REVEAL_LATE", "NOT_FOUND"])(
    "that the house refuses as %s is posted until a board takes it, however often the house refuses",
    async (error) => {
      let asked = 0;
      let isAway = true;
      reveal = () => {
        asked += 1;
        return Promise.resolve(refusal(error));
      };
      named = [{ board: OTHER }];
      atOther = (body) => (isAway ? new Response("", { status: 503 }) : new Response(lineOf(OTHERS, body)));
      const clientOrderId = await placeForPosting();
      let now = performance.now();
      const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
      for (let times = 1; times <= 5; times += 1) {
        await until(() => expect(asked).toBe(times));
        now += 61_000;
      }
      expect(await readChoice(clientOrderId)).toBeDefined();
      isAway = false;
      await until(async () => expect(await readChoice(clientOrderId)).toBeUndefined());
      clock.mockRestore();
      expect((await readEvidence(MEMBER, clientOrderId))?.boards).toHaveLength(1);
    },
  );

  it.each([
    ["thanks without signing", () => "thanks"],
    ["signs another posting", (body: string) => lineOf(OTHERS, body.replace('"down"', '"up"'))],
    ["signs with a key that no pinned witness has", (body: string) => lineOf(STRANGER, body)],
  ])("stays with a device whose board %s, until one has it", async (_what, answer) => {
    let isHonest = false;
    reveal = () => Promise.resolve(refusal("REVEAL_WRONG"));
    named = [{ board: OTHER }];
    let asked = 0;
    atOther = (body) => {
      asked += 1;
      return new Response(isHonest ? lineOf(OTHERS, body) : answer(body));
    };
    const clientOrderId = await placeForPosting();
    let now = performance.now();
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
    for (let times = 1; times <= 4; times += 1) {
      await until(() => expect(asked).toBe(times));
      now += 61_000;
    }
    expect(await readChoice(clientOrderId)).toBeDefined();
    expect((await readEvidence(MEMBER, clientOrderId))?.boards ?? []).toEqual([]);
    isHonest = true;
    await until(async () => expect(await readChoice(clientOrderId)).toBeUndefined());
    clock.mockRestore();
    expect((await readEvidence(MEMBER, clientOrderId))?.boards).toHaveLength(1);
  });

  it("that the house refuses and no board can take is given up, and the device remembers that it was sent", async () => {
    reveal = () => Promise.resolve(refusal("REVEAL_WRONG"));
    named = [];
    const clientOrderId = await placeOne();
    let now = performance.now();
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
    await until(async () => {
      now += 3_000;
      expect(await readChoice(clientOrderId)).toBeUndefined();
    });
    clock.mockRestore();
    const kept = await readEvidence(MEMBER, clientOrderId);
    expect(kept?.reveal).toMatchObject({ acknowledged: null, at: expect.closeTo(Date.now(), -5) });
  });

  it("that comes too late is given up although no board has taken it", async () => {
    reveal = () => Promise.resolve(refusal("REVEAL_LATE"));
    atOther = () => new Response("", { status: 503 });
    const first = { clientOrderId: "posted-late", member: MEMBER, wallet: "practice", direction: "up" } as const;
    const week = { sentAt: 1, orderNo: "ord_late", acceptedAt: Date.now() - 9 * 86_400_000 };
    const posting = { body: "posting", boards: [OTHER] };
    await keepChoice({ ...first, ...week, limitPrice: null, nonce: "ab".repeat(32), posting });
    await until(async () => expect(await readChoice("posted-late")).toBeUndefined());
  });
});
