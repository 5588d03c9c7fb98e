import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createPayoutWorld, type PayoutWorld, usd } from "./test-world.ts";

/** One more than a round reads at a time. */
const MANY = 501;

let world: PayoutWorld;
beforeAll(async () => {
  world = await createPayoutWorld();
});
afterAll(() => world.close());
// What an earlier test sent is confirmed, so that it takes nothing of the wallet's balance any more.
beforeEach(() => world.rounds(2));

const stage = async (id: bigint) => (await world.row(id)).stage;

/** Makes one member request many withdrawals. Returns them, oldest first. */
async function askMany(amount: number, usableAt = 0): Promise<{ readonly memberId: bigint; readonly ids: bigint[] }> {
  const { client } = world.chain.build;
  const memberId = await world.chain.build.createMember({ real: usd(amount) * BigInt(MANY) });
  const address = `0x${randomBytes(20).toString("hex")}`;
  await client.query(
    `INSERT INTO withdrawal_addresses (member_id, chain, address, added_at, usable_at) VALUES ($1, 'test', $2, 0, $3)`,
    [memberId, address, usableAt],
  );
  const ids = Array.from({ length: MANY }, () => world.context.ids.next());
  const holds = ids.map(() => world.context.ids.next());
  await client.query(
    `SELECT request_withdrawal(id, hold, $3, 'many-' || id, sha256('asked'), 'test', i.instance_id, $4, $5, 1000000, $6, 9e15::bigint, sha256(id::text::bytea))
     FROM unnest($1::bigint[], $2::bigint[]) AS many(id, hold), chain_instances i WHERE i.chain = 'test' AND i.ended_at IS NULL`,
    [ids, holds, memberId, address, usd(amount), usd(amount - 1)],
  );
  return { memberId, ids };
}

const freeze = (memberId: bigint) =>
  world.chain.build.client.query("INSERT INTO member_freezes (member_id, began_by, began_at) VALUES ($1, 'link', 0)", [
    memberId,
  ]);

it("pays everyone else while a member with frozen withdrawals has hundreds of them", async () => {
  const { memberId, ids } = await askMany(20);
  await freeze(memberId);
  const { id } = await world.ask(300);
  await world.round();
  expect(await stage(id)).toBe("broadcast");
  expect(await stage(ids[0] ?? 0n)).toBe("requested");
});

it("pays everyone else while hundreds of withdrawals wait for new addresses", async () => {
  const { ids } = await askMany(20, Date.now() + 86_400_000);
  const { id } = await world.ask(301);
  await world.round();
  expect(await stage(id)).toBe("broadcast");
  expect(await stage(ids[0] ?? 0n)).toBe("requested");
});

it("pays what the wallet can afford behind hundreds of approved withdrawals that it can't", async () => {
  const { memberId, ids } = await askMany(30);
  await world.chain.build.client.query(
    "UPDATE withdrawals SET stage = 'approved', stage_at = 1 WHERE withdrawal_id = ANY ($1::bigint[])",
    [ids],
  );
  const { id } = await world.ask(11);
  const node = { ...world.parts.node, tokenBalance: () => Promise.resolve(11_000_000n) };
  await world.round({ node });
  expect(await stage(id)).toBe("broadcast");
  expect(await stage(ids[0] ?? 0n)).toBe("approved");
  // Otherwise the next rounds would pay them, one after another.
  await freeze(memberId);
});

it("pays everyone else while hundreds of approved withdrawals belong to a member who froze them", async () => {
  const { memberId, ids } = await askMany(11);
  await world.chain.build.client.query(
    "UPDATE withdrawals SET stage = 'approved', stage_at = 1 WHERE withdrawal_id = ANY ($1::bigint[])",
    [ids],
  );
  await freeze(memberId);
  const { id } = await world.ask(12);
  const node = { ...world.parts.node, tokenBalance: () => Promise.resolve(15_000_000n) };
  await world.round({ node });
  expect(await stage(id)).toBe("broadcast");
});
