import { formatPrefixedId } from "@fairtick/domain";
import { TRON_TOKEN } from "@fairtick/test-chain/tron";
import type { DepositCase, Incident } from "@fairtick/protocol/operator";
import { TronWeb } from "tronweb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openIncident } from "../chain/index.ts";
import { chainSettings, tronSettings } from "../chain/test-settings.ts";
import { type ConsoleWorld, createConsoleWorld } from "../../testing/console-world.ts";

const DIGITS = "5e".repeat(32);
const ADDRESS = `0x${"5e".repeat(20)}`;
const NOWHERE = "http://127.0.0.1:1";
const written = (address: string) => TronWeb.address.fromHex(`41${address.slice(2)}`);

let world: ConsoleWorld;
let cookie: string;
let memberId: bigint;
const sql = async (text: string, values: unknown[] = []) => world.builder.client.query(text, values);
const ask = async (path: string, input: object = {}) => (await world.call(path, input, cookie)).body.data as unknown;

beforeAll(async () => {
  world = await createConsoleWorld({ chains: [chainSettings(NOWHERE, ADDRESS), tronSettings(NOWHERE)] });
  cookie = await world.logIn("finance-1");
  memberId = await world.builder.createMember();
  await sql(
    `INSERT INTO chain_instances (chain, evm_chain_id, genesis_hash, token, cursor_height, cursor_hash, head_height, read_at)
     VALUES ('test', 1, '0x0', $1, 9, '0x9', 9, 1), ('tron', 2, '0x0', $2, 9, '0x9', 9, 1)`,
    [ADDRESS, TRON_TOKEN],
  );
  await sql(
    "INSERT INTO chain_coins (instance_id, address, member_id, balance, seen_at) SELECT instance_id, $1, $2, 7, 1 FROM chain_instances",
    [ADDRESS, memberId],
  );
});
afterAll(() => world.close());

/** Inserts a transfer below the minimum, so that finance gets a case. Returns the case. */
async function arrived(depositId: bigint, chain: string): Promise<DepositCase> {
  await sql(
    "INSERT INTO deposits (deposit_id, member_id, method, stage, amount, created_at, stage_at) VALUES ($1, $2, 'crypto', 'confirming', 1000000, 1, 1)",
    [depositId, memberId],
  );
  await sql(
    `INSERT INTO chain_transfers (instance_id, tx_hash, log_index, deposit_id, token, from_address, to_address, raw_amount, rate, height, block_hash)
     SELECT instance_id, $1, 0, $2, token, $3, $3, 1000000, 1000000, 9, '0x9' FROM chain_instances WHERE chain = $4`,
    [`0x${DIGITS}`, depositId, ADDRESS, chain],
  );
  return (await ask("deposit/detail", { depositNo: formatPrefixedId("dep", depositId) })) as DepositCase;
}

describe("the console on TRON", () => {
  it("shows a deposit's hash as TRON's explorers do, and on other chains with 0x", async () => {
    expect((await arrived(901n, "tron")).chain).toEqual({ chain: "tron", txHash: DIGITS, claimed: false });
    expect((await arrived(902n, "test")).chain).toEqual({ chain: "test", txHash: `0x${DIGITS}`, claimed: false });
  });

  it("shows the address of stray coins in TRON's notation", async () => {
    const { coins } = (await ask("incident/list")) as { coins: { chain: string; address: string }[] };
    expect(coins.find(({ chain }) => chain === "tron")?.address).toBe(written(ADDRESS));
    expect(coins.find(({ chain }) => chain === "test")?.address).toBe(ADDRESS);
  });

  it("shows both in the same way in an incident, which is still closed by its number", async () => {
    const about = (chain: string) => ({
      kind: "nodes_disagree" as const,
      subject: chain === "tron" ? `0x${DIGITS}` : `0x${DIGITS.slice(2)}99`,
      memberId: null,
      detail: { chain, ours: `0x${DIGITS}`, wallet: `3 ${ADDRESS} slow`, height: "9" },
    });
    const db = world.context.databases.chain;
    await openIncident(db, about("tron"), 2n);
    await openIncident(db, about("test"), 1n);
    const { incidents } = (await ask("incident/list")) as { incidents: Incident[] };
    const onTron = incidents.find(({ detail }) => detail["chain"] === "tron")!;
    expect(onTron).toMatchObject({
      subject: DIGITS,
      detail: { ours: DIGITS, wallet: `3 ${written(ADDRESS)} slow`, height: "9" },
    });
    expect(incidents.find(({ detail }) => detail["chain"] === "test")).toMatchObject(about("test"));
    const { incidents: seen } = (await ask("withdrawal/walletState")) as { incidents: { subject: string }[] };
    expect(seen.map(({ subject }) => subject)).toContain(DIGITS);
    const closed = await ask("incident/close", { incidentId: onTron.incidentId, reason: "Both say the same now" });
    expect(closed).toMatchObject({ subject: DIGITS, closed: { reason: "Both say the same now" } });
  });
});
