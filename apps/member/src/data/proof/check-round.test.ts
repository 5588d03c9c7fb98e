// @vitest-environment jsdom
import { merkleTreeOfHashes, batchRoot, canonicalJson, toHex, utf8, type Instant } from "@fairtick/domain";
import {
  COSIGNATURE_TYPE,
  cosign,
  EMPTY_LOG,
  formatBoardLine,
  formatPosting,
  formatSignatureLine,
  formatVerifierKey,
  growLog,
  portableHashes,
  type Posting,
  signCheckpoint,
  signerKey,
  toBase64,
} from "@fairtick/transparency";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { activateAllWords } from "../../shared/i18n.ts";
import { changeEvidence, type KeptEvidence, readEvidence } from "../sealed/evidence-shelf.ts";
import { watchEvidence } from "../sealed/evidence.ts";
import { newestHead } from "../sealed/heads.ts";
import { bringSignedHead, LOG, MEMBER, ORDER, SERVED_KEYS } from "../sealed/test-house.ts";
import { currentAlarms, dropAlarms, raiseEvidence, settleAlarm } from "./alarms.ts";
import { checkOnce } from "./check-round.ts";
import { forgetPinned } from "./pinned-now.ts";

// Results of a background round: each case plants one fault by the house and checks the alarm.

const WITNESS = signerKey("witness.test/1", COSIGNATURE_TYPE, new Uint8Array(32).fill(7));
const accepted = (data: unknown) => Response.json({ code: 200, msg: "", data });
const OLD = () => Date.now() - 600_000;
const COMMITMENT = new Uint8Array(32).fill(5);
let orders: Record<string, unknown>;
let log: ReadonlyMap<string, Uint8Array>;
let made = 0;

/** Returns a log with one batch that holds only these refusals, cosigned now. */
function logOf(
  refusal: Uint8Array | null,
  at: number,
  reasons: Readonly<Record<string, number>> = { LATE: 1 },
): ReadonlyMap<string, Uint8Array> {
  const batch = { acceptedAt: at, batch: 3, commitments: "", config: 1, kind: "orders.accept", open: 0, v: 2 };
  const entries =
    refusal === null
      ? [canonicalJson({ at, hash: "00".repeat(32), kind: "device.add", v: 1 })]
      : [canonicalJson({ ...batch, reasons, refusals: toBase64(refusal) })];
  const { files, edge } = grown(entries);
  const note = signCheckpoint({ origin: LOG.verifier.name, size: entries.length, root: edge }, LOG);
  const text = note.slice(0, note.indexOf("\n\n") + 1);
  const line = formatSignatureLine(cosign(text, BigInt(Math.floor(Date.now() / 1000)), WITNESS));
  return new Map([...files, ["checkpoint", utf8(`${note}${line}\n`)]]);
}

function grown(entries: readonly string[]) {
  const { files } = growLog(portableHashes, EMPTY_LOG, entries.map(utf8));
  const [entry = ""] = entries;
  // The root of a one-entry tree is its leaf.
  const leaf = portableHashes.sha256(Uint8Array.from([0, ...utf8(entry)]));
  return { files: files.map((file) => [file.path, file.bytes] as const), edge: leaf };
}

async function keep(change: Partial<KeptEvidence>): Promise<string> {
  made += 1;
  const clientOrderId = `round-${made}`;
  const nothing = { wishes: [], answer: null, bound: null, reveal: null, answered: "ok", logged: null, told: false };
  await changeEvidence(MEMBER, clientOrderId, () => ({
    member: MEMBER,
    clientOrderId,
    sentAt: OLD(),
    ...nothing,
    ...change,
  }));
  return clientOrderId;
}

const refusalAt = (at: number, commitments = COMMITMENT, index = 0): KeptEvidence["answer"] => {
  const { root } = merkleTreeOfHashes(portableHashes, commitments);
  const signed = toHex(batchRoot(portableHashes, 3n, BigInt(at) as Instant, 0, root));
  const place = {
    place: index,
    count: commitments.length / 32,
    accepted: 0,
    path: [],
    nonce: null,
    signature: null,
    key: null,
  };
  return { kind: "refused", error: "LATE", refusal: { reason: "LATE", at, batchNo: "3", root: signed, ...place } };
};

const acceptedAnswer = { kind: "accepted", orderNo: ORDER, configVersion: 1, acceptedAt: 1, acceptance: null } as const;
const wish = { symbol: "EURUSD", stake: "12.50", duration: 60 } as KeptEvidence["wishes"][number];
const faults = () => currentAlarms().map((alarm) => (alarm.kind === "order" ? alarm.fault : alarm.kind));

