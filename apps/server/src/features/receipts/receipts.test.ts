import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  canonicalJson,
  DAY_MS,
  FIRST_SM1_PARAMS,
  formerBatchRoot,
  formerOrderCommitment,
  formerOrderJson,
  type Instant,
  type MemberId,
  merkleTree,
  type MicroUsd,
  NONCE_BYTES,
  type OrderId,
  parseId,
  type Rate,
  utcDay,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { PlacedOrder } from "@fairtick/protocol";
import { type Builder, createBuilder, waitUntil } from "@fairtick/testkit";
import {
  overallState,
  parseReceipt,
  parseVerifierKey,
  toBase64,
  type VerifierPolicy,
  verifyReceipt,
} from "@fairtick/transparency";
import { run, type RunningWitness, startWitness } from "@fairtick/transparency/cli";
import { fastify, type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addLogPages, readMix, readMixWitness, registerKey, type RunningLog, startLog } from "../log/index.ts";
import { logVerifierKeys } from "../log/log-keys.ts";
import { createMixDesk } from "../market/epoch-mix.ts";
import { makeHistory } from "../market/genesis.ts";
import { openMarketClock } from "../market/market-clock.ts";
import { type Market, runMarket } from "../market/run-market.ts";
import { openSeedVault } from "../market/seed-vault.ts";
import { createSimulatedSource } from "../market/sources/simulated-source.ts";
import { choose, addTestDevice, sealedWish } from "../orders/test-sealed.ts";
import { revealOrder } from "../orders/reveal-order.ts";
import { openDeviceKeys } from "../order-devices/index.ts";
import {
  createAcceptanceSwitch,
  openAcceptance,
  openRevealDesk,
  placeOrder,
  type Placing,
  type Revealing,
} from "../orders/index.ts";
import { buildReceipt } from "./index.ts";
import { readReceiptOrder } from "./receipt-order.ts";
import { exportOldTicks, TICKS_KEPT_DAYS } from "../price-archive/index.ts";
import { openRegionBook } from "../regions/index.ts";
import { startSettlement } from "../settlement/index.ts";
import { settleEntries } from "../settlement/log-entries.ts";
import { openTradingConfigs, seedTradingConfig } from "../trading-config/index.ts";
import { type AcceptanceSigner, openAcceptanceSigner } from "../../platform/acceptance-signer.ts";
import { systemClock } from "../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { runPython, verifyInPython, writeKeys } from "../../testing/second-verifier/run-python.ts";

// Tests the whole chain of proof on real parts: market, acceptance, settlement, log, witness. Only the market's clock
// is a fake.

const ORIGIN = "house.example/log";
const PARAMS = FIRST_SM1_PARAMS.filter((params) => ["EURUSD", "BTCUSD"].includes(params.symbol));
let context: TestContext;
let folder: string;
let build: Builder;
let witness: RunningWitness;
let log: RunningLog;
let market: Market;
let placing: Placing & Revealing;
let signer: AcceptanceSigner;
let pages: FastifyInstance;
let logUrl: string;
let policy: VerifierPolicy;
const closing: (() => unknown)[] = [];
/** How far the market's time is ahead of the database's, in ms. */
let ahead = 0n;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "receipts-"));
  const settings = { dataDir: folder, logOrigin: ORIGIN };
  const [logKey = ""] = logVerifierKeys(settings);
  witness = (await startWitness(["--folder", join(folder, "witness"), "--log", logKey, "--name", "other.example/w"]))!;
  const base = await createTestContext({ ...settings, witnesses: [{ url: witness.url, key: witness.key }] });
  context = { ...base, clock: { ...base.clock, ...systemClock } };
  build = await createBuilder(context.database.url);
  await build.fundPool("practice", 10_000_000_000_000n);
  await seedTradingConfig(context);
  const configs = await openTradingConfigs(context);
  log = await startLog(context);
  signer = openAcceptanceSigner(join(folder, "server.key"), `${ORIGIN}/acceptance`);
  await registerKey(context.databases.log, "acceptance", signer.verifier);
  const open = await openAcceptance(context, {
    configs,
    acceptance: createAcceptanceSwitch(),
    regions: openRegionBook(context),
    signer,
  });
  const { settlement: database } = context.databases;
  const settlement = startSettlement({ database, bus: context.bus, log: context.log, configs, firstStripe: 2 });
  const devices = openDeviceKeys(context.databases.reader);
  const { databases, bus } = context;
  const reveals = openRevealDesk({ databases, configs, bus });
  placing = { databases, configs, devices, collector: open.collector, reveals, bus, signer };
  market = startMarket();
  pages = fastify();
  addLogPages(pages, context, log.files);
  await pages.listen({ port: 0, host: "127.0.0.1" });
  logUrl = `http://127.0.0.1:${(pages.server.address() as AddressInfo).port}/log`;
  policy = {
    origin: ORIGIN,
    logKeys: [parseVerifierKey(logKey)!],
    witnessKeys: [parseVerifierKey(witness.key)!],
    acceptanceKeys: [signer.verifier],
    witnessesNeeded: 1,
  };
  closing.push(
    () => pages.close(),
    () => market.stop(),
    () => settlement.close(),
    () => reveals.close(),
    () => open.close(),
    () => configs.close(),
    () => log.stop(),
    () => witness.close(),
    () => build.end(),
    () => base.close(),
  );
  await market.started;
  await waitUntil("ticks", async () => (await newestTick()) > 0n || null, 30_000);
});
afterAll(async () => {
  for (const close of closing) await close();
  rmSync(folder, { recursive: true });
});

