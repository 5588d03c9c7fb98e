import { expect, it } from "vitest";
import { gather } from "./gather.ts";

it("processes the items that arrive during work together, up to the maximum at a time", async () => {
  const batches: (readonly number[])[] = [];
  const double = gather(3, async (items: readonly number[]) => {
    batches.push(items);
    await Promise.resolve();
    return items.map((item) => item * 2);
  });
  const first = await Promise.all([1, 2, 3, 4].map((item) => double(item)));
  const later = await double(5);
  expect([...first, later]).toEqual([2, 4, 6, 8, 10]);
  expect(batches).toEqual([[1, 2, 3], [4], [5]]);
});

it("fails only for the item that can't be processed", async () => {
  const work = gather(10, async (items: readonly number[]) => {
    if (items.includes(2)) throw new Error("not this one");
    return items;
  });
  const answers = await Promise.allSettled([1, 2, 3].map((item) => work(item)));
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await work(4)).toBe(4);
});

it("retries nothing if the connection was lost, and continues with later items", async () => {
  let calls = 0;
  const work = gather(10, async (items: readonly number[]) => {
    calls += 1;
    if (calls === 1) throw Object.assign(new Error("gone"), { code: "ECONNRESET" });
    return items;
  });
  const answers = await Promise.allSettled([1, 2].map((item) => work(item)));
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(calls).toBe(1);
  expect(await work(3)).toBe(3);
});
