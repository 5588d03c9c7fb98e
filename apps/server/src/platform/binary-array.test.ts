import { afterAll, beforeAll, expect, it } from "vitest";
import { int4Array, int8Array, textArray, uuidArray } from "./binary-array.ts";
import { type Cell, type Lane, openLane } from "./lane.ts";
import { createTestContext, type TestContext } from "./test-context.ts";

let context: TestContext;
let lane: Lane;

beforeAll(async () => {
  context = await createTestContext();
  lane = await openLane(context.databases.orders);
});

afterAll(async () => {
  await lane.close();
  await context.close();
});

async function ask(text: string, value: Buffer): Promise<Cell[]> {
  const [rows = []] = await lane.flush([[{ name: text, text }, [value]]]);
  return rows.map(([cell = null]) => cell);
}

it("holds bigints, nulls among them", async () => {
  const values = [0n, null, -1n, 2n ** 63n - 1n, -(2n ** 63n)];
  expect(await ask("SELECT unnest($1::bigint[])", int8Array(values))).toEqual(values);
  expect(await ask("SELECT unnest($1::bigint[])", int8Array([]))).toEqual([]);
});

it("holds integers", async () => {
  const values = [0, -1, 2 ** 31 - 1, -(2 ** 31)];
  expect(await ask("SELECT unnest($1::integer[])", int4Array(values))).toEqual(values);
});

it("holds texts with any characters", async () => {
  const values = ['{"a":"\\\\"}', "", "NULL", "a,b", "Grüße, 你好", "line\nline"];
  expect(await ask("SELECT unnest($1::text[])", textArray(values))).toEqual(values);
  expect(await ask("SELECT unnest($1::text[])", textArray([]))).toEqual([]);
});

it("holds UUIDs", async () => {
  const values = [
    "00000000-0000-0000-0000-000000000000",
    "0193f5a7-8c2e-7d41-b3aa-9fe0d1c2b3a4",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
  ];
  expect(await ask("SELECT unnest($1::uuid[])", uuidArray(values))).toEqual(values);
  expect(await ask("SELECT unnest($1::uuid[])", uuidArray([]))).toEqual([]);
  // An unreadable value would otherwise be sent as whatever happened to be in memory.
  expect(() => uuidArray([...values, "client-1"])).toThrow(RangeError);
});
