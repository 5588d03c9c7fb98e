import { createHash, randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import {
  formatId,
  type MemberId,
  type MicroUsd,
  type OrderId,
  parseId,
  type Rate,
  sealOf,
  toHex,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { waitUntil } from "@fairtick/testkit";
import { verifyReveal } from "@fairtick/transparency";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TICK_GATE_KEYS } from "../../platform/tick-gate.ts";
import { checkInvariants } from "../ledger/index.ts";
import type { PlaceOrderInput } from "./place-order.ts";
import { readOrder } from "./read-orders.ts";
import { revealOrder, type RevealInput } from "./reveal-order.ts";
import { addHead, addTestDevice, choose, type Choice, sealedWish, type TestDevice } from "./test-sealed.ts";
import { createOrderWorld, newClientId, type OrderWorld, TEST_SIGNER, usd } from "./test-world.ts";

const DAY_MS = 86_400_000n;

let world: OrderWorld;
let member: MemberId;
let device: TestDevice;
let terms: { payoutRate: Rate; fee: MicroUsd };
beforeAll(async () => {
  world = await createOrderWorld();
  member = (await world.build.createMember()) as MemberId;
  device = await addTestDevice(world.build, member);
  // On a busy machine the world's first price may be too old by now.
  await world.tick();
  const open = await world.accepted(member);
  terms = { payoutRate: toRate(open.payoutRate), fee: usd(Number(open.fee)) };
});
beforeEach(() => world.tick());
afterAll(() => world.close());

const toRate = (text: string) => BigInt(Math.round(Number(text) * 1_000_000)) as Rate;

async function seal(choice: Choice, change: Parameters<typeof sealedWish>[4] = {}): Promise<PlaceOrderInput> {
  return sealedWish(device, choice, await addHead(world.build), terms, change);
}

async function accepted(choice: Choice): Promise<{ orderNo: string; acceptedAt: bigint }> {
  const verdict = await world.place(member, await seal(choice));
  if (!verdict.ok) throw new Error(`refused: ${JSON.stringify(verdict.refusal)}`);
  return { orderNo: verdict.value.orderNo, acceptedAt: BigInt(verdict.value.acceptedAt) };
}

const opening = (orderNo: string, { nonce, direction }: Choice): RevealInput => ({ orderNo, nonce, direction });
const reveal = (input: RevealInput, by: MemberId | null = member) => revealOrder(world.placing, by, input);

const userId = () => formatId("member", member);

async function orderOf(orderNo: string) {
  return readOrder(world.placing, member, idOf(orderNo));
}

function idOf(orderNo: string): OrderId {
  const id = parseId("order", orderNo);
  if (id === null) throw new Error(`no order number: ${orderNo}`);
  return id;
}

describe("a sealed order", () => {
  it("is accepted without a direction, and shows the direction once it is revealed", async () => {
    const choice = choose("down");
    const { orderNo } = await accepted(choice);
    expect(await orderOf(orderNo)).toMatchObject({ direction: null, sealed: true, limitPrice: null });
    const revealed = await reveal(opening(orderNo, choice));
    expect(revealed).toMatchObject({ ok: true, value: { direction: "down", sealed: true } });
    expect(await orderOf(orderNo)).toMatchObject({ direction: "down" });
  });

  it("is settled by the direction that it was opened to", async () => {
    const choice = choose("up");
    const { orderNo, acceptedAt } = await accepted(choice);
    await reveal(opening(orderNo, choice));
    await fall(acceptedAt);
    expect(await orderOf(orderNo)).toMatchObject({ state: "settled", outcome: "lost", direction: "up" });
    expect(await violations()).toEqual([]);
  });

  it("leads to the same order for the same client id, even if seen later and signed again", async () => {
    const choice = choose();
    const clientOrderId = newClientId();
    const first = await world.place(member, await seal(choice, { clientOrderId }));
    const again = await world.place(member, await seal(choice, { clientOrderId }));
    const other = await world.place(member, await seal(choose(), { clientOrderId }));
    expect(first.ok && again.ok && again.value.orderNo === first.value.orderNo).toBe(true);
    expect(other).toEqual({ ok: false, refusal: { error: "CLIENT_ID_REUSED" } });
  });

  it("can be in one batch with orders in the open", async () => {
    const wishes = [await seal(choose()), {}, await seal(choose("down")), { direction: "down" as const }];
    // While one batch waits at the gate, all others collect behind it.
    const { client } = world.build;
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [TICK_GATE_KEYS.market]);
    const before = world.ask(member);
    await setTimeout(50);
    const asked = wishes.map((wish) => world.ask(member, wish));
    await setTimeout(200);
    await client.query("COMMIT");
    const [verdicts] = await Promise.all([Promise.all(asked), before]);
    expect(verdicts.map((verdict) => verdict.ok && verdict.value.direction)).toEqual([null, "up", null, "down"]);
    const batches = new Set(verdicts.map((verdict) => verdict.ok && verdict.value.acceptance?.batchNo));
    expect(batches.size).toBe(1);
    const { rows } = await world.build.client.query<{ entry: string }>(
      "SELECT entry FROM outbox WHERE kind = 'orders.accept' ORDER BY outbox_id DESC LIMIT 1",
    );
    expect(rows[0]?.entry).toContain('"open":2,');
  });
});

