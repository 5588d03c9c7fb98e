import { bookedOutcome, formatId, formatMoney, formatPrice, formatRate, toHex, utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { Order } from "@fairtick/protocol";
import {
  ED25519_TYPE,
  parseReceipt,
  signCheckpoint,
  signerKey,
  type LogReader,
  type Receipt,
} from "@fairtick/transparency";
import { COSIGNED_AT, makeWorld, POLICY, type World, type WorldOptions } from "@fairtick/transparency/testing";
import { beforeAll, describe, expect, it } from "vitest";
import type { Held } from "../sealed/evidence-shelf.ts";
import { checkKept } from "./own-checks.ts";
import { isAllThatCanBe, verifyOrder, type VerifyParts } from "./verify-order.ts";

type Json = Record<string, unknown>;
const START = 1_763_700_000_000n;
/** More than an hour after the order was settled. */
const HOUR_LATER = Number(START) + 90_000 + 3_700_000;
let world: World;
let json: Json;
let receipt: Receipt;
let order: Order;
let kept: Held;

beforeAll(async () => {
  world = await makeWorld(nodeHashes, [{ at: 30_130n }, { at: 30_130n, direction: "down" }]);
  json = await world.receipt(0);
  const parsed = parseReceipt(json);
  if (!parsed.ok) throw new Error(parsed.fault);
  ({ receipt } = parsed);
  order = shownOf(world, receipt);
  const { batch, place, root } = receipt.acceptance;
  kept = { batchNo: `${batch}`, place, root: toHex(root), nonce: noncesOf(json) };
});

function noncesOf(receipt: Json): string {
  const { terms, own } = receipt as { terms: { nonce: string }; own: { nonce: string } };
  return terms.nonce + own.nonce;
}

/** Returns the order as the server's calls show it. */
function shownOf({ placed }: World, { result }: Receipt): Order {
  const mine = placed[0]!;
  const { order: agreed, decided, acceptedAt } = mine;
  const price = (tick: { price: Parameters<typeof formatPrice>[0] } | null | undefined) =>
    tick ? formatPrice(tick.price, 6) : null;
  const exit = decided?.exit ?? null;
  return {
    orderNo: formatId("order", agreed.orderId),
    clientOrderId: agreed.clientOrderId,
    wallet: agreed.wallet,
    symbol: agreed.symbol,
    direction: mine.choice.direction,
    sealed: false,
    stake: formatMoney(agreed.stake),
    fee: formatMoney(agreed.fee),
    payoutRate: formatRate(agreed.payoutRate),
    limitPrice: null,
    duration: agreed.durationSeconds,
    state: "settled",
    outcome: decided === null ? null : bookedOutcome(decided.outcome),
    acceptedAt: Number(acceptedAt),
    entryAt: Number(decided?.entry?.time),
    entryPrice: price(decided?.entry),
    expiresAt: null,
    exitAt: Number(exit?.time),
    exitPrice: price(exit),
    settledAt: Number(exit?.time),
    profit: formatMoney(result!.profit as typeof agreed.stake),
    voidReason: null,
    configVersion: 1,
    serverTime: 0,
  };
}

/** Returns the world's log with its files changed in transit. */
function logWith(change: (path: string, bytes: Uint8Array | null) => Uint8Array | null): LogReader {
  return { read: async (path) => change(path, await world.read(path)) };
}

async function verify(change: Partial<VerifyParts> = {}, told: Json = json) {
  const parts = { hashes: nodeHashes, log: world, policy: POLICY, seen: null, order, decimals: 6, kept, now: 0 };
  const verdict = await verifyOrder(structuredClone(told), { ...parts, ...change });
  const not = verdict.checks.filter(({ state }) => state !== "ok").map(({ id, state }) => `${id} ${state}`);
  return { verdict, not };
}

/** Returns a checkpoint that this device stored, signed by the world's log. */
function seenAt(size: number, root: Uint8Array): string {
  const key = signerKey(POLICY.origin, ED25519_TYPE, new Uint8Array(32).fill(1));
  return signCheckpoint({ origin: POLICY.origin, size, root }, key);
}

describe("the app's own checks", () => {
  it("pass for an honest house and name the signers", async () => {
    const { verdict, not } = await verify();
    expect([verdict.state, not]).toEqual(["ok", []]);
    expect(verdict.checks).toHaveLength(24);
    expect(verdict.witnesses.map(({ name }) => name)).toEqual(POLICY.witnessKeys.map(({ name }) => name));
    expect(verdict.seen).toBe(world.checkpoint);
    // Members compare it by eye: the first digits of the root that is in the third line of the note.
    const root = toHex(Buffer.from(world.checkpoint.split("\n")[2] ?? "", "base64"));
    expect(verdict.logRoot?.replaceAll(" ", "")).toBe(root.slice(0, 16));
    expect((await verify({ seen: verdict.seen })).not).toEqual([]);
  });

  it.each<[keyof Order, unknown]>([
    ["clientOrderId", "another-request"],
    ["direction", "down"],
    ["stake", "11.00"],
    ["fee", "0.00"],
    ["payoutRate", "0.9"],
    ["limitPrice", "1.000000"],
    ["outcome", "tied"],
    ["entryPrice", "1.000000"],
    ["exitPrice", "1.000000"],
    ["exitAt", 1],
    ["profit", "0.00"],
    ["acceptedAt", 1],
    ["duration", 30],
  ])("detect a screen that shows another %s", async (name, value) => {
    const { verdict, not } = await verify({ order: { ...order, [name]: value } });
    expect([verdict.state, not]).toEqual(["failed", ["shown failed"]]);
  });

  it.each<[keyof Held, never]>([
    ["batchNo", "999" as never],
    ["place", 7 as never],
    ["root", "00".repeat(32) as never],
    ["nonce", "00".repeat(16) as never],
  ])("detect an acceptance whose %s differs from the answer", async (name, value) => {
    expect((await verify({ kept: { ...kept, [name]: value } })).not).toEqual(["kept failed"]);
  });

  it("detect a receipt whose reveal came later than the house signed", async () => {
    const sealed = await (await makeWorld(nodeHashes, [{ at: 30_130n, sealed: "revealed" }])).receipt(0);
    const parsed = parseReceipt(sealed);
    if (!parsed.ok) throw new Error(parsed.fault);
    const { batch, place, root } = parsed.receipt.acceptance;
    const held = { batchNo: `${batch}`, place, root: toHex(root), nonce: noncesOf(sealed) };
    const revealedAt = Number(START) + 31_130;
    expect(checkKept(parsed.receipt, held).state).toBe("ok");
    expect(checkKept(parsed.receipt, { ...held, revealedAt }).state).toBe("ok");
    expect(checkKept(parsed.receipt, { ...held, revealedAt: revealedAt - 1 })).toMatchObject({
      state: "failed",
      why: "another moment of the reveal was signed",
    });
  });

  it("report what couldn't be checked; another device's order passes all the same", async () => {
    const { verdict, not } = await verify({ kept: null });
    expect([verdict.state, not]).toEqual(["ok", ["kept unchecked"]]);
    const away = await verify({ log: { read: () => Promise.reject(new TypeError("Failed to fetch")) } });
    expect(away.verdict.state).toBe("unchecked");
    expect(away.not).toEqual(["log unchecked", "entries unchecked", "prices unchecked"]);
  });

  it("detect prices that are served differently, or not at all", async () => {
    const other = logWith((path, bytes) => (path.startsWith("prices/") && bytes ? bytes.with(0, 0x39) : bytes));
    expect((await verify({ log: other })).not).toEqual(["prices failed"]);
    const none = logWith((path, bytes) => (path.startsWith("prices/") ? null : bytes));
    expect((await verify({ log: none })).not).toEqual(["prices failed"]);
  });

  it("detect a checkpoint of another log, one that nobody cosigned, and a missing one", async () => {
    const policy = { ...POLICY, origin: "other.example/log" };
    expect((await verify({ policy })).not).toContain("log failed");
    const alone = world.checkpoint.split("\n").slice(0, 5).join("\n") + "\n";
    const uncosigned = logWith((path, bytes) => (path === "checkpoint" ? utf8(alone) : bytes));
    expect((await verify({ log: uncosigned })).not).toEqual(["log failed", "entries unchecked"]);
    const none = logWith((path, bytes) => (path === "checkpoint" ? null : bytes));
    expect((await verify({ log: none })).not).toEqual(["log failed", "entries unchecked"]);
  });

  it("detect tiles that hold other entries, or are gone", async () => {
    const bent = logWith((path, bytes) =>
      path.startsWith("tile/0/") && bytes ? bytes.with(0, 1 ^ (bytes[0] ?? 0)) : bytes,
    );
    expect((await verify({ log: bent })).not).toEqual(["entries failed"]);
    const gone = logWith((path, bytes) => (path.startsWith("tile/") ? null : bytes));
    expect((await verify({ log: gone })).not).toEqual(["entries failed"]);
    // The lost entries must be reported whether or not the log grew since this device saw it.
    const earlier = seenAt(5, new Uint8Array(32).fill(3));
    expect((await verify({ log: gone, seen: earlier })).not).toEqual(["log failed", "entries failed"]);
  });

  it("detect a log that shrank or was forked since this device saw it", async () => {
    const root = new Uint8Array(32).fill(3);
    for (const seen of [seenAt(100_000, root), seenAt(5, root)]) {
      const { verdict, not } = await verify({ seen });
      expect([not, verdict.seen]).toEqual([["log failed"], null]);
    }
  });

  it("detect by the house's clock a log that is no longer cosigned, and only doubt it by the device's", async () => {
    const at = Number(COSIGNED_AT) * 1000;
    expect((await verify({ now: at + 60_000, device: at + 360_000 })).not).toEqual([]);
    const stopped = await verify({ now: at + 60_001 });
    expect([stopped.verdict.state, stopped.not, stopped.verdict.seen]).toEqual(["failed", ["log failed"], null]);
    expect(stopped.verdict.checks.find(({ id }) => id === "log")).toMatchObject({
      named: "log-stands-still",
      values: { cosignedAt: at },
    });
    const unsure = await verify({ now: at, device: at + 360_001 });
    expect([unsure.verdict.state, unsure.not]).toEqual(["unchecked", ["log unchecked"]]);
    // A fork takes precedence over it.
    const forked = await verify({ now: at + 60_001, seen: seenAt(5, new Uint8Array(32).fill(3)) });
    expect(forked.verdict.checks.find(({ id }) => id === "log")?.why).toContain("does not hold the 5 entries");
  });

  it("leave the log's check open where no witness is pinned, and still keep and compare what was seen", async () => {
    const policy = { ...POLICY, witnessKeys: [], witnessesNeeded: 0 };
    const unwatched = await verify({ policy });
    expect([unwatched.verdict.state, unwatched.not]).toEqual(["unchecked", ["log unchecked"]]);
    expect(unwatched.verdict.checks.find(({ id }) => id === "log")).toMatchObject({ named: "log-unwatched" });
    expect(unwatched.verdict.seen).toBe(world.checkpoint);
    expect(isAllThatCanBe(unwatched.verdict)).toBe(true);
    // Nothing says when, so its age can't be told.
    expect((await verify({ policy, now: HOUR_LATER * 2 })).not).toEqual(["log unchecked"]);
    const forked = await verify({ policy, seen: seenAt(5, new Uint8Array(32).fill(3)) });
    expect([forked.not, forked.verdict.seen, isAllThatCanBe(forked.verdict)]).toEqual([["log failed"], null, false]);
    const away = await verify({ policy, log: { read: () => Promise.reject(new TypeError("Failed to fetch")) } });
    expect(isAllThatCanBe(away.verdict)).toBe(false);
  });

  it("compare the log's heads with those that this device saw", async () => {
    const { from, heads } = JSON.parse(receipt.slots.logged[0]?.entry ?? "{}") as {
      from: number;
      heads: string[];
    };
    const seen = (slot: number, hash: string) => ({ kept: { ...kept, heads: [{ slot, hash }] } });
    expect((await verify(seen(from + 2, heads[2]!))).not).toEqual([]);
    expect((await verify(seen(from + 2, heads[3]!))).not).toEqual(["heads failed"]);
    // A head of a minute that the receipt doesn't include is ignored.
    const elsewhere = await verify(seen(from + 900_000, heads[2]!));
    expect([elsewhere.verdict.state, elsewhere.not]).toEqual(["ok", ["heads unchecked"]]);
  });

  it("detect that the device took the entry or exit for decided before its price came", async () => {
    const { slots, acceptance } = receipt;
    const acceptedAt = Number(acceptance.acceptedAt);
    const { from, heads } = JSON.parse(slots.logged[0]?.entry ?? "{}") as { from: number; heads: string[] };
    const seen = { slot: from + 2, hash: heads[2]! };
    const opened = (price: "entry" | "exit", slot: number, at: number) => ({
      kept: { ...kept, heads: [seen], decided: { entry: null, exit: null, [price]: { slot, at } } },
    });
    const expiresAt = order.entryAt! + order.duration * 1_000;
    for (const [price, moment] of [["entry", acceptedAt] as const, ["exit", expiresAt] as const]) {
      const { k } = slots[price]!;
      expect((await verify(opened(price, k, moment + 1))).not).toEqual([]);
      expect((await verify(opened(price, k - 1, moment + 1))).not).toEqual(["heads failed"]);
      expect((await verify(opened(price, k - 1, moment + 10_000))).not).toEqual(["heads failed"]);
      // From then on, no price decides it, and other symbols' prices open the order.
      expect((await verify(opened(price, k - 1, moment + 10_001))).not).toEqual([]);
    }
  });

  it("treat what is still pending an hour later as a failure", async () => {
    const early = { ...json, epochs: [{ ...(json["epochs"] as Json[])[0], reveal: null }] };
    expect((await verify({}, early)).verdict.state).toBe("pending");
    const { not } = await verify({ now: HOUR_LATER }, early);
    expect(not).toContain("replay failed");
  });

  describe("of a log without an entry that is due", () => {
    /** 50 s after the end of the receipt's second minute. */
    const OVERDUE = Number(START) + 120_000 + 50_000;
    const named = (checks: readonly object[]) =>
      checks.filter((each) => "named" in each && each.named === "log-overdue");
    const unpriced = () => {
      const [first, second] = json["minutes"] as Json[];
      return { ...json, minutes: [first, { ...second, logged: null }] };
    };

    it("report it by the house's clock or, if that is late, by this device's", async () => {
      const slow = await verify({ now: OVERDUE }, unpriced());
      expect([slow.verdict.state, named(slow.verdict.checks)]).toEqual(["pending", []]);
      const { verdict, not } = await verify({ now: OVERDUE + 1 }, unpriced());
      expect([verdict.state, not.filter((each) => each.endsWith("failed"))]).toEqual([
        "failed",
        ["prices-in-log failed"],
      ]);
      expect(named(verdict.checks)).toMatchObject([
        { id: "prices-in-log", values: { dueAt: Number(START) + 120_000 } },
      ]);
      const held = await verify({ now: OVERDUE - 60_000, device: OVERDUE + 1 }, unpriced());
      expect(named(held.verdict.checks)).toHaveLength(1);
    });

    it("go by the log's newest checkpoint if that is older than both, and report that it stands still", async () => {
      const early = await makeWorld(nodeHashes, [{ at: 30_130n }, { at: 30_130n, direction: "down" }], {
        cosignedAt: BigInt(OVERDUE) / 1000n,
      });
      const { verdict } = await verify({ log: early, now: OVERDUE + 600_000, kept: null }, unpriced());
      expect(named(verdict.checks)).toEqual([]);
      expect(verdict.checks.find(({ id }) => id === "log")).toMatchObject({ named: "log-stands-still" });
    });

    it("know when the order was settled, which a receipt shows only with its entry", async () => {
      const settledAt = Number(START) + 90_500;
      const unsettled = { ...json, settled: null };
      const of = (now: number) => verify({ now, order: { ...order, settledAt } }, unsettled);
      expect((await of(settledAt + 50_000)).verdict.state).toBe("pending");
      expect(named((await of(settledAt + 50_001)).verdict.checks)).toMatchObject([{ id: "settled-in-log" }]);
    });
  });

  describe("of an order whose next price never came", () => {
    /** Its exit is the instrument's last price, and the log reaches this far after the start. */
    async function silent(after: bigint, options: WorldOptions = {}) {
      const at = START + after;
      const fields = { at, hash: "ab".repeat(32), subject: "texts" };
      const own = await makeWorld(nodeHashes, [{ at: 30_130n }], {
        skip: (symbol, time) => symbol === "EURUSD" && time > 90_000n,
        isSealed: true,
        cosignedAt: BigInt(HOUR_LATER) / 1000n,
        change: (entries) => [...entries, { time: at, kind: "approval", fields }],
        ...options,
      });
      const told = await own.receipt(0);
      const parsed = parseReceipt(told);
      if (!parsed.ok) throw new Error(parsed.fault);
      const parts = { log: own, order: shownOf(own, parsed.receipt), kept: null, now: HOUR_LATER };
      return { parts, told };
    }

    it("pass once the log is ten minutes past it, and wait until then, however long", async () => {
      const late = await silent(690_501n);
      expect(await notOf(late)).toEqual(["ok", ["kept unchecked"]]);
      const [state, not] = await notOf(await silent(690_500n));
      expect(state).toBe("pending");
      expect(not).toContain("exit pending");
    });

    it("fail if the log has the price that the receipt leaves out", async () => {
      const { parts, told } = await silent(690_501n, { skip: () => false });
      const minutes = (told["minutes"] as unknown[]).slice(0, -1);
      const [state, not] = await notOf({ parts, told: { ...told, minutes } });
      expect(state).toBe("failed");
      expect(not).toContain("exit failed");
    });

    async function notOf({ parts, told }: { parts: Partial<VerifyParts>; told: Json }) {
      const { verdict, not } = await verify(parts, told);
      return [verdict.state, not];
    }
  });

  it("fail for something that isn't a receipt", async () => {
    expect((await verify({}, {})).verdict.state).toBe("failed");
  });
});
