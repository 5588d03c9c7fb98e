import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrderWorld, type OrderWorld } from "../orders/test-world.ts";
import { checkInvariants } from "./check-invariants.ts";

const MEMBERS = 20_000;
const HELD = 10_100_000n;
/** A plan that scans all running orders for each order would take a minute here. */
const CHECK_MS_MAX = 25_000;

let world: OrderWorld;
let acceptedAt: bigint;
beforeAll(async () => {
  world = await createOrderWorld();
  acceptedAt = BigInt(Date.now());
  const { client } = world.build;
  // PostgreSQL's statistics are taken before the members and orders are inserted, so they are out of date as in every busy
  // minute.
  await client.query("ANALYZE");
  const members = await world.build.createMembers(MEMBERS);
  await client.query(
    "CREATE TEMP TABLE placed AS SELECT * FROM unnest($1::bigint[]) WITH ORDINALITY AS m(member_id, number)",
    [members],
  );
  await client.query(`
    INSERT INTO acceptance_batches VALUES (1, ${acceptedAt}, sha256('1'));
    INSERT INTO orders (order_id, member_id, member_seq, batch_no, accepted_at, stake, fee, profit_if_won, available_after, payout_rate,
        duration, config_version, batch_place, wallet, direction, symbol, client_order_id, client_key, nonce)
      SELECT 2 * number - turn, member_id, 3 - turn, 1, ${acceptedAt}, 10000000, 100000, 8100000,
        practice_available - (2 - turn) * ${HELD}, 820000, 30, 1, 2 * number - turn, 'practice', 'up', 'EURUSD',
        'run-' || 2 * number - turn, client_key('run-' || 2 * number - turn), '\\x00'
      FROM placed JOIN members_money USING (member_id), generate_series(0, 1) AS turn;
    UPDATE members_money SET member_seq = 3, practice_available = practice_available - 2 * ${HELD},
      practice_locked = 2 * ${HELD}, practice_running_stakes = 20000000, practice_running_orders = 2 WHERE member_id IN (SELECT member_id FROM placed);
    INSERT INTO open_groups (first_id, accepted_at, duration, symbol, order_ids, member_ids)
      SELECT min(order_id), ${acceptedAt}, 30, 'EURUSD', array_agg(order_id ORDER BY order_id), array_agg(member_id ORDER BY order_id)
      FROM orders GROUP BY order_id / 40`);
}, 60_000);
afterAll(() => world.close());

async function broken(): Promise<string[]> {
  const found = await checkInvariants(world.context, acceptedAt);
  return found
    .filter(({ invariant }) => ["I2", "I5", "I6"].includes(invariant))
    .map(({ invariant, about, wrong }) => `${invariant}: ${about} ${wrong}`);
}

it.each([
  { counted: [] },
  { counted: ["orders"] },
  { counted: ["settlements"] },
  { counted: ["orders", "open_groups", "members_money", "transfers", "settlements"] },
])(
  "are checked in time however many came since the last ANALYZE, after another ANALYZE of $counted",
  async ({ counted }) => {
    for (const table of counted) await world.build.client.query(`ANALYZE ${table}`);
    const begun = performance.now();
    expect(await broken()).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(CHECK_MS_MAX);
  },
  90_000,
);

it("are reported if they neither run nor are settled", async () => {
  await world.build.client.query("DELETE FROM open_groups WHERE first_id = 40");
  const missing = await broken();
  expect(missing).toHaveLength(10);
  expect(missing.slice(0, 5).join("\n")).toMatch(/^(I5: order [4-7][0-9] neither runs nor is settled\n?){5}$/);
  expect(missing.slice(5).join("\n")).toMatch(
    /^(I6: member [0-9]+ practice locked, running stakes and running orders should be [0-9]+, [0-9]+ and [0-9]+\n?){5}$/,
  );
});