describe("a sealed wish is refused", () => {
  it.each([
    ["by a device that is not the member's", "DEVICE_UNKNOWN", async () => ({ device: await strangersDevice() })],
    ["by a removed device", "DEVICE_UNKNOWN", async () => ({ device: await removedDevice() })],
    ["with an unknown head", "SEEN_UNKNOWN", () => ({ seen: { seenSlot: 999_999, seenHash: randomBytes(32) } })],
    ["with a head that is 4 s old", "LATE", async () => ({ seen: await addHead(world.build, 4_000) })],
  ] as const)("%s: %s", async (_name, error, change) => {
    const { device: by = device, seen = await addHead(world.build) } = (await change()) as {
      device?: TestDevice;
      seen?: { seenSlot: number; seenHash: Uint8Array };
    };
    const verdict = await world.ask(member, sealedWish(by, choose(), seen, terms));
    expect(verdict).toMatchObject({ ok: false, refusal: { error, proof: { reason: error } } });
  });

  it("that names a slot by which its own symbol is 3 s old, however new another symbol's price there is: LATE", async () => {
    const [old, fresh] = await oldAndFreshTick();
    const seen = (ticks: string) => addHead(world.build, 0, { ticks, fromTime: old.time });
    const place = async (ticks: string) => world.ask(member, sealedWish(device, choose(), await seen(ticks), terms));
    expect(await place(`EURUSD,${old.seq},1;XAUUSD,9,1`)).toMatchObject({ refusal: { error: "LATE" } });
    expect(await place(`AUDUSD,7,1;EURUSD,${old.seq},1`)).toMatchObject({ refusal: { error: "LATE" } });
    // The newest of its ticks counts.
    const count = fresh.seq - old.seq + 1n;
    expect(await place(`EURUSD,${old.seq},${count};XAUUSD,9,1`)).toMatchObject({ ok: true });
    expect(await place(`EURUSD,${fresh.seq},1`)).toMatchObject({ ok: true });
    expect(await place("XAUUSD,9,1")).toMatchObject({ ok: true });
  });

  it("with a signature over anything else: SIGNATURE_WRONG", async () => {
    const wish = await seal(choose());
    const bent = { ...wish, stake: usd(20) };
    expect(await world.place(member, bent)).toEqual({ ok: false, refusal: { error: "SIGNATURE_WRONG" } });
  });

  it("is judged by its signature also where another thread still examines it as its batch begins", async () => {
    const wishes = [await seal(choose()), await seal(choose()), await seal(choose())] as const;
    const asked = (wish: PlaceOrderInput, isSigned: Promise<boolean>) => {
      const { sealed, stake, payoutRate, fee, clientOrderId } = asWish(wish);
      const agreed = { wallet: "practice", symbol: "EURUSD", direction: null, durationSeconds: 30 } as const;
      const payload = { ...agreed, sealed, stake, limitPrice: null, payoutRate, fee };
      return world.placing.collector.place({ memberId: member, clientOrderId, payload, isSigned });
    };
    const broken = Promise.reject(new Error("a thread that is gone"));
    broken.catch(() => undefined);
    const outcomes = await Promise.all([
      asked(
        wishes[0],
        setTimeout(150).then(() => false),
      ),
      asked(
        wishes[1],
        setTimeout(150).then(() => true),
      ),
      asked(wishes[2], broken),
    ]);
    expect(outcomes).toMatchObject([
      { kind: "refused", refusal: { error: "SIGNATURE_WRONG", proof: { reason: "SIGNATURE_WRONG" } } },
      { kind: "accepted" },
      { kind: "refused", refusal: { error: "NOT_NOW" } },
    ]);
  });

  it.each([
    ["a direction besides the seal", { direction: "up" as const }, "direction", "FIELD_INVALID"],
    ["a limit price besides the seal", { limitPrice: "1.085" }, "limitPrice", "FIELD_INVALID"],
    ["no fee", { fee: undefined }, "fee", "FIELD_MISSING"],
    ["no signature", { signature: undefined }, "signature", "FIELD_MISSING"],
  ] as const)("with %s", async (_name, change, field, error) => {
    const verdict = await world.place(member, { ...(await seal(choose())), ...change });
    expect(verdict).toMatchObject({ ok: false, refusal: { fields: { [field]: error } } });
  });
});