function startMarket(): Market {
  const database = context.databases.market;
  const vault = openSeedVault(join(folder, "market"));
  const mixes = createMixDesk(
    (epoch) => readMix(database, epoch),
    () => readMixWitness(database, [witness.key]),
  );
  return runMarket({
    database,
    bus: context.bus,
    log: context.log,
    clock: systemClock,
    openClock: async (queryable, clock) => {
      const real = await openMarketClock(queryable, clock);
      const now = () => (real.now() + ahead) as Instant;
      return { ...real, now, msUntil: (at) => real.msUntil((at - ahead) as Instant) };
    },
    openSources: (desk) => [
      createSimulatedSource({ database, log: context.log, vault, instruments: PARAMS, mixes, ...desk }),
    ],
    genesis: (symbol, end) =>
      makeHistory(
        PARAMS.find((params) => params.symbol === symbol)!,
        end,
      ),
  });
}

async function newestTick(): Promise<bigint> {
  const [row] = await context.databases.reader.query<{ time: bigint | null }>(
    "SELECT max(time) AS time FROM ticks WHERE NOT pre_genesis",
  );
  return row?.time ?? 0n;
}

/** Lets this much of the market's time pass, and waits until its ticks are stored. */
async function pass(ms: bigint): Promise<void> {
  ahead += ms;
  const now = BigInt(Date.now()) + ahead;
  await waitUntil("the market's ticks", async () => (await newestTick()) >= now - 1_000n || null, 30_000);
}

async function place(memberId: bigint, direction: "up" | "down"): Promise<PlacedOrder> {
  const wish = { wallet: "practice", symbol: "EURUSD", direction, stake: 10_000_000n, duration: 30 };
  const clientOrderId = `client-${memberId}-${direction}`;
  const verdict = await placeOrder(
    placing,
    memberId as MemberId,
    { ...wish, clientOrderId } as Parameters<typeof placeOrder>[2],
  );
  if (!verdict.ok) throw new Error(verdict.refusal.error);
  return verdict.value;
}

/** Places a sealed order and reveals it immediately. */
async function placeSealed(memberId: bigint): Promise<PlacedOrder> {
  const device = await addTestDevice(build, memberId);
  const choice = choose("down");
  const [head] = await context.databases.reader.query<{ k: bigint; hash: Uint8Array }>(
    "SELECT k, hash FROM slot_heads ORDER BY k DESC LIMIT 1",
  );
  if (head === undefined) throw new Error("no head");
  const terms = { payoutRate: 820_000n as Rate, fee: 100_000n as MicroUsd };
  const wish = sealedWish(device, choice, { seenSlot: Number(head.k), seenHash: head.hash }, terms);
  const verdict = await placeOrder(placing, memberId as MemberId, wish);
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.refusal));
  const { nonce, direction } = choice;
  const revealed = await revealOrder(placing, memberId as MemberId, {
    orderNo: verdict.value.orderNo,
    nonce,
    direction,
  });
  if (!revealed.ok) throw new Error(revealed.refusal.error);
  return verdict.value;
}

