import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Result, waitForNotice } from "./attack.ts";
import type { Kept, Member } from "./member.ts";
import type { Product } from "../own-product.ts";
import type { Watchers } from "./watchers.ts";

export interface World {
  readonly product: Product;
  readonly member: Member;
  readonly watchers: Watchers;
}

/** Returns the sentences that watchers already report. */
export async function standing({ watchers }: World): Promise<Set<string>> {
  return new Set((await watchers.look(null)).map(({ sentence }) => sentence));
}

/** Places and settles three orders, so that the log grows and the witness has something to remember. */
export async function tradeOn({ member }: World): Promise<void> {
  for (let made = 0; made < 3; made += 1) await member.settled((await member.place("up")).orderNo);
}

/** Takes the log writer's lease and writes nothing. */
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
  return { what, refused, notices: [{ who: "member who asks for it: the server shows none", sentence }], seconds };
}

/** Lowers rates in a configuration version without telling the log; then an order is accepted under it. */
export async function changePayoutRate(world: World): Promise<Result> {
  // After the previous attack, orders are accepted again once the server has found everything intact.
  await world.member.place("up");
  const known = await standing(world);
  await world.product.sql(
    `INSERT INTO trading_configs (version, effective_at, body, body_hash)
     SELECT version + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - 1000, body, sha256(convert_to(body::text, 'UTF8'))
     FROM (SELECT version, jsonb_set(replace(body::text, '"payoutRate": 8', '"payoutRate": 5')::jsonb, '{version}', to_jsonb(version + 1)) AS body
       FROM trading_configs ORDER BY version DESC LIMIT 1) newest`,
  );
  const order = await placeUnder(world.member, 2);
  const noticed = await waitForNotice(world.watchers, order, known);
  return { what: "change a payout rate by a new configuration without an entry", refused: null, ...noticed };
}

/** Places an order under at least that version; null if acceptance stopped before it accepted one. */
async function placeUnder(member: Member, version: number): Promise<Kept | null> {
  for (let tries = 0; tries < 20; tries += 1) {
    const placed = await member.tryToPlace("up");
    if (placed === null) return null;
    const { data } = await member.call("order/detail", { orderNo: placed.orderNo });
    if (Number(data["configVersion"]) >= version) return placed;
    await sleep(1_000);
  }
  throw new Error(`no order was accepted under configuration ${version}`);
}

/** Makes the log publish a forged entry by putting it into the outbox. */
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
  const [row] = await world.product.sql<{ e: string; start: string; params: string }>(
    `SELECT epoch AS e, start_at AS start, entry AS params FROM sm1_epochs JOIN sm1_params USING (params_hash)
     WHERE start_at IS NOT NULL AND seed IS NULL ORDER BY epoch LIMIT 1`,
  );
  if (row === undefined) throw new Error("no epoch is open");
  const { instruments, beacon } = JSON.parse(row.params) as Params;
  const hash = () => randomBytes(32).toString("hex");
  const digest = Object.fromEntries(instruments.map(({ symbol }) => [symbol, hash()]));
  const from = Object.fromEntries(
    instruments.map(({ symbol, anchor }) => [symbol, [(BigInt(anchor) << 32n).toString(), 1]]),
  );
  const rounds = beacon && { rounds: noRounds(beacon, Number(row.start)) };
  const reveal = { kind: "epoch.reveal", v: 1, e: Number(row.e), seed: hash(), from, digest, ...rounds };
  return forgeEntry(world, "reveal another seed than was committed to", reveal);
}

interface Params {
  readonly instruments: readonly { readonly symbol: string; readonly anchor: number }[];
  /** Only for SM2; in seconds. */
  readonly beacon?: { readonly genesis: number; readonly period: number };
}

/** Returns the epoch's rounds as an SM2 reveal would, all of them claimed never to have arrived. */
function noRounds({ genesis, period }: NonNullable<Params["beacon"]>, start: number) {
  const roundAt = (time: number) => Math.floor((time - genesis * 1_000) / (period * 1_000)) + 1;
  const [from, to] = [roundAt(start), roundAt(start + LAST_TICK_MS)];
  return { from, signatures: Buffer.alloc((to - from + 1) * SIGNATURE_BYTES).toString("base64") };
}

/** The last of an epoch's 1,200 ticks comes this long after its start. */
const LAST_TICK_MS = 599_500;
const SIGNATURE_BYTES = 48;

/** Passes off prices that no seed makes as an exchange's, by an entry in the log about already published prices. */
export function lieAboutSource(world: World): Promise<Result> {
  return forgeEntry(world, "call simulated prices an outside source's, after the fact", {
    kind: "source",
    v: 1,
    since: Date.now() - 120_000,
    source: "kraken",
    symbol: "EURUSD",
  });
}

export function logBackDatedBatch(world: World): Promise<Result> {
  const commitments = randomBytes(32).toString("base64");
  const batch = { batch: 9_000_000, acceptedAt: Date.now() - 300_000, commitments, config: 1, open: 1 };
  return forgeEntry(world, "write a back-dated batch of orders into the log", {
    kind: "orders.accept",
    v: 2,
    reasons: {},
    refusals: "",
    ...batch,
  });
}
