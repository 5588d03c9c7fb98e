import { parseId } from "@fairtick/domain";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TICK_GATE_KEYS } from "../../platform/tick-gate.ts";
import { createOrderWorld, type OrderWorld } from "./test-world.ts";

const MEMBERS = 60;
const TICK_MS = 10;

let world: OrderWorld;
let market: pg.Client;
beforeAll(async () => {
  world = await createOrderWorld();
  market = new pg.Client({ connectionString: world.context.database.url });
  await market.connect();
  // Make the commit of each batch of orders slow, as on a slow disk.
  await market.query(`
    CREATE FUNCTION commit_slowly() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(0.03 + random() * 0.05); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER commit_slowly AFTER INSERT ON acceptance_batches DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION commit_slowly()`);
});
afterAll(async () => {
  await market.end();
  await world.close();
});

/** Stores a tick of this moment. Returns which orders were committed once the tick could be seen. */
async function tickAndLook(gated: boolean): Promise<{ time: number; orders: Set<string> }> {
  const { rows: clock } = await market.query<{ time: string }>(
    `SELECT greatest(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, time + 1) AS time
     FROM instrument_clock WHERE symbol = 'EURUSD'`,
  );
  const time = Number(clock[0]?.time);
  await market.query("BEGIN");
  if (gated) await market.query("SELECT pg_advisory_xact_lock($1)", [TICK_GATE_KEYS.market]);
  await market.query(
    "INSERT INTO ticks SELECT symbol, seq + 1, $1, 1085000, sealed_through FROM instrument_clock WHERE symbol = 'EURUSD'",
    [time],
  );
  await market.query(
    "UPDATE instrument_clock SET seq = seq + 1, time = $1, sealed_through = $1 WHERE symbol = 'EURUSD'",
    [time],
  );
  await market.query("COMMIT");
  const { rows } = await market.query<{ order_id: string }>("SELECT order_id FROM orders");
  return { time, orders: new Set(rows.map(({ order_id }) => order_id)) };
}

/** Counts how many of sixty members could see the tick that opens their order before the order was committed. */
async function countSeenTooEarly(gated: boolean): Promise<number> {
  const members = await world.build.createMembers(MEMBERS);
  await world.tick();
  const seen: { time: number; orders: Set<string> }[] = [];
  const life = { placing: true };
  const ticking = (async () => {
    while (life.placing) {
      seen.push(await tickAndLook(gated));
      await new Promise((resolve) => {
        setTimeout(resolve, TICK_MS);
      });
    }
    // Store one more tick, so that the last orders get their entry too.
    seen.push(await tickAndLook(gated));
  })();
  const placed = await Promise.all(
    members.map(async (memberId, index) => {
      await new Promise((resolve) => {
        setTimeout(resolve, index * 15);
      });
      return world.accepted(memberId);
    }),
  );
  life.placing = false;
  await ticking;
  return placed.filter(({ orderNo, acceptedAt }) => {
    const entry = seen.find(({ time }) => time > acceptedAt);
    if (entry === undefined) throw new Error("an order got no entry");
    return !entry.orders.has(String(parseId("order", orderNo)));
  }).length;
}

it("no member can see the tick that opens their order before the order is committed", async () => {
  expect(await countSeenTooEarly(true)).toBe(0);
});

it("without the gate, many members could, so this test would notice", async () => {
  expect(await countSeenTooEarly(false)).toBeGreaterThan(5);
});
