import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { NOTICED_MS_MAX, type Result, waitForNotice } from "./attack.ts";
import type { Member } from "./member.ts";
import type { Product } from "./product.ts";
import type { Watchers } from "./watchers.ts";

export interface World {
  readonly product: Product;
  readonly member: Member;
  readonly watchers: Watchers;
}

async function standing({ watchers }: World): Promise<Set<string>> {
  return new Set((await watchers.look(null)).map(({ sentence }) => sentence));
}

/** The attacker takes the writer's lease for himself and writes nothing. */
export async function stopPublishing(world: World): Promise<Result> {
  const known = await standing(world);
  await world.product.sql("UPDATE log_writer SET epoch = epoch + 1, lease_until = 9000000000000000");
  const noticed = await waitForNotice(world.watchers, null, known);
  const wish = { wallet: "practice", symbol: "EURUSD", direction: "up", stake: "10.00", duration: "30" };
  const answer = await world.member.call("order/place", { ...wish, clientOrderId: "tamper-drill-unlogged" });
  await world.product.sql("UPDATE log_writer SET lease_until = 0");
  const told = { who: "member who wants to trade", sentence: answer.said };
  return { what: "stop publishing the log", refused: null, ...noticed, notices: [...noticed.notices, told] };
}

export async function swapDepositAddress({ product, member }: World): Promise<Result> {
  const what = "swap a member's deposit address";
  const ask = () => member.call("deposit/address", { chain: "test" });
  const honest = await ask();
  if (typeof honest.data["address"] !== "string") throw new Error(`there is no deposit address: ${honest.said}`);
  const where = `address = '${honest.data["address"].toLowerCase()}'`;
  const swap = (to: string, condition: string) => `UPDATE deposit_addresses SET address = '${to}' WHERE ${condition}`;
  const stolen = `0x${randomBytes(20).toString("hex")}`;
  let refused: string | null = null;
  try {
    await product.sql(`SET session_replication_role = replica; ${swap(stolen, where)}`);
  } catch (error) {
    refused = error instanceof Error ? error.message : String(error);
  }
  const [off, on] = ["DISABLE", "ENABLE ALWAYS"].map(
    (word) => `ALTER TABLE deposit_addresses ${word} TRIGGER refuse_row_change;`,
  );
  await product.sql(`BEGIN; ${off} ${swap(stolen, where)}; ${on} COMMIT`);
  const begun = performance.now();
  const answer = await ask();
  const seconds = (performance.now() - begun) / 1000;
  await product.sql(
    `BEGIN; ${off} ${swap(honest.data["address"].toLowerCase(), `address = '${stolen}'`)}; ${on} COMMIT`,
  );
  const shown = answer.data["address"];
  if (String(shown).toLowerCase() === stolen) return { what, refused, notices: [], seconds: null };
  const sentence = shown === undefined ? answer.said : "the address that the account's key makes is shown all the same";
  return { what, refused, notices: [{ who: "the server refuses to show it", sentence }], seconds };
}

/** Lower rates in a version of its own, which the log is told nothing of; then an order is accepted under it. */
export async function changePayoutRate(world: World): Promise<Result> {
  const known = await standing(world);
  await world.product.sql(
    `INSERT INTO trading_configs (version, effective_at, body, body_hash)
     SELECT version + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - 1000, body, sha256(convert_to(body::text, 'UTF8'))
     FROM (SELECT version, jsonb_set(replace(body::text, '"payoutRate": 8', '"payoutRate": 5')::jsonb, '{version}', to_jsonb(version + 1)) AS body
       FROM trading_configs ORDER BY version DESC LIMIT 1) newest`,
  );
  let order = null;
  for (let tries = 0; tries < 20 && order === null; tries += 1) {
    const placed = await world.member.place("up");
    const { data } = await world.member.call("order/detail", { orderNo: placed.orderNo });
    if (Number(data["configVersion"]) > 1) order = placed;
    else await sleep(1_000);
  }
  const what = "change a payout rate by a new configuration without an entry";
  if (order === null) {
    const sentence = "no order was accepted under it: the acceptance did not take it up";
    return { what, refused: null, notices: [{ who: "nobody was harmed", sentence }], seconds: null };
  }
  const noticed = await waitForNotice(world.watchers, order, known);
  const receipt = await world.member.call("order/receipt", { orderNo: order.orderNo });
  const remark = receipt.status === 200 ? "" : `nobody said so, but there is no receipt: ${receipt.said}`;
  return { what, refused: null, ...noticed, ...(remark !== "" && { remark }) };
}