async function receiptOf(memberId: bigint, orderNo: string): Promise<Record<string, unknown>> {
  const parts = { databases: context.databases, files: log.files, signer };
  const verdict = await buildReceipt(parts, memberId as MemberId, parseId("order", orderNo) as OrderId);
  if (!verdict.ok) throw new Error(verdict.refusal.error);
  // Converts through JSON, as a client receives it.
  return JSON.parse(JSON.stringify(verdict.value)) as Record<string, unknown>;
}

async function check(memberId: bigint, orderNo: string) {
  const parsed = parseReceipt(await receiptOf(memberId, orderNo));
  if (!parsed.ok) throw new Error(parsed.fault);
  const checks = verifyReceipt(nodeHashes, parsed.receipt, policy);
  const not = (state: string) => checks.filter((each) => each.state === state).map((each) => `${each.id}: ${each.why}`);
  return {
    state: overallState(checks),
    failed: not("failed"),
    pending: not("pending").map((each) => each.split(":")[0]),
  };
}

async function until(memberId: bigint, orderNo: string, pending: readonly string[] = []) {
  return waitUntil(
    "a receipt that holds so far",
    async () => {
      const found = await check(memberId, orderNo);
      if (found.failed.length > 0) throw new Error(found.failed.join("; "));
      return found.pending.join() === pending.join() ? found : null;
    },
    20_000,
  );
}

