import { createBuilder, type Builder } from "@fairtick/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { readTimes } from "./withdrawal-times.ts";

const NOW = 1_795_271_400_000n;
const MINUTE = 60_000;

let context: TestContext;
let build: Builder;
beforeAll(async () => {
  context = await createTestContext();
  build = await createBuilder(context.database.url);
  // Only the times matter here, so the constraints on members, chains and transfers are dropped.
  const { rows } = await build.client.query<{ conname: string }>(
    "SELECT conname FROM pg_constraint WHERE conrelid = 'withdrawals'::regclass AND contype = 'f'",
  );
  for (const { conname } of rows) await build.client.query(`ALTER TABLE withdrawals DROP CONSTRAINT ${conname}`);
  await build.client.query("ALTER TABLE withdrawals DISABLE TRIGGER USER");
});
afterAll(async () => {
  await build.end();
  await context.close();
});

let made = 0;
/** Stores withdrawals that took this many seconds each and were paid this many days ago. */
async function paid(seconds: readonly number[], daysAgo = 1n) {
  for (const took of seconds) {
    made += 1;
    const at = NOW - daysAgo * 86_400_000n;
    await build.client.query(
      `INSERT INTO withdrawals (withdrawal_id, member_id, client_id, request_hash, chain, instance_id, address, amount, fee, units, created_at, expires_at,
         digest, stage, stage_at, hold_id, end_id)
       VALUES ($1::bigint, 1, $1::bigint::text, '', 'test', 1, '0x', 2, 1, 1, $2::bigint - $3::bigint, 0, '', 'confirmed', $2::bigint, $1::bigint, $1::bigint)`,
      [made, at, took * 1_000],
    );
  }
}

it("are counted once in five minutes for all readers, from the last thirty days", async () => {
  let elapsed = 0;
  let asked = 0;
  const clock = { ...context.clock, now: () => NOW as ReturnType<typeof context.clock.now>, elapsedMs: () => elapsed };
  const { reader } = context.databases;
  const counting: typeof reader = Object.assign(Object.create(reader) as typeof reader, {
    query: (...what: Parameters<typeof reader.query>) => {
      asked += 1;
      return reader.query(...what);
    },
  });
  const ask = () => readTimes({ databases: { reader: counting }, clock });

  await paid([1, 2, 3, 4]);
  await paid([900], 31n);
  expect(await ask()).toBe(null);
  elapsed = 5 * MINUTE;
  await paid([5, 6, 7, 8, 9, 60]);
  const times = { halfMs: 5_000, mostMs: 60_000, count: 10 };
  expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array.from({ length: 20 }, () => times));
  expect(asked).toBe(2);
  await paid([7]);
  elapsed = 10 * MINUTE - 1;
  expect(await ask()).toEqual(times);
  elapsed = 10 * MINUTE;
  expect(await ask()).toMatchObject({ halfMs: 6_000, count: 11 });
  expect(asked).toBe(3);
});
