import { bookedOutcome, formatId, formatMoney, formatPrice, formatRate, toHex } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { Order } from "@fairtick/protocol";
import { parseReceipt } from "@fairtick/transparency";
import { makeWorld, POLICY } from "@fairtick/transparency/testing";
import { beforeAll, expect, test } from "vitest";
import type { Held } from "./sealed/evidence-shelf.ts";
import { holdsAtOnce, judgeAtOnce } from "./verify-at-once.ts";

interface Told extends Record<string, unknown> {
  readonly terms: { readonly nonce: string };
  readonly own: { readonly nonce: string };
  readonly result: { outcome: string; profit: number };
  settled: { entry: string; proof: string | null } | null;
  minutes: { lines: string; logged: unknown }[];
}

/** The order's minute is over, and its end will soon be due in the log. */
const SETTLED_AT_SECONDS = 1_763_700_000n + 62n;
let told: Told;
let order: Order;
let kept: Held;

beforeAll(async () => {
  const world = await makeWorld(nodeHashes, [{ at: 30_130n }], { cosignedAt: SETTLED_AT_SECONDS });
  told = (await world.receipt(0)) as Told;
  const parsed = parseReceipt(told);
  const [placed] = world.placed;
  if (!parsed.ok || placed === undefined || placed.decided === null) throw new Error("the house told no receipt");
  const { order: agreed, decided, choice, acceptedAt } = placed;
  const { batch, place, root } = parsed.receipt.acceptance;
  kept = { batchNo: `${batch}`, place, root: toHex(root), nonce: told.terms.nonce + told.own.nonce };
  const price = (tick: { price: Parameters<typeof formatPrice>[0] } | null) => tick && formatPrice(tick.price, 6);
  order = {
    orderNo: formatId("order", agreed.orderId),
    clientOrderId: agreed.clientOrderId,
    wallet: agreed.wallet,
    symbol: agreed.symbol,
    direction: choice.direction,
    sealed: false,
    stake: formatMoney(agreed.stake),
    fee: formatMoney(agreed.fee),
    payoutRate: formatRate(agreed.payoutRate),
    limitPrice: null,
    duration: agreed.durationSeconds,
    state: "settled",
    outcome: bookedOutcome(decided.outcome),
    acceptedAt: Number(acceptedAt),
    entryAt: Number(decided.entry?.time),
    entryPrice: price(decided.entry),
    expiresAt: null,
    exitAt: Number(decided.exit?.time),
    exitPrice: price(decided.exit),
    settledAt: Number(decided.exit?.time),
    profit: formatMoney(parsed.receipt.result!.profit as typeof agreed.stake),
    voidReason: null,
    configVersion: 1,
    serverTime: 0,
  };
});

async function judge(change: (json: Told) => void = () => undefined, held: Held | null = kept) {
  const json = structuredClone(told);
  change(json);
  return judgeAtOnce(json, { order, decimals: 6, policy: POLICY, kept: held });
}

test("an order passes before the log has its settlement and its minutes", async () => {
  const soon = await judge((json) => {
    json.settled = null;
    for (const minute of json.minutes) minute.logged = null;
  });
  expect(soon.checks.filter(({ state }) => state !== "ok")).toEqual([]);
  expect(soon.state).toBe("ok");
  expect(holdsAtOnce(soon.checks)).toBe(true);
});

test("it also passes on a device other than the one that placed it", async () => {
  const { state, checks } = await judge(undefined, null);
  expect([state, holdsAtOnce(checks)]).toEqual(["ok", true]);
});

test.each<[string, (json: Told) => void, string]>([
  ["another outcome", (json) => (json.result.outcome = "tied"), "outcome"],
  ["another payout", (json) => (json.result.profit += 10_000), "payout"],
  [
    "a price that no slot signed",
    (json) => (json.minutes[0]!.lines = json.minutes[0]!.lines.replace(/\d$/, "~")),
    "entry",
  ],
])("%s is reported at once", async (_, bend, id) => {
  const { state, checks } = await judge(bend);
  expect(state).toBe("failed");
  expect(checks.filter((check) => check.state === "failed").map((check) => check.id)).toContain(id);
  expect(holdsAtOnce(checks)).toBe(false);
});

test("a mismatch with this device's own answer is reported at once", async () => {
  const { state, checks } = await judge(undefined, { ...kept, root: "00".repeat(32) });
  expect([state, checks.find(({ id }) => id === "kept")?.state]).toEqual(["failed", "failed"]);
});

test("it waits for the tick after the exit", async () => {
  const { state } = await judge((json) => {
    const last = json.minutes.at(-1)!;
    const lines = last.lines.split("\n");
    const exit = lines.findIndex((line) => Number(line.split(",")[1]) === order.exitAt);
    last.lines = lines.slice(0, exit + 1).join("\n");
    last.logged = null;
    json.settled = null;
  });
  expect(state).toBe("pending");
});

test("a receipt that can't be parsed fails", async () => {
  expect((await judgeAtOnce({}, { order, decimals: 6, policy: POLICY, kept })).state).toBe("failed");
});