/** Returns a tick of EURUSD that is more than 3 s old, and one that isn't. */
async function oldAndFreshTick(): Promise<[old: StoredTick, fresh: StoredTick]> {
  const read = async () => {
    const { rows } = await world.build.client.query<{ seq: string; time: string; isOld: boolean }>(
      `SELECT seq, time, time < extract(epoch FROM clock_timestamp()) * 1000 - 3100 AS "isOld"
       FROM ticks WHERE symbol = 'EURUSD' AND NOT pre_genesis ORDER BY time DESC`,
    );
    return rows.map(({ isOld, seq, time }) => ({ isOld, seq: BigInt(seq), time: BigInt(time) }));
  };
  await waitUntil("a tick that is 3 s old", async () => (await read()).some(({ isOld }) => isOld));
  await world.tick();
  const [fresh, ...others] = await read();
  const old = others.find(({ isOld }) => isOld);
  if (fresh === undefined || old === undefined) throw new Error("there are no two ticks");
  return [old, fresh];
}

interface StoredTick {
  readonly seq: bigint;
  readonly time: bigint;
}

describe("a reveal", () => {
  it("is signed, and gives the same answer when repeated", async () => {
    const choice = choose("up");
    const { orderNo } = await accepted(choice);
    const first = await reveal(opening(orderNo, choice));
    const again = await reveal(opening(orderNo, choice));
    if (!first.ok || !again.ok || first.value.reveal === null) throw new Error("not revealed");
    expect(again.value.reveal).toEqual(first.value.reveal);
    const told = { orderNo, direction: "up" as const, limitPrice: null, nonce: toHex(choice.nonce) };
    const policy = { acceptanceKeys: [TEST_SIGNER.verifier] } as unknown as Parameters<typeof verifyReveal>[0];
    const { at, ...signed } = first.value.reveal;
    expect(verifyReveal(policy, { ...told, at: BigInt(at) }, signed)).toBe(true);
    expect(verifyReveal(policy, { ...told, direction: "down", at: BigInt(at) }, signed)).toBe(false);
  });

  it.each([
    ["with another nonce", (choice: Choice) => ({ ...choice, nonce: randomBytes(32) })],
    ["with the other direction", (choice: Choice) => ({ ...choice, direction: "down" as const })],
  ])("%s opens nothing: REVEAL_WRONG", async (_name, bend) => {
    const choice = choose("up");
    const { orderNo } = await accepted(choice);
    expect(await reveal(opening(orderNo, bend(choice)))).toEqual({ ok: false, refusal: { error: "REVEAL_WRONG" } });
    expect(await reveal({ ...opening(orderNo, choice), limitPrice: "1.08500" })).toMatchObject({ ok: false });
    expect(await orderOf(orderNo)).toMatchObject({ direction: null });
  });

  it("of another member's order or an unknown one is refused: NOT_FOUND", async () => {
    const choice = choose();
    const { orderNo } = await accepted(choice);
    const stranger = (await world.build.createMember()) as MemberId;
    expect(await reveal(opening(orderNo, choice), stranger)).toEqual({ ok: false, refusal: { error: "NOT_FOUND" } });
    expect(await reveal(opening("ord_nothing", choice))).toEqual({ ok: false, refusal: { error: "NOT_FOUND" } });
  });

  it("without a session needs only the nonce, and the answer only repeats what was sent", async () => {
    const choice = choose("down");
    const { orderNo } = await accepted(choice);
    const bare = await reveal({ ...opening(orderNo, choice), userId: userId() }, null);
    if (!bare.ok || bare.value.reveal === null) throw new Error("not revealed");
    expect(Object.keys(bare.value).toSorted()).toEqual(["direction", "limitPrice", "orderNo", "reveal"]);
    expect(bare.value).toMatchObject({ orderNo, direction: "down", limitPrice: null });
    // Sent again with the session, as by a page that comes back, it returns the same reveal.
    expect(await reveal(opening(orderNo, choice))).toMatchObject({
      ok: true,
      value: { reveal: bare.value.reveal, stake: "10.00" },
    });
    const { rows } = await world.build.client.query("SELECT FROM reveals WHERE order_id = $1", [idOf(orderNo)]);
    expect(rows).toHaveLength(1);
  });

  it("by a page and its service worker at once is stored once", async () => {
    const choice = choose("up");
    const { orderNo } = await accepted(choice);
    const byWorker = { ...opening(orderNo, choice), userId: userId() };
    const answers = await Promise.all([reveal(opening(orderNo, choice)), reveal(byWorker, null)]);
    const [first, second] = answers.map((answer) => (answer.ok ? answer.value.reveal : null));
    expect(first).not.toBeNull();
    expect(second).toEqual(first);
  });

  it("is stored together with all others that come at once, and each gets its own answer", async () => {
    const choices = [choose("up"), choose("down"), choose("up"), choose("down")] as const;
    const orders = await Promise.all(choices.map((choice) => accepted(choice)));
    const right = choices.map((choice, place) => opening(orders[place]?.orderNo ?? "", choice));
    const [first, second, third, fourth] = right as [RevealInput, RevealInput, RevealInput, RevealInput];
    const stranger = (await world.build.createMember()) as MemberId;
    const answers = await Promise.all([
      reveal(first),
      reveal(second),
      reveal({ ...third, direction: "down" }),
      reveal(third),
      reveal(second),
      reveal(third, stranger),
      reveal({ ...fourth, userId: userId() }, null),
      reveal(opening(formatId("order", 999_999n as OrderId), choices[0])),
    ]);
    expect(answers.map((answer) => (answer.ok ? answer.value.direction : answer.refusal.error))).toEqual([
      "up",
      "down",
      "REVEAL_WRONG",
      "up",
      "down",
      "NOT_FOUND",
      "down",
      "NOT_FOUND",
    ]);
    const { rows } = await world.build.client.query<{ reveals: string }>(
      "SELECT count(*) AS reveals FROM reveals WHERE order_id = ANY($1) GROUP BY xmin::text",
      [orders.map(({ orderNo }) => idOf(orderNo))],
    );
    expect(rows).toEqual([{ reveals: "4" }]);
  });

  it("waits for a settlement that has locked its order, and then sees what the settlement wrote", async () => {
    const choice = choose("up");
    const { orderNo, acceptedAt } = await accepted(choice);
    await fall(acceptedAt);
    const { client } = world.build;
    const { rows } = await client.query<{ reveal_by: string }>("SELECT reveal_by FROM awaiting_reveals");
    await client.query("BEGIN");
    await client.query("UPDATE awaiting_reveals SET reveal_by = 1");
    const answer = reveal(opening(orderNo, choice));
    await waitUntil("a reveal that waits for the lock", async () => (await lockWaits()) > 0 || null, 5_000);
    await client.query("COMMIT");
    expect(await answer).toEqual({ ok: false, refusal: { error: "REVEAL_LATE" } });
    await client.query("UPDATE awaiting_reveals SET reveal_by = $1", [rows[0]?.reveal_by]);
    expect(await reveal(opening(orderNo, choice))).toMatchObject({ ok: true });
    await world.settlement.settleNow();
    expect(await violations()).toEqual([]);
  });

  it("without a session doesn't reveal which orders exist: REVEAL_WRONG, whatever is wrong", async () => {
    const choice = choose("up");
    const { orderNo } = await accepted(choice);
    const open = await world.accepted(member);
    const stranger = formatId("member", (await world.build.createMember()) as MemberId);
    const right = { ...opening(orderNo, choice), userId: userId() };
    const wrong: RevealInput[] = [
      { ...right, nonce: randomBytes(32) },
      { ...right, direction: "down" },
      { ...right, limitPrice: "1.08500" },
      { ...right, userId: stranger },
      { ...right, userId: "usr_nobody" },
      { ...right, orderNo: open.orderNo },
      { ...right, orderNo: formatId("order", 999_999n as OrderId) },
      { ...right, orderNo: "ord_nothing" },
    ];
    for (const input of wrong)
      expect(await reveal(input, null)).toEqual({ ok: false, refusal: { error: "REVEAL_WRONG" } });
    expect(await reveal(opening(orderNo, choice), null)).toEqual({ ok: false, refusal: { error: "LOGIN_REQUIRED" } });
    expect(await orderOf(orderNo)).toMatchObject({ direction: null });
  });

  it("of an order in the open is refused: REVEAL_WRONG", async () => {
    const { orderNo } = await world.accepted(member);
    expect(await reveal(opening(orderNo, choose()))).toEqual({ ok: false, refusal: { error: "REVEAL_WRONG" } });
  });

  it("after the expiry settles the order from the stored ticks", async () => {
    const choice = choose("down");
    const { orderNo, acceptedAt } = await accepted(choice);
    await fall(acceptedAt);
    expect(await orderOf(orderNo)).toMatchObject({ state: "open", outcome: null });
    expect(await waiting()).toBe(1);
    expect(await violations()).toEqual([]);
    expect(await reveal(opening(orderNo, choice))).toMatchObject({ ok: true });
    await world.settlement.settleNow();
    expect(await orderOf(orderNo)).toMatchObject({ state: "settled", outcome: "won", direction: "down" });
    expect(await waiting()).toBe(0);
    expect(await violations()).toEqual([]);
  });

  it("with a limit price that the entry passed voids the order at once", async () => {
    const choice = choose("up", 1_084_000n);
    const { orderNo, acceptedAt } = await accepted(choice);
    await world.build.feedTicks("EURUSD", [{ time: acceptedAt + 400n, price: 1_085_000n }], acceptedAt + 400n);
    expect(await reveal({ ...opening(orderNo, choice), limitPrice: "1.08400" })).toMatchObject({ ok: true });
    await world.settlement.settleNow();
    expect(await orderOf(orderNo)).toMatchObject({
      outcome: "voided",
      voidReason: "LIMIT_PASSED",
      limitPrice: "1.084000",
    });
  });

  it("is not needed for an order that its ticks void", async () => {
    const choice = choose();
    const { orderNo, acceptedAt } = await accepted(choice);
    await world.build.seal("EURUSD", acceptedAt + 11_000n);
    await world.settlement.settleNow();
    expect(await orderOf(orderNo)).toMatchObject({ outcome: "voided", voidReason: "NO_ENTRY_TICK", direction: null });
    expect(await reveal(opening(orderNo, choice))).toMatchObject({ ok: true, value: { reveal: null } });
    expect(await violations()).toEqual([]);
  });

  it("that is overdue is reported by the running checks", async () => {
    const choice = choose();
    const { orderNo, acceptedAt } = await accepted(choice);
    await fall(acceptedAt);
    const { client } = world.build;
    const { rows } = await client.query<{ reveal_by: string }>("SELECT reveal_by FROM awaiting_reveals");
    await client.query("UPDATE awaiting_reveals SET reveal_by = 1");
    expect(await violations()).toMatchObject([{ wrong: expect.stringContaining("waits to be revealed") }]);
    await client.query("UPDATE awaiting_reveals SET reveal_by = $1", [rows[0]?.reveal_by]);
    expect(await reveal(opening(orderNo, choice))).toMatchObject({ ok: true });
    await world.settlement.settleNow();
  });

  it("that is never made costs as much as a lost order, a week after its expiry, and is then too late", async () => {
    const choice = choose("up");
    const { orderNo } = await accepted(choice);
    await makeOld(orderNo, 8n * DAY_MS);
    await world.settlement.settleNow();
    expect(await orderOf(orderNo)).toMatchObject({ state: "settled", outcome: "unrevealed", direction: null });
    expect(await reveal(opening(orderNo, choice))).toEqual({ ok: false, refusal: { error: "REVEAL_LATE" } });
    const { rows } = await world.build.client.query<{ entry: string }>(
      "SELECT entry FROM outbox WHERE kind = 'orders.settle' ORDER BY outbox_id DESC LIMIT 1",
    );
    const logged = JSON.parse(rows[0]?.entry ?? "") as { orders: Record<string, unknown>[] };
    expect(logged.orders[0]).toMatchObject({
      direction: null,
      outcome: "unrevealed",
      revealedAt: null,
      seal: toHex(sealOf(nodeHashes, choice.nonce, choice)),
      sealNonce: null,
    });
  });
});