beforeAll(() => activateAllWords("en"));
watchEvidence(raiseEvidence);
beforeEach(() => {
  localStorage.clear();
  localStorage.setItem("exchange2508Token", "token");
  localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId: MEMBER } }));
  forgetPinned();
  dropAlarms();
  orders = {};
  log = new Map();
  const lists = { items: [], nextCursor: null };
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (path.endsWith("/log/keys")) return new Response(`${SERVED_KEYS}${formatVerifierKey(WITNESS.verifier)}\n`);
    const file = path.includes("/log/") ? log.get(path.slice(path.indexOf("/log/") + 5)) : undefined;
    if (file !== undefined) return new Response(Uint8Array.from(file));
    if (path === "/client/order/detail") {
      const order = orders[(init?.body as URLSearchParams | undefined)?.get("orderNo") ?? ""];
      return order === undefined
        ? Response.json({ code: 404, msg: "none", data: { error: "NOT_FOUND" } })
        : accepted(order);
    }
    if (path === "/client/device/list") return accepted([]);
    if (path.startsWith("/client/")) return accepted(lists);
    return new Response("", { status: 404 });
  });
});
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  // Each case starts without evidence of the one before.
  for (let each = 1; each <= made; each += 1)
    await changeEvidence(
      MEMBER,
      `round-${each}`,
      (kept) => kept && { ...kept, told: true, logged: "ok", opened: "ok" },
    );
});

