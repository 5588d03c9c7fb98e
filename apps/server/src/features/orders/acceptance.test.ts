import {
  batchCommitments,
  batchRoot,
  type ClientId,
  fromHex,
  type Instant,
  type MemberId,
  merklePathRoot,
  type MicroUsd,
  type OrderId,
  type ProposedOrder,
  toHex,
  utf8,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { PlacedOrder } from "@fairtick/protocol";
import { waitUntil } from "@fairtick/testkit";
import { type AcceptEntry, fromBase64, parseLogEntry, verifyBatchRoot } from "@fairtick/transparency";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { watchLog } from "../log/index.ts";
import type { PlaceOrderInput } from "./place-order.ts";
import { createOrderWorld, newClientId, type OrderWorld, TEST_SIGNER, usd } from "./test-world.ts";

let world: OrderWorld;
beforeAll(async () => {
  world = await createOrderWorld();
});
afterAll(() => world.close());

/** Rebuilds an order from its stored row, as a verifier would. */
async function orderOf(clientOrderId: string): Promise<{ order: ProposedOrder; accepted: number }> {
  const { rows } = await world.build.client.query(
    `SELECT o.*, $1::text AS client_order_id, (SELECT count(*)::integer FROM orders b WHERE b.batch_no = o.batch_no) AS of FROM orders o
     WHERE coalesce(o.client_order_id, o.client_key::text) = $1`,
    [clientOrderId],
  );
  const row = rows[0] as Record<string, string | number | null>;
  const order = {
    orderId: BigInt(row["order_id"]!) as OrderId,
    memberId: BigInt(row["member_id"]!) as MemberId,
    clientOrderId: row["client_order_id"] as ClientId,
    wallet: row["wallet"],
    symbol: row["symbol"],
    direction: row["direction"],
    sealed: null,
    stake: BigInt(row["stake"]!),
    fee: BigInt(row["fee"]!),
    payoutRate: BigInt(row["payout_rate"]!),
    profitIfWon: BigInt(row["profit_if_won"]!),
    limitPrice: row["limit_price"] === null ? null : BigInt(row["limit_price"]!),
    durationSeconds: row["duration"],
    configVersion: row["config_version"],
  } as ProposedOrder;
  return { order, accepted: Number(row["of"]) };
}

async function expectBound({ clientOrderId, acceptedAt, acceptance }: PlacedOrder): Promise<void> {
  const { order, accepted } = await orderOf(clientOrderId);
  const count = acceptance!.count!;
  const root = fromHex(acceptance!.root!)!;
  expect(verifyBatchRoot(TEST_SIGNER.verifier, root, fromBase64(acceptance!.signature!)!)).toBe(true);
  const commitment = batchCommitments(nodeHashes, fromHex(acceptance!.nonce!)!, [order]);
  expect(acceptance!.accepted).toBe(accepted);
  const path = acceptance!.path!.map((hash) => fromHex(hash)!);
  const tree = merklePathRoot(nodeHashes, { entry: commitment, index: acceptance!.place!, size: count, path });
  expect(acceptance!.acceptedAt).toBe(acceptedAt);
  const made = batchRoot(nodeHashes, BigInt(acceptance!.batchNo!), BigInt(acceptedAt) as Instant, accepted, tree!);
  expect(toHex(made)).toBe(acceptance!.root);
}

/**
 * Wishes that each differ from another one in a single thing: instrument, direction, duration, wallet or limit price.
 */
const WISHES = ["EURUSD", "GBPUSD"].flatMap((symbol) =>
  (["up", "down"] as const).flatMap((direction) =>
    [30, 60].flatMap((duration) => [
      { symbol, direction, duration, wallet: "practice" as const },
      { symbol, direction, duration, wallet: "real" as const },
      { symbol, direction, duration, wallet: "real" as const, limitPrice: "10.85000" },
    ]),
  ),
);

describe("an acceptance", () => {
  it("binds each order of a batch immediately, by a signed root and a path", async () => {
    const members = await Promise.all(WISHES.map(() => world.build.createMember({ real: usd(100) })));
    await world.tick("GBPUSD");
    await world.tick();
    const placed = await Promise.all(members.map((member, index) => world.accepted(member, WISHES[index])));
    expect(new Set(placed.map(({ acceptance }) => acceptance!.batchNo)).size).toBeLessThan(WISHES.length);
    for (const each of placed) await expectBound(each);
  });

  it("fails only for the member whose rows refuse it, never for others in the same batch", async () => {
    const members = await Promise.all(Array.from({ length: 12 }, () => world.build.createMember()));
    await world.tick();
    const bad = members[5]!;
    await world.build.client.query(`ALTER TABLE open_groups ADD CONSTRAINT bent CHECK (${bad} <> ALL (member_ids))`);
    try {
      const verdicts = await Promise.all(members.map((member) => world.place(member)));
      for (const [index, verdict] of verdicts.entries()) expect(verdict.ok).toBe(index !== 5);
      expect(verdicts[5]).toMatchObject({ ok: false, refusal: { error: "NOT_NOW" } });
    } finally {
      await world.build.client.query("ALTER TABLE open_groups DROP CONSTRAINT bent");
    }
    expect((await world.place(bad)).ok).toBe(true);
  });

  it("is returned again with the same order whenever its client id is sent again", async () => {
    const memberId = await world.build.createMember();
    await world.tick();
    const clientOrderId = newClientId();
    const first = await world.accepted(memberId, { clientOrderId });
    expect((await world.accepted(memberId, { clientOrderId })).acceptance).toEqual(first.acceptance);
  });
});

describe("a refusal", () => {
  /** Makes a wish in the form that `createOrderWorld` would complete it to. */
  const wishOf = (memberId: bigint, clientOrderId: ClientId, stake: bigint) => ({
    memberId: memberId as MemberId,
    clientOrderId,
    wallet: "practice" as const,
    symbol: "EURUSD",
    direction: "up" as const,
    sealed: null,
    stake: stake as MicroUsd,
    durationSeconds: 30,
    limitPrice: null,
    payoutRate: null,
    fee: null,
  });

  async function entryOf(batchNo: string): Promise<AcceptEntry> {
    const { rows } = await world.build.client.query<{ entry: string }>(
      "SELECT entry FROM outbox WHERE kind = 'orders.accept' AND entry LIKE $1",
      [`%"batch":${batchNo},%`],
    );
    const parsed = parseLogEntry(utf8(rows[0]!.entry));
    if (!parsed.ok || parsed.entry.kind !== "orders.accept") throw new Error("no such batch in the log");
    return parsed.entry;
  }

  async function refusalOf(memberId: bigint, wish: Partial<PlaceOrderInput>) {
    const verdict = await world.ask(memberId, wish);
    if (verdict.ok || verdict.refusal.proof === undefined) throw new Error("no signed refusal");
    return { error: verdict.refusal.error, proof: verdict.refusal.proof };
  }

  it("is signed with its reason and is in the log even if the batch has no order", async () => {
    const memberId = await world.build.createMember();
    await world.tick();
    const clientOrderId = newClientId();
    const stake = usd(1_000_000);
    const { error, proof } = await refusalOf(memberId, { clientOrderId, stake });
    expect([error, proof.reason]).toEqual(["STAKE_ABOVE_MAXIMUM", "STAKE_ABOVE_MAXIMUM"]);
    expect(await world.orderCount(memberId)).toBe(0);
    const root = fromHex(proof.root)!;
    expect(verifyBatchRoot(TEST_SIGNER.verifier, root, fromBase64(proof.signature)!)).toBe(true);
    const refused = { wish: wishOf(memberId, clientOrderId, stake), reason: "STAKE_ABOVE_MAXIMUM" };
    const commitment = batchCommitments(nodeHashes, fromHex(proof.nonce)!, [], [refused]);
    const path = proof.path.map((hash) => fromHex(hash)!);
    const tree = merklePathRoot(nodeHashes, { entry: commitment, index: proof.place, size: proof.count, path })!;
    const [number, at] = [BigInt(proof.batchNo), BigInt(proof.at) as Instant];
    expect(toHex(batchRoot(nodeHashes, number, at, proof.accepted, tree))).toBe(proof.root);
    const entry = await entryOf(proof.batchNo);
    expect([entry.commitments.length, [...entry.reasons]]).toEqual([0, [["STAKE_ABOVE_MAXIMUM", 1]]]);
    expect(toHex(entry.refusals)).toBe(toHex(commitment));
  });

  it("comes after the orders of its batch, whose proofs hold as well", async () => {
    const members = await Promise.all(Array.from({ length: 12 }, () => world.build.createMember()));
    await world.tick();
    const answers = await Promise.all(
      members.map((member, index) => world.ask(member, index % 3 === 0 ? { stake: usd(1_000_000) } : {})),
    );
    const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.refusal.proof!]));
    expect(refused).toHaveLength(4);
    for (const answer of answers) if (answer.ok) await expectBound(answer.value);
    for (const proof of refused) {
      expect(proof.place).toBeGreaterThanOrEqual(proof.accepted);
      const entry = await entryOf(proof.batchNo);
      expect(entry.commitments.length / 32).toBe(proof.accepted);
      expect(entry.refusals.length / 32).toBe(proof.count - proof.accepted);
    }
    expect(refused.some(({ accepted }) => accepted > 0)).toBe(true);
  });

  it("is made again each time the wish is sent, and never becomes an order", async () => {
    const memberId = await world.build.createMember();
    await world.tick();
    const clientOrderId = newClientId();
    const first = await refusalOf(memberId, { clientOrderId, stake: usd(1_000_000) });
    const second = await refusalOf(memberId, { clientOrderId, stake: usd(1_000_000) });
    expect(second.proof.batchNo).not.toBe(first.proof.batchNo);
    expect(await world.orderCount(memberId)).toBe(0);
  });
});