describe("an order's receipt", { timeout: 300_000 }, () => {
  let member: bigint;
  let orders: PlacedOrder[];

  it("shows what is bound immediately, and waits for the rest without failing", async () => {
    member = await build.createMember();
    orders = [await place(member, "up"), await placeSealed(member), await place(member, "down")];
    const first = await check(member, orders[0]!.orderNo);
    expect(first).toMatchObject({ state: "pending", failed: [] });
    expect(first.pending).not.toContain("signature");
    const stranger = await build.createMember();
    await expect(receiptOf(stranger, orders[0]!.orderNo)).rejects.toThrow("NOT_FOUND");
  });

  it("verifies in everything but the seed once the order is settled and its minutes are over", async () => {
    await pass(35_000n);
    await pass(120_000n);
    for (const { orderNo } of orders) {
      expect(await until(member, orderNo, ["replay"])).toEqual({
        state: "pending",
        failed: [],
        pending: ["replay"],
      });
    }
  });

  it("verifies completely once the epoch is over and its seed revealed", async () => {
    await pass(610_000n);
    for (const { orderNo } of orders)
      expect(await until(member, orderNo)).toEqual({ state: "ok", failed: [], pending: [] });
    const receipt = await receiptOf(member, orders[0]!.orderNo);
    expect(receipt).toMatchObject({ source: "SM1", result: { outcome: expect.stringMatching(/won|lost|tied/) } });
    const [open] = (receipt["epochs"] as { open: { entry: string } }[]).map((each) => JSON.parse(each.open.entry));
    expect(open.checkpoint).toContain("— other.example/w ");
  });

  it("is verified by the command from a file, as are the whole log and what was added to it since", async () => {
    const [file, keys, seen] = [join(folder, "receipt.json"), join(folder, "keys"), join(folder, "seen")];
    writeFileSync(file, JSON.stringify(await receiptOf(member, orders[0]!.orderNo)));
    const told = await run(["keys", "--log", logUrl]);
    writeFileSync(keys, `${told.lines.join("\n")}\n`);
    const receipt = await run(["verify", file, "--keys", keys]);
    expect([receipt.lines.at(-1), receipt.exitCode]).toEqual(["VERIFIED", 0]);
    const whole = await run(["verify", "--log", logUrl, "--keys", keys, "--save", seen]);
    expect(whole.lines.filter((line) => line.startsWith("fault"))).toEqual([]);
    expect([whole.lines.at(-1), whole.exitCode]).toEqual(["VERIFIED", 0]);
    expect(whole.lines.join("\n")).toMatch(/[1-9][0-9]* epochs, [1-9][0-9]* slot heads, 3 acceptances/);
    expect(whole.lines.join("\n")).toContain("decided 3 settlements again");
    await place(await build.createMember(), "up");
    const since = await waitUntil("what came since", async () => {
      const found = await run(["verify", "--log", logUrl, "--keys", keys, "--since", seen]);
      return found.lines.join("\n").includes(" 4 acceptances") ? found : null;
    });
    expect([since.lines.at(-1), since.exitCode]).toEqual(["VERIFIED", 0]);
  });

  it("and its log are also verified by the second verifier, which shares no code with the house", async () => {
    const keys = writeKeys(folder, policy);
    const file = join(folder, "second.json");
    writeFileSync(file, JSON.stringify(await receiptOf(member, orders[0]!.orderNo)));
    const receipt = await runPython(["verify-receipt", "--keys", keys, file]);
    expect([receipt.exitCode, receipt.lines.at(-1)]).toEqual([0, "VERIFIED"]);
    const whole = await runPython(["verify-log", "--keys", keys, logUrl]);
    expect([whole.lines.filter((line) => line.startsWith("fault")), whole.lines.at(-1)]).toEqual([[], "VERIFIED"]);
    expect(whole.exitCode).toBe(0);
  });

  it("leaves nothing in the log that reveals whose order it is, or which", async () => {
    const rows = await context.databases.reader.query<{ entry: string }>("SELECT entry FROM outbox");
    const all = rows.map(({ entry }) => entry).join("\n");
    const { own } = (await receiptOf(member, orders[0]!.orderNo)) as { own: { json: string; nonce: string } };
    const told = JSON.parse(own.json) as { member: string; orderNo: string; clientOrderId: string };
    expect(all).toContain('"kind":"orders.settle"');
    for (const secret of [own.nonce, told.member, told.orderNo, told.clientOrderId, String(member)]) {
      expect(secret.length).toBeGreaterThan(4);
      expect(all).not.toContain(secret);
    }
  });

  it.each([
    [
      "another direction",
      "UPDATE orders SET direction = CASE direction WHEN 'up' THEN 'down'::direction ELSE 'up' END WHERE direction IS NOT NULL",
    ],
    ["another stake", "UPDATE orders SET stake = stake + 10000"],
    ["another outcome", "UPDATE settlements SET outcome = CASE outcome WHEN 'won' THEN 'lost'::outcome ELSE 'won' END"],
    ["another exit", "UPDATE settlements SET exit_price = exit_price + 1"],
    ["other prices", "UPDATE ticks SET price = price + 1 WHERE NOT pre_genesis"],
    ["a slot's head", "UPDATE slot_heads SET hash = sha256(hash)"],
    ["a batch's root", "UPDATE acceptance_batches SET root = sha256(root)"],
    // Without this, the entry would stay in the outbox and count as not placed yet.
    [
      "a configuration's entry",
      "DELETE FROM log_entries WHERE kind = 'config'; DELETE FROM outbox WHERE kind = 'config'",
    ],
    ["a configuration", `UPDATE trading_configs SET body = jsonb_set(body, '{instruments,0,feeRate}', '1')`],
  ])("reveals a house that changes %s in its own database", async (_what, statement) => {
    const tables = [
      "orders",
      "settlements",
      "ticks",
      "slot_heads",
      "acceptance_batches",
      "trading_configs",
      "log_entries",
      "outbox",
    ];
    await build.client.query("BEGIN");
    try {
      for (const table of tables) await build.client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      await build.client.query(statement);
      const bent = { ...context.databases, reader: { ...context.databases.reader, query: inTransaction } };
      const parts = { databases: bent, files: log.files, signer };
      const id = parseId("order", orders[0]!.orderNo) as OrderId;
      const verdict = await buildReceipt(parts, member as MemberId, id);
      const parsed = parseReceipt(JSON.parse(JSON.stringify(verdict.ok && verdict.value)));
      const checks = parsed.ok ? verifyReceipt(nodeHashes, parsed.receipt, policy) : [];
      expect(overallState(checks)).toBe("failed");
    } finally {
      await build.client.query("ROLLBACK");
    }
  });

  it("names what should be in the log and is missing, unless the log was just started", async () => {
    await build.client.query("BEGIN");
    try {
      await build.client.query("ALTER TABLE log_entries DISABLE TRIGGER USER");
      await build.client.query("DELETE FROM log_entries WHERE kind IN ('ticks', 'heads')");
      const bent = { ...context.databases, reader: { ...context.databases.reader, query: inTransaction } };
      const parts = { databases: bent, files: log.files, signer };
      const id = parseId("order", orders[0]!.orderNo) as OrderId;
      const verdict = await buildReceipt(parts, member as MemberId, id);
      const parsed = parseReceipt(JSON.parse(JSON.stringify(verdict.ok && verdict.value)));
      if (!parsed.ok) throw new Error(parsed.fault);
      const stateAt = (readAt: bigint) => {
        const checks = verifyReceipt(nodeHashes, parsed.receipt, policy, { readAt });
        return checks.filter(({ state }) => state === "failed").map(({ id: of, named }) => `${of}: ${named}`);
      };
      // Computed by the market's time, which is ahead of the witness's here.
      const dueAt = ((await newestTick()) / 60_000n) * 60_000n;
      expect(stateAt(dueAt - 3_600_000n)).toEqual([]);
      expect(stateAt(dueAt + 60_000n)).toEqual(["heads-in-log: log-overdue", "prices-in-log: log-overdue"]);
      const started = await buildReceipt({ ...parts, hasCaughtUp: () => false }, member as MemberId, id);
      expect(started).toEqual({ ok: false, refusal: { error: "NOT_NOW" } });
    } finally {
      await build.client.query("ROLLBACK");
    }
    const whole = { databases: context.databases, files: log.files, signer, hasCaughtUp: () => false };
    const found = await buildReceipt(whole, member as MemberId, parseId("order", orders[0]!.orderNo) as OrderId);
    expect(found.ok).toBe(true);
  });

  it("stays the same when its ticks are ninety days old and only in files, and the log is verified with those", async () => {
    // The proofs are left out, since they refer to the newest checkpoint each time.
    const receipts = async () => {
      const all = await Promise.all(orders.map(({ orderNo }) => receiptOf(member, orderNo)));
      return JSON.parse(JSON.stringify(all, (name, value) => (name === "proof" ? typeof value : value)));
    };
    const before = await receipts();
    const today = utcDay((await newestTick()) as Instant);
    const later = (BigInt(today + 1 + TICKS_KEPT_DAYS) * DAY_MS) as Instant;
    expect(await exportOldTicks(context, log.files, later)).toEqual([]);
    await pass(49n * 3_600_000n);
    const filed = await waitUntil(
      "nothing to run any more",
      async () => {
        const days = await exportOldTicks(context, log.files, later);
        return days.includes(today) ? days : null;
      },
      120_000,
    );
    const left = await context.databases.reader.query("SELECT FROM ticks WHERE time < $1", [
      BigInt(filed.at(-1)! + 1) * DAY_MS,
    ]);
    expect(left).toEqual([]);
    expect(await receipts()).toEqual(before);
    expect((await check(member, orders[0]!.orderNo)).state).toBe("ok");
    const whole = await run(["verify", "--log", logUrl, "--keys", join(folder, "keys")]);
    expect(whole.lines.filter((line) => line.startsWith("fault"))).toEqual([]);
    expect([whole.lines.at(-1), whole.exitCode]).toEqual(["VERIFIED", 0]);
    expect(whole.lines.join("\n")).toContain("decided 4 settlements again");
  });

  it("waits for a device that has no place in the log yet, and reports it as missing once it is overdue (both verifiers)", async () => {
    const owner = await build.createMember();
    const { orderNo } = await placeSealed(owner);
    const [device] = await context.databases.reader.query<{ added_at: bigint }>(
      "SELECT added_at FROM order_devices WHERE member_id = $1",
      [owner],
    );
    const addedAt = device?.added_at ?? 0n;
    await waitUntil("the device's place in the log", async () => {
      const placed = "SELECT FROM log_entries WHERE kind = 'device.add' AND number = $1";
      return (await context.databases.reader.query(placed, [addedAt])).length > 0 || null;
    });
    await build.client.query("BEGIN");
    try {
      await build.client.query("ALTER TABLE log_entries DISABLE TRIGGER USER");
      await build.client.query("DELETE FROM log_entries WHERE kind = 'device.add' AND number = $1", [addedAt]);
      const bent = { ...context.databases, reader: { ...context.databases.reader, query: inTransaction } };
      const id = parseId("order", orderNo) as OrderId;
      const verdict = await buildReceipt({ databases: bent, files: log.files, signer }, owner as MemberId, id);
      const receipt: unknown = JSON.parse(JSON.stringify(verdict.ok && verdict.value));
      const parsed = parseReceipt(receipt);
      if (!parsed.ok) throw new Error(parsed.fault);
      const deviceAt = (readAt: bigint) =>
        verifyReceipt(nodeHashes, parsed.receipt, policy, { readAt }).find((each) => each.id === "device");
      expect(deviceAt(addedAt + 10_000n)).toMatchObject({ state: "pending", why: "not in a checkpoint yet" });
      expect(deviceAt(addedAt + 60_000n)).toMatchObject({ state: "failed", named: "log-overdue" });
      const [second] = await verifyInPython(folder, [JSON.stringify(receipt)], policy);
      expect(second?.checks["device"]).toBe("pending");
    } finally {
      await build.client.query("ROLLBACK");
    }
  });

  /** Reads within the open transaction that made a change. Integers are converted as in the product. */
  it("of an order from before sealed ones is of version 1, and shows what was agreed and how it was decided", async () => {
    const id = parseId("order", orders[0]!.orderNo) as OrderId;
    const { client } = build;
    await client.query("BEGIN");
    try {
      for (const table of ["orders", "acceptance_batches", "outbox"])
        await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      const reader = { ...context.databases.reader, query: inTransaction };
      const { order, batchNo, acceptedAt, settlement } = (await readReceiptOrder(reader, member as MemberId, id))!;
      const nonce = Buffer.alloc(NONCE_BYTES, 7);
      const commitment = formerOrderCommitment(nodeHashes, nonce, formerOrderJson(order));
      const { root } = merkleTree(nodeHashes, [commitment]);
      const accepted = { acceptedAt, batch: batchNo, commitments: toBase64(commitment), kind: "orders.accept", v: 1 };
      const agreed = { ...order, acceptedAt };
      const one = { order: agreed, batchNo, batchPlace: 0, nonces: nonce, settlement: settlement! };
      await client.query("UPDATE orders SET nonce = $2, batch_place = 0 WHERE order_id = $1", [id, nonce]);
      const batchHash = formerBatchRoot(nodeHashes, batchNo, acceptedAt, root);
      await client.query("UPDATE acceptance_batches SET root = $2 WHERE batch_no = $1", [batchNo, batchHash]);
      const rewrite = (entry: string | undefined, kind: string, number: bigint) =>
        client.query(
          `UPDATE outbox SET entry = $1 WHERE outbox_id IN (SELECT outbox_id FROM log_entries WHERE kind = $2 AND number = $3)`,
          [entry, kind, number],
        );
      await rewrite(canonicalJson(accepted), "orders.accept", batchNo);
      await rewrite(settleEntries(settlement!.settledAt, [one])[0], "orders.settle", settlement!.settledAt);
      const parts = { databases: { ...context.databases, reader }, files: log.files, signer };
      const verdict = await buildReceipt(parts, member as MemberId, id);
      const receipt = JSON.parse(JSON.stringify(verdict.ok && verdict.value)) as Record<string, unknown>;
      expect(receipt).toMatchObject({ v: 1, order: formerOrderJson(order), nonce: "07".repeat(NONCE_BYTES) });
      for (const name of ["terms", "own", "seal"]) expect(receipt).not.toHaveProperty(name);
      expect(receipt["acceptance"]).not.toHaveProperty("accepted");
      const parsed = parseReceipt(receipt);
      if (!parsed.ok) throw new Error(parsed.fault);
      const checks = verifyReceipt(nodeHashes, parsed.receipt, policy);
      // The log's tree has the batch as it really was, so only what looks there fails. The rest holds.
      const failed = checks.filter(({ state }) => state === "failed").map(({ id: check, why }) => `${check}: ${why}`);
      expect(failed).toEqual([
        "accepted-in-log: not-included",
        expect.stringMatching(/^slots: the head of slot \d+ is another$/),
        "settled-in-log: not-included",
      ]);
    } finally {
      await client.query("ROLLBACK");
    }
  });

  async function inTransaction<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { types } = context.databases.reader.pool.options;
    const { rows } = await build.client.query({ text, values: [...values], ...(types && { types }) });
    return rows as Row[];
  }
});