describe("a background round", () => {
  it("finds a signed refusal in the public log and raises no alarm", async () => {
    const at = OLD();
    log = logOf(COMMITMENT, at);
    const kept = await keep({ answer: refusalAt(at) });
    await checkOnce();
    expect(await readEvidence(MEMBER, kept)).toMatchObject({ logged: "ok" });
    expect(faults()).toEqual([]);
  });

  it.each([
    ["has no such batch", null],
    ["has another batch of that number", new Uint8Array(32).fill(6)],
  ])("raises an alarm for a signed refusal if the log %s", async (_what, refusal) => {
    const at = OLD();
    log = logOf(refusal, at);
    const kept = await keep({ answer: refusalAt(at) });
    await checkOnce();
    expect(await readEvidence(MEMBER, kept)).toMatchObject({ logged: "refusalMissing" });
    expect(faults()).toEqual(["refusalMissing"]);
  });

  it("raises an alarm for a signed refusal that the log counts under another reason", async () => {
    const at = OLD();
    log = logOf(COMMITMENT, at, { EXPOSURE_LIMIT: 1 });
    const kept = await keep({ answer: refusalAt(at) });
    await checkOnce();
    expect(await readEvidence(MEMBER, kept)).toMatchObject({ logged: "refusalReason" });
    expect(faults()).toEqual(["refusalReason"]);
  });

  it.each([
    ["all refusals that this device knows", { LATE: 2 }, "ok"],
    ["one of two refusals that this device knows", { EXPOSURE_LIMIT: 1, LATE: 1 }, "refusalReason"],
  ])("compares a batch's reasons with %s", async (_what, reasons, logged) => {
    const at = OLD();
    const both = new Uint8Array(64).fill(5);
    log = logOf(both, at, reasons);
    const kept = [await keep({ answer: refusalAt(at, both, 0) }), await keep({ answer: refusalAt(at, both, 1) })];
    await checkOnce();
    await checkOnce();
    for (const each of kept) expect(await readEvidence(MEMBER, each)).toMatchObject({ logged });
  });

  it("counts a refusal once, however often this device keeps it", async () => {
    const at = OLD();
    log = logOf(COMMITMENT, at);
    const kept = [await keep({ answer: refusalAt(at) }), await keep({ answer: refusalAt(at) })];
    await checkOnce();
    await checkOnce();
    for (const each of kept) expect(await readEvidence(MEMBER, each)).toMatchObject({ logged: "ok" });
  });

  it("doesn't look for a refusal less than a minute old", async () => {
    const at = Date.now();
    log = logOf(null, at);
    const kept = await keep({ answer: refusalAt(at) });
    await checkOnce();
    expect(await readEvidence(MEMBER, kept)).toMatchObject({ logged: null });
    expect(faults()).toEqual([]);
  });

  it("raises an alarm for an accepted order that the house no longer shows", async () => {
    await keep({ answer: acceptedAnswer, wishes: [wish] });
    await checkOnce();
    expect(faults()).toEqual(["gone"]);
  });

  it("raises an alarm for an order shown with a different stake", async () => {
    orders[ORDER] = { orderNo: ORDER, state: "settled", symbol: "EURUSD", stake: "99.00", outcome: "lost" };
    await keep({ answer: acceptedAnswer, wishes: [wish] });
    await checkOnce();
    expect(faults()).toEqual(["failed"]);
  });

  it.each([
    ["the house's own acknowledgement", { opened: "ok" }],
    ["a line of a pinned witness's board", { boards: [boardLine()] }],
  ])("raises an alarm for an order settled as unrevealed if this device holds %s", async (_what, held) => {
    orders[ORDER] = { orderNo: ORDER, state: "settled", symbol: "EURUSD", stake: "12.50", outcome: "unrevealed" };
    await keep({ answer: acceptedAnswer, wishes: [wish], ...held });
    await checkOnce();
    expect(faults()).toEqual(["unrevealed"]);
  });

  it.each([
    ["raises an alarm for an order settled as unrevealed whose reveal the house answered in time", 5, ["unrevealed"]],
    ["raises none if the house first answered after the week was over", 604_900_000, []],
    ["raises none if an older app didn't store when", undefined, []],
  ])("%s", async (_what, at, found) => {
    orders[ORDER] = { orderNo: ORDER, state: "settled", symbol: "EURUSD", stake: "12.50", outcome: "unrevealed" };
    const reveal = { nonce: "ab".repeat(32), direction: "up", limitPrice: null, acknowledged: null };
    await keep({ answer: acceptedAnswer, wishes: [wish], reveal: at === undefined ? reveal : { ...reveal, at } });
    await checkOnce().catch(() => undefined);
    expect(faults()).toEqual(found);
  });

  it.each([
    ["that sent nothing", {}],
    ["whose reveal reached a board after the week was over", { boards: [boardLine(604_900_000n)] }],
  ])("raises no alarm for an unrevealed order of a device %s", async (_what, held) => {
    orders[ORDER] = { orderNo: ORDER, state: "settled", symbol: "EURUSD", stake: "12.50", outcome: "unrevealed" };
    await keep({ answer: acceptedAnswer, wishes: [wish], ...held });
    await checkOnce().catch(() => undefined);
    expect(faults()).toEqual([]);
  });

  it("raises an alarm, until it is dismissed, for an opened order that the house doesn't settle", async () => {
    orders[ORDER] = { orderNo: ORDER, state: "running", symbol: "EURUSD", stake: "12.50", outcome: null };
    const kept = await keep({ answer: acceptedAnswer, wishes: [wish], opened: "ok" });
    await checkOnce();
    expect(faults()).toEqual(["unsettled"]);
    settleAlarm(currentAlarms()[0]!);
    vi.setSystemTime(Date.now() + 400_000);
    await checkOnce();
    expect(faults()).toEqual([]);
    // It is still checked against the log once it is settled.
    expect(await readEvidence(MEMBER, kept)).toMatchObject({ logged: null, told: false });
  });

  it.each([
    ["due only now", { answer: { ...acceptedAnswer, acceptedAt: Date.now() - 600_000 }, opened: "ok" }],
    ["whose direction this device can't prove it sent", { answer: acceptedAnswer }],
  ])("raises no alarm for a running order %s", async (_what, held) => {
    orders[ORDER] = { orderNo: ORDER, state: "running", symbol: "EURUSD", stake: "12.50", outcome: null };
    await keep({ wishes: [wish], ...held });
    await checkOnce().catch(() => undefined);
    expect(faults()).toEqual([]);
  });

  it("raises one alarm for an acknowledgement that nobody signed", async () => {
    const told = { at: 5, signature: toBase64(new Uint8Array(64)), key: "00000000" };
    const reveal = { nonce: "ab".repeat(32), direction: "up", limitPrice: null, acknowledged: told };
    await keep({ answer: acceptedAnswer, wishes: [wish], reveal, logged: "ok" });
    await checkOnce();
    expect(faults()).toEqual(["acknowledgement"]);
    await checkOnce();
    expect(faults()).toEqual(["acknowledgement"]);
  });

  it.each([
    ["raises an alarm for an order opened after a head that another key signed", LOG, ["bound"]],
    ["raises none if the house signed that head", undefined, []],
  ])("%s", async (_what, signer, found) => {
    bringSignedHead(Date.now(), signer);
    const reveal = { nonce: "ab".repeat(32), direction: "up", limitPrice: null, acknowledged: null };
    await keep({ answer: acceptedAnswer, wishes: [wish], bound: newestHead(), reveal, logged: "ok" });
    await checkOnce();
    expect(faults()).toEqual(found);
  });

  it("takes an acknowledgement for evidence although the order was opened after an unsigned head", async () => {
    orders[ORDER] = { orderNo: ORDER, state: "settled", symbol: "EURUSD", stake: "12.50", outcome: "unrevealed" };
    const reveal = { nonce: "ab".repeat(32), direction: "up", limitPrice: null, acknowledged: {} };
    const kept = await keep({ answer: acceptedAnswer, wishes: [wish], reveal, opened: "bound", told: true });
    await checkOnce();
    expect(await readEvidence(MEMBER, kept)).toMatchObject({ logged: "unrevealed" });
  });
});

function boardLine(at = 5n): string {
  const bytes = new Uint8Array(32);
  const posting: Posting = {
    accepted: 1,
    acceptedAt: 1n as Instant,
    batch: 1,
    count: 1,
    direction: "up",
    duration: 60,
    key: "00000000",
    limitPrice: null,
    nonce: new Uint8Array(16),
    own: bytes,
    path: [],
    place: 0,
    sealNonce: bytes,
    signature: new Uint8Array(64),
    symbol: "EURUSD",
  };
  return formatBoardLine(WITNESS, 0, at, formatPosting(posting));
}
