import type { MemberId } from "@fairtick/domain";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrderWorld, instant, type OrderWorld, usd } from "../orders/test-world.ts";
import { tellMember } from "../notices/index.ts";
import { sayToSupport } from "../support/index.ts";
import { KEPT_SECTIONS } from "./kept-rows.ts";
import { memberFiles } from "./member-files.ts";
import { zipOf } from "./zip-of.ts";

let world: OrderWorld;
beforeAll(async () => {
  world = await createOrderWorld();
});
afterAll(() => world.close());

async function archiveOf(memberId: MemberId): Promise<Record<string, string>> {
  const now = instant(await world.build.now());
  const pieces: Uint8Array[] = [];
  for await (const piece of zipOf(await memberFiles(world.context, world.placing, memberId, now, "en"), now))
    pieces.push(piece);
  const unpacked = unzipSync(Buffer.concat(pieces));
  return Object.fromEntries(Object.entries(unpacked).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

it("gives the standing that is in force now, not the stored one", async () => {
  const memberId = (await world.build.createMember({ standing: "excluded", excludedUntil: 1_000n })) as MemberId;
  const account = JSON.parse((await archiveOf(memberId))["account.json"] ?? "");
  expect(account.account).toMatchObject({ standing: "active", excludedUntil: "1970-01-01T00:00:01.000Z" });
});

it("contains account, orders and money of this member only, as JSON and CSV", async () => {
  const memberId = (await world.build.createMember({ real: usd(50) })) as MemberId;
  const other = (await world.build.createMember()) as MemberId;
  await world.build.client.query("SELECT submit_identity_basics($1, 'Silva', 'Ana', 'female', '1990-05-17')", [
    memberId,
  ]);
  await world.build.client.query("INSERT INTO favourites VALUES ($1, 'EURUSD')", [memberId]);
  await tellMember(world.context.databases.money, memberId, "identityVerified", {});
  await tellMember(world.context.databases.money, other, "suspensionLifted", {});
  for (const [whose, text] of [
    [memberId, "My own words"],
    [other, "Somebody else's words"],
  ] as const)
    await sayToSupport(world.context, whose, { text, clientId: "client-0001" });
  await world.tick();
  const mine = await world.accepted(memberId);
  const running = await world.accepted(memberId, { wallet: "real", duration: 300 });
  const others = await world.accepted(other);
  const at = (await world.build.now()) + 1n;
  await world.build.feedTicks("EURUSD", [
    { time: at, price: 1_085_000n },
    { time: at + 29_000n, price: 1_085_010n },
    { time: at + 30_500n, price: 1_085_010n },
  ]);
  await world.settlement.settleNow();

  const files = await archiveOf(memberId);
  expect(Object.keys(files)).toEqual([
    "account.json",
    "orders.json",
    "orders.csv",
    "fund-records.json",
    "fund-records.csv",
    "messages.json",
    "messages.csv",
    "customer-service.json",
    "customer-service.csv",
    "invited.json",
    "invited.csv",
    ...KEPT_SECTIONS.flatMap(({ name }) => [`${name}.json`, `${name}.csv`]),
  ]);
  const account = JSON.parse(files["account.json"] ?? "");
  expect(account).toMatchObject({
    account: { email: `m${memberId}@example.com`, region: "AR", standing: "active" },
    favourites: ["EURUSD"],
    limits: [],
    identity: {
      state: "unverified",
      person: { familyName: "Silva", givenName: "Ana", birthDate: "1990-05-17" },
    },
  });
  const orders = JSON.parse(files["orders.json"] ?? "") as { orderNo: string; state: string }[];
  expect(orders.map(({ orderNo, state }) => [orderNo, state])).toEqual([
    [mine.orderNo, "settled"],
    [running.orderNo, "open"],
  ]);
  expect(files["orders.csv"]?.split("\r\n")[1]).toContain(`${mine.orderNo},practice,EURUSD,up,10.00`);
  expect(files["orders.csv"]?.trim().split("\r\n")).toHaveLength(3);
  const funds = JSON.parse(files["fund-records.json"] ?? "") as { amount: string; wallet: string }[];
  expect(funds).toContainEqual(expect.objectContaining({ wallet: "practice", amount: "18.20" }));
  expect(funds).toContainEqual(expect.objectContaining({ wallet: "real", amount: "50.00" }));
  expect(files["withdrawals.json"]).toBe("[]\n");
  expect(JSON.parse(files["messages.json"] ?? "")).toMatchObject([{ title: "Identity verified" }]);
  expect(JSON.parse(files["customer-service.json"] ?? "")).toMatchObject([{ from: "member", text: "My own words" }]);
  const all = Object.values(files).join("");
  expect(all).not.toContain("Somebody else's words");
  expect(all).not.toContain(others.orderNo);
  // Secrets that are stored as hashes are not exported, not even as hashes.
  expect(all).not.toMatch(/password_?hash|token_?hash/i);
});
