import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrderWorld, type OrderWorld } from "../orders/test-world.ts";
import { checkInvariants } from "./check-invariants.ts";

const ORDERS = 40_000;
/** Looking through all that run for each of them takes most of a minute. */
const CHECK_MS_MAX = 10_000;

let world: OrderWorld;
let acceptedAt: bigint;
beforeAll(async () => {
  world = await createOrderWorld();
  const member = await world.build.createMember();
  acceptedAt = BigInt(Date.now());
  const { client } = world.build;
  // What PostgreSQL knows of the tables is of before all these orders, as in every busy minute.
  await client.query("ANALYZE");
  await client.query(`
    INSERT INTO acceptance_batches VALUES (1, ${acceptedAt}, sha256('1'));
    INSERT INTO orders (order_id, member_id, member_seq, batch_no, accepted_at, stake, fee, profit_if_won, available_after, payout_rate,
        duration, config_version, batch_place, wallet, direction, symbol, client_order_id, client_key, nonce)
      SELECT number, ${member}, number + 1, 1, ${acceptedAt}, 10000000, 100000, 8100000, 0, 820000,
        30, 1, number, 'practice', 'up', 'EURUSD', 'run-' || number, client_key('run-' || number), '\\x00'
      FROM generate_series(1, ${ORDERS}) AS number;
    INSERT INTO open_groups (first_id, accepted_at, duration, symbol, order_ids, member_ids)
      SELECT min(number), ${acceptedAt}, 30, 'EURUSD', array_agg(number), array_agg(${member})
      FROM generate_series(1, ${ORDERS}) AS number GROUP BY number / 40`);
});
afterAll(() => world.close());

async function brokenRuns(): Promise<string[]> {
  const found = await checkInvariants(world.context, acceptedAt);
  return found.filter(({ invariant }) => invariant === "I5").map(({ about, wrong }) => `${about} ${wrong}`);
}

it("are checked in time however many came since PostgreSQL last counted", async () => {
  const begun = performance.now();
  expect(await brokenRuns()).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(CHECK_MS_MAX);
});

it("are missed where they neither run nor are settled", async () => {
  await world.build.client.query("DELETE FROM open_groups WHERE first_id = 40");
  const missing = await brokenRuns();
  expect(missing).toHaveLength(5);
  for (const sentence of missing) expect(sentence).toMatch(/^order [4-7][0-9] neither runs nor is settled$/);
});