/** The attacker has the log write what he likes: entries go into it from the outbox. */
async function forgeEntry(world: World, what: string, entry: Readonly<Record<string, unknown>>): Promise<Result> {
  const known = await standing(world);
  const text = JSON.stringify(entry, (_name, value: unknown) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : value,
  );
  await world.product.sql("INSERT INTO outbox (kind, entry) VALUES ($1, $2)", [entry["kind"], text]);
  return { what, refused: null, ...(await waitForNotice(world.watchers, null, known)) };
}

export async function revealAnotherSeed(world: World): Promise<Result> {
  const [row] = await world.product.sql<{ e: string; params: string }>(
    `SELECT epoch AS e, entry AS params FROM sm1_epochs JOIN sm1_params USING (params_hash)
     WHERE start_at IS NOT NULL AND seed IS NULL ORDER BY epoch LIMIT 1`,
  );
  if (row === undefined) throw new Error("no epoch is open");
  const { instruments } = JSON.parse(row.params) as { instruments: readonly { symbol: string; anchor: number }[] };
  const hash = () => randomBytes(32).toString("hex");
  const digest = Object.fromEntries(instruments.map(({ symbol }) => [symbol, hash()]));
  const from = Object.fromEntries(
    instruments.map(({ symbol, anchor }) => [symbol, [(BigInt(anchor) << 32n).toString(), 1]]),
  );
  const reveal = { kind: "epoch.reveal", v: 1, e: Number(row.e), seed: hash(), from, digest };
  return forgeEntry(world, "reveal another seed than was committed to", reveal);
}

export function logBackDatedBatch(world: World): Promise<Result> {
  const batch = { batch: 9_000_000, acceptedAt: Date.now() - 300_000, commitments: randomBytes(32).toString("base64") };
  return forgeEntry(world, "write a back-dated batch of orders into the log", {
    kind: "orders.accept",
    v: 1,
    ...batch,
  });
}

const THEN = "fairtick_then";

/** Everybody is thrown out for the moment that the database is copied or exchanged. */
async function alone(product: Product, name: string, work: () => Promise<unknown>): Promise<void> {
  await product.sql(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`, [], "whole");
  await product.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name], "whole");
  await work();
}

async function databaseName(product: Product): Promise<{ name: string; owner: string }> {
  const [row] = await product.sql<{ name: string; owner: string }>(
    "SELECT datname AS name, pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = current_database()",
  );
  if (row === undefined) throw new Error("the database has no name");
  return row;
}

/** What the attacker goes back to later. */
export async function copyDatabase(product: Product): Promise<void> {
  const { name, owner } = await databaseName(product);
  await alone(product, name, async () => {
    await product.sql(`CREATE DATABASE ${THEN} TEMPLATE ${name} OWNER ${owner}`, [], "whole");
    await product.sql(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`, [], "whole");
  });
}

export async function rollBack(world: World, copiedAt: number): Promise<Result> {
  const { product } = world;
  const known = await standing(world);
  const { name } = await databaseName(product);
  const minutes = ((performance.now() - copiedAt) / NOTICED_MS_MAX).toFixed(1);
  await alone(product, name, async () => {
    await product.sql(`ALTER DATABASE ${name} RENAME TO fairtick_now`, [], "whole");
    await product.sql(`ALTER DATABASE ${THEN} RENAME TO ${name}`, [], "whole");
  });
  const noticed = await waitForNotice(world.watchers, null, known);
  return { what: `roll the running database back by ${minutes} minutes`, refused: null, ...noticed };
}