describe("while the public log is behind", () => {
  const publish = (age: number) =>
    world.build.client.query(
      `INSERT INTO log_published VALUES (true, 1, 'x', extract(epoch FROM clock_timestamp()) * 1000 - $1::integer, 1, 'x', 0, '[]')
       ON CONFLICT (one) DO UPDATE SET covers_at = excluded.covers_at`,
      [age],
    );

  it("refuses orders with that reason, and accepts them again afterwards", async () => {
    const memberId = await world.build.createMember();
    // Apart from its age, the log is complete.
    await world.build.client.query(
      `WITH written AS (INSERT INTO outbox (kind, entry) VALUES ('ticks', '{}') RETURNING outbox_id)
       INSERT INTO log_entries (log_index, outbox_id, number, kind, about)
       SELECT 0, outbox_id, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint / 60000 * 60000, 'ticks', 'EURUSD' FROM written`,
    );
    const watch = watchLog(world.context, world.acceptance);
    await publish(6_000);
    await waitUntil("the stop", () => world.acceptance.reasons().has("log") || null);
    expect(await world.place(memberId)).toEqual({ ok: false, refusal: { error: "LOG_BEHIND" } });
    // A reason that no watcher of this world clears.
    world.acceptance.stop("test", "another reason beside");
    expect(await world.place(memberId)).toEqual({ ok: false, refusal: { error: "NOT_NOW" } });
    world.acceptance.clear("test");
    await publish(0);
    await waitUntil("the log to have caught up", () => !world.acceptance.reasons().has("log") || null);
    await world.tick();
    expect((await world.place(memberId)).ok).toBe(true);
    await watch.stop();
  });
});
