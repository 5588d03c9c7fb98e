import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkInvariants } from "../ledger/index.ts";
import { createOrderWorld, newClientId, type OrderWorld } from "./test-world.ts";

let world: OrderWorld;
beforeAll(async () => {
  world = await createOrderWorld();
});
afterAll(() => world.close());

/** Runs the child until it ends. Returns how it ended and what it had acknowledged. */
function runChild(...args: readonly string[]): Promise<{ signal: string | null; acknowledged: string[] }> {
  return new Promise((resolve) => {
    const file = join(import.meta.dirname, "crash-child.ts");
    const child = execFile(process.execPath, [file, world.context.database.url, ...args], (_error, stdout) => {
      resolve({ signal: child.signalCode, acknowledged: stdout.split("\n").filter((line) => line !== "") });
    });
  });
}

it.each(["orders.locked", "orders.judged", "orders.committed", "orders.committed:2"])(
  "a process killed at %s leaves exactly one order for each client id that is sent again",
  async (point) => {
    const memberId = await world.build.createMember();
    const clientIds = Array.from({ length: 8 }, newClientId);
    await world.tick();
    const keepFresh = setInterval(() => void world.tick(), 700);
    const { signal, acknowledged } = await runChild(point, "place", String(memberId), ...clientIds);
    clearInterval(keepFresh);
    await world.tick();
    const again = await Promise.all(clientIds.map((clientOrderId) => world.accepted(memberId, { clientOrderId })));
    // With a single batch there is no second commit, so the child ends normally.
    expect(signal ?? "ended").toBe(point.endsWith(":2") ? "ended" : "SIGKILL");
    expect(again.map(({ orderNo }) => orderNo)).toEqual(expect.arrayContaining(acknowledged));
    const { rows } = await world.build.client.query("SELECT count(*)::integer AS n FROM orders WHERE member_id = $1", [
      memberId,
    ]);
    expect(rows[0].n).toBe(8);
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  },
);

it.each(["settlement.taken", "settlement.counted", "settlement.committed", "settlement.committed:2"])(
  "a settling process killed at %s leaves each order to be settled exactly once",
  async (point) => {
    const memberId = await world.build.createMember();
    await world.tick();
    // Place them one after another. Orders of one batch would be settled together.
    const placed: Awaited<ReturnType<typeof world.accepted>>[] = [];
    for (let count = 0; count < 8; count += 1) placed.push(await world.accepted(memberId));
    await world.settlement.close();
    const newest = BigInt(Math.max(...placed.map(({ acceptedAt }) => acceptedAt)));
    await world.build.feedTicks("EURUSD", [
      { time: newest + 1n, price: 1_085_000n },
      { time: newest + 30_001n, price: 1_085_001n },
    ]);
    const { signal } = await runChild(point, "settle");
    expect(signal).toBe("SIGKILL");
    expect((await runChild("nowhere", "settle")).signal).toBeNull();
    const { rows } = await world.build.client.query(
      "SELECT count(*)::integer AS n, sum(profit)::bigint AS profit FROM settlements WHERE member_id = $1",
      [memberId],
    );
    expect(rows[0]).toEqual({ n: 8, profit: "64800000" });
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  },
);
