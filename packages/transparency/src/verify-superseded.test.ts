import { nodeHashes } from "@fairtick/domain/node";
import { toHex, utf8 } from "@fairtick/domain";
import { describe, expect, it } from "vitest";
import { parseReceipt } from "./receipt.ts";
import { makeWorld, POLICY, type TestEntry, type World } from "./testing.ts";
import { configBody, START, type TestOrder } from "./testing-house.ts";
import { verifyLog } from "./verify-log.ts";
import { verifyReceipt } from "./verify-receipt.ts";

// A house could keep using superseded terms for some members, so each order must follow the configuration in force.

const orders: TestOrder[] = [{ at: 30_130n }, { at: 70_200n, symbol: "BTCUSD", durationSeconds: 120 }];
/** When the second version takes effect: between both orders. */
const NEXT_AT = START + 60_000n;
const nextBody = configBody
  .replace('"version":1', '"version":2')
  .replace(/"effectiveAt":[0-9]+/, `"effectiveAt":${NEXT_AT}`);

/** Makes a log with two versions of the configuration, in which each batch names the version that `named` returns. */
async function houseWith(named: (batch: number) => number | null, isFormer = false): Promise<World> {
  const change = (entries: TestEntry[]) =>
    entries.flatMap((entry): TestEntry[] => {
      if (entry.kind === "config") {
        const hash = toHex(nodeHashes.sha256(utf8(nextBody)));
        return [entry, { ...entry, fields: { effectiveAt: NEXT_AT, hash, version: 2 } }];
      }
      if (entry.kind !== "orders.accept") return [entry];
      const { config: _config, ...fields } = entry.fields;
      const version = named(Number(fields["batch"]));
      return [{ ...entry, fields: version === null ? fields : { ...fields, config: version } }];
    });
  const world = await makeWorld(nodeHashes, orders, { change, isFormer, ordersPerBatch: 1 });
  world.files.set("config/2", utf8(nextBody));
  return world;
}

async function faultsOf(world: World): Promise<string[]> {
  const { findings } = await verifyLog(nodeHashes, world, POLICY);
  return findings.filter(({ grade }) => grade === "fault").map((each) => `${each.check}: ${each.what}`);
}

async function notOk(world: World, order: number): Promise<string[]> {
  const parsed = parseReceipt(await world.receipt(order));
  if (!parsed.ok) throw new Error(parsed.fault);
  const bad = verifyReceipt(nodeHashes, parsed.receipt, POLICY).filter(({ state }) => state !== "ok");
  return bad.map(({ id, why }) => `${id}: ${why}`);
}

describe("the configuration of an order", () => {
  it("is the newest one in force when it was accepted", async () => {
    expect(await faultsOf(await houseWith((batch) => batch))).toEqual([]);
  });

  it("is a fault in the log if it is another one", async () => {
    expect(await faultsOf(await houseWith(() => 1))).toEqual([
      "configurations: batch 2 was agreed under version 1; in force was version 2",
    ]);
    expect(await faultsOf(await houseWith(() => 2))).toEqual([
      "configurations: batch 1 was agreed under version 2; in force was version 1",
    ]);
  });

  it("must be named by every batch once one has named it", async () => {
    // Only entries of version 1 can leave it out.
    expect(await faultsOf(await houseWith((batch) => (batch === 1 ? 1 : null), true))).toEqual([
      "configurations: batch 2 names no configuration",
    ]);
  });

  it("fails a receipt if its batch names another one", async () => {
    // Both orders' commitments name version 1.
    const world = await houseWith((batch) => batch);
    expect(await notOk(world, 0)).toEqual([]);
    expect(await notOk(world, 1)).toEqual(["terms: the log has its batch under another version"]);
  });
});