/** Returns a wish in the form that a batch takes. */
function asWish({ seal: sealBytes, deviceId, seenSlot, seenHash, signature, ...wish }: PlaceOrderInput) {
  const { payoutRate = null, fee = null, stake, clientOrderId } = wish;
  const id = parseId("device", deviceId ?? "");
  if (sealBytes === undefined || seenHash === undefined || id === null) throw new Error("not a sealed wish");
  const sealed = { seal: sealBytes, deviceId: id, seenSlot: BigInt(seenSlot ?? 0), seenHash };
  const signed = Buffer.from(signature ?? "", "base64url");
  return { sealed: { ...sealed, signature: signed }, stake, payoutRate, fee, clientOrderId };
}

/** Stores two ticks, the second one lower, and seals past the expiry. */
async function fall(acceptedAt: bigint): Promise<void> {
  const entry = acceptedAt + 400n;
  await world.build.feedTicks("EURUSD", [
    { time: entry, price: 1_085_000n },
    { time: entry + 30_000n, price: 1_084_000n },
  ]);
  await world.settlement.settleNow();
}

/** Changes the order as if it had been placed this long ago on another instrument, whose ticks are as old. */
async function makeOld(orderNo: string, ageMs: bigint): Promise<void> {
  const { build } = world;
  const { client } = build;
  const at = (await build.now()) - ageMs;
  const id = idOf(orderNo);
  for (const [table, trigger] of [
    ["orders", "refuse_row_change"],
    ["open_groups", "refuse_growth"],
  ])
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${trigger}`);
  await client.query("UPDATE orders SET symbol = 'GBPUSD', accepted_at = $2 WHERE order_id = $1", [id, at]);
  await client.query("UPDATE open_groups SET symbol = 'GBPUSD', accepted_at = $2 WHERE first_id = $1", [id, at]);
  for (const [table, trigger] of [
    ["orders", "refuse_row_change"],
    ["open_groups", "refuse_growth"],
  ])
    await client.query(`ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${trigger}`);
  await build.feedTicks("GBPUSD", [
    { time: at + 400n, price: 1_250_000n },
    { time: at + 30_400n, price: 1_251_000n },
  ]);
}

async function waiting(): Promise<number> {
  const { rows } = await world.build.client.query("SELECT FROM awaiting_reveals");
  return rows.length;
}

async function lockWaits(): Promise<number> {
  const { rows } = await world.build.client.query(
    "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  );
  return rows.length;
}

async function violations(): Promise<readonly unknown[]> {
  return checkInvariants(world.context, 0n);
}

async function strangersDevice(): Promise<TestDevice> {
  return addTestDevice(world.build, await world.build.createMember());
}

async function removedDevice(): Promise<TestDevice> {
  const removed = await addTestDevice(world.build, member);
  await world.build.client.query("SELECT remove_order_device($1, $2, $3)", [
    removed.id,
    member,
    createHash("sha256").update(formatId("device", removed.id)).digest(),
  ]);
  return removed;
}
