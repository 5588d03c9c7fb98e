import { DAY_MS, formatId, type Instant, type MemberId } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { parseVerifierKey, verifyLiability, type VerifierPolicy } from "@fairtick/transparency";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningLog, startLog } from "../log/index.ts";
import { logVerifierKeys } from "../log/log-keys.ts";
import { createOrderWorld, type OrderWorld, usd } from "../orders/test-world.ts";
import { publishLiabilities, readLiabilityPath } from "./index.ts";

// Uses a real database and the real log to publish what members are owed and to prove it.

const NOW = BigInt(Date.UTC(2026, 10, 21, 0, 0, 20)) as Instant;
const DAY = "2026-11-21";
let world: OrderWorld;
let log: RunningLog;
let policy: VerifierPolicy;
let members: MemberId[];
let madeBefore: boolean;

beforeAll(async () => {
  world = await createOrderWorld();
  const { context, build } = world;
  const settings = { ...context.config, logOrigin: "house.example/log" };
  log = await startLog({ ...context, config: settings });
  const [key = ""] = logVerifierKeys(settings);
  policy = {
    origin: "house.example/log",
    logKeys: [parseVerifierKey(key)!],
    witnessKeys: [],
    acceptanceKeys: [],
    witnessesNeeded: 0,
  };
  madeBefore = await publishLiabilities(context, NOW);
  members = [];
  for (const dollars of [10, 20.5, 30, 40, 50.01]) {
    members.push((await build.createMember({ real: usd(dollars) })) as MemberId);
  }
  await build.createMember();
  await world.tick();
  // What is locked for a running order is owed too.
  await world.accepted(members[1]!, { wallet: "real", stake: usd(10) });
});
afterAll(async () => {
  await log.stop();
  await world.close();
});

const owed = async () => {
  const { rows } = await world.build.client.query(
    `SELECT sum(CASE WHEN to_account IN ('available', 'locked') THEN amount ELSE 0 END
       - CASE WHEN from_account IN ('available', 'locked') THEN amount ELSE 0 END) AS owed
     FROM postings_all WHERE wallet = 'real'`,
  );
  return BigInt(rows[0].owed);
};
const entries = async () =>
  (await world.build.client.query("SELECT entry FROM outbox WHERE kind = 'liabilities' ORDER BY outbox_id")).rows;

describe("the day's sum tree", () => {
  it("is not published before anything is owed", () => {
    expect(madeBefore).toBe(false);
  });

  it("is published once, however often it runs, with the ledger's sum", async () => {
    const runs = await Promise.all([1n, 2n, 3n].map((at) => publishLiabilities(world.context, (NOW + at) as Instant)));
    expect(runs.filter(Boolean)).toHaveLength(1);
    expect(await publishLiabilities(world.context, (NOW + DAY_MS - 60_000n) as Instant)).toBe(false);
    const [published, ...others] = await entries();
    expect(others).toEqual([]);
    expect(JSON.parse(published.entry)).toMatchObject({ day: 20_778, members: 5, wallet: "real" });
    expect(BigInt(JSON.parse(published.entry).sum)).toBe(await owed());
    expect(await owed()).toBe(usd(150.51));
    const { rows } = await world.build.client.query("SELECT sum(sum) AS leaves FROM liability_nodes WHERE level = 0");
    expect(BigInt(rows[0].leaves)).toBe(usd(150.51));
  });

  it("proves to every member that they are included, and to nobody else", async () => {
    const parts = { databases: world.context.databases, files: log.files };
    for (const member of members) {
      await expect
        .poll(
          async () => {
            const path = await readLiabilityPath(parts, member, DAY);
            return path.ok ? verifyLiability(nodeHashes, path.value, formatId("member", member), policy) : path;
          },
          { timeout: 20_000 },
        )
        .toMatchObject({ state: "ok" });
    }
    const path = await readLiabilityPath(parts, members[1]!, DAY);
    if (!path.ok) throw new Error("no path");
    expect(path.value.leaf.amount).toBe("20.50");
    const check = (value: typeof path.value, of = members[1]) =>
      verifyLiability(nodeHashes, value, formatId("member", of!), policy).state;
    expect(check(path.value, members[0])).toBe("failed");
    expect(check({ ...path.value, path: path.value.path.slice(1) })).toBe("failed");
    expect(check({ ...path.value, leaf: { ...path.value.leaf, amount: "20.00" } })).toBe("failed");
  });

  it("has no path for members who had nothing, or for a day without a tree", async () => {
    const parts = { databases: world.context.databases, files: log.files };
    const nobody = (await world.build.createMember()) as MemberId;
    expect(await readLiabilityPath(parts, nobody, DAY)).toMatchObject({ refusal: { error: "NOT_FOUND" } });
    expect(await readLiabilityPath(parts, members[0]!, "2026-11-20")).toMatchObject({ ok: false });
  });

  it("is made again the next day and never changed", async () => {
    expect(await publishLiabilities(world.context, (NOW + DAY_MS) as Instant)).toBe(true);
    expect(await entries()).toHaveLength(2);
    for (const change of ["UPDATE liability_nodes SET sum = 0", "DELETE FROM liability_leaves"]) {
      await expect(world.build.client.query(change)).rejects.toThrow("written once");
    }
  });
});
