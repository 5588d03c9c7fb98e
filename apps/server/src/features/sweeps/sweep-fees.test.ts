import { formatPrefixedId, type MicroUsd } from "@fairtick/domain";
import { callNode, depositXpub } from "@fairtick/test-chain";
import { gasAddress, readSeed } from "@fairtick/signer";
import type { Hex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { createAddressMaker } from "../deposits/index.ts";
import { showAddress } from "../deposits/show-address.ts";
import { newPayoutMemory, type PayoutParts } from "../payouts/payout-parts.ts";
import { FULL_ADDRESSES } from "./plan-sweeps.ts";
import { sweepRound } from "./sweep-round.ts";
import { createPayoutWorld, type PayoutWorld } from "../payouts/test-world.ts";

const MINUTES = 60_000n;
const TOKEN_GAS = 120_000n;
const GWEI = 1_000_000_000n;

let world: PayoutWorld;
let skipped = 0n;
let parts: PayoutParts;
beforeAll(async () => {
  world = await createPayoutWorld({ sweepAbove: 50_000_000n as MicroUsd });
  await callNode(world.chain.anvil.url, "anvil_setBalance", [gasAddress(readSeed(world.folder)), "0xde0b6b3a7640000"]);
  parts = { ...world.parts, clock: { ...systemClock, now: () => (systemClock.now() + skipped) as never } };
});
afterAll(() => world.close());
beforeEach(async () => {
  await baseFee(GWEI);
});

const chainCall = (method: string, params: unknown[]) => callNode(world.chain.anvil.url, method, params);
const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.chain.build.client.query<Row>(text, values)).rows;
/** Sets the base fee of a new block and of the one after it. */
async function baseFee(wei: bigint) {
  for (let block = 0; block < 2; block += 1) {
    await chainCall("anvil_setNextBlockBaseFeePerGas", [`0x${wei.toString(16)}`]);
    if (block === 0) await world.chain.mine();
  }
}
const forget = () => chainCall("anvil_dropAllTransactions", []);
const round = () => sweepRound(parts);
const attempts = async (address: string) =>
  sql<{ max_fee: string; tx_hash: string }>(
    `SELECT a.max_fee, a.tx_hash FROM sweep_attempts a JOIN sweeps s USING (sweep_id) WHERE s.address = $1 AND a.step = 'collect' ORDER BY attempt`,
    [address],
  );
const stageOf = async (address: string) =>
  (await sql<{ stage: string }>("SELECT stage FROM sweeps WHERE address = $1", [address]))[0]?.stage;

/** Credits 60 USDT at an address of the signer's that has this many coins. */
async function credited(coins: bigint): Promise<Hex> {
  const addresses = createAddressMaker({ evm: depositXpub(world.folder), tron: null });
  const memberId = await world.chain.build.createMember();
  const shown = await showAddress({ ...world.chain.deposits, addresses }, memberId as never, "test", 1n as never);
  if (!shown.ok) throw new Error(shown.refusal.error);
  const address = shown.value.address.toLowerCase() as Hex;
  await chainCall("anvil_setBalance", [address, `0x${coins.toString(16)}`]);
  await world.chain.send(address, 60_000_000n);
  await world.chain.mine(3);
  await world.chain.watch();
  await baseFee(GWEI);
  return address;
}
/**
 * Makes a signed and sent sweep with exactly the coins that a transfer costs now. Then the chain becomes ten times as
 * expensive and forgets the transaction.
 */
async function stranded(): Promise<Hex> {
  const node = parts.node as Extract<PayoutParts["node"], { kind: "evm" }>;
  const address = await credited(TOKEN_GAS * (await node.gasPrice()).maxFee * 2n);
  const { maxFee } = await node.gasPrice();
  await chainCall("anvil_setBalance", [address, `0x${(TOKEN_GAS * maxFee).toString(16)}`]);
  await round();
  await round();
  expect(await attempts(address)).toHaveLength(1);
  await forget();
  await baseFee(10n * GWEI);
  skipped += 4n * MINUTES;
  return address;
}

describe("a sweep whose address has no coins for a higher fee", () => {
  it("isn't priced higher, is sent again, and succeeds once the chain is cheaper", async () => {
    const address = await stranded();
    await round();
    expect(await attempts(address)).toHaveLength(1);
    await forget();
    await baseFee(GWEI / 2n);
    for (let turn = 0; turn < 3; turn += 1) {
      await round();
      await world.chain.mine(2);
    }
    expect(await stageOf(address)).toBe("done");
    expect(await world.tokensOf(address)).toBe(0n);
  });

  it("succeeds with an earlier attempt if a later one costs more than the address has", async () => {
    const address = await stranded();
    // Earlier versions made such attempts.
    const [sweep] = await sql<{ sweep_id: string; child: number; nonce: string; max_fee: string }>(
      `SELECT s.sweep_id, s.child, p.nonce, a.max_fee FROM sweeps s JOIN sweep_steps p USING (sweep_id) JOIN sweep_attempts a USING (sweep_id, step)
       WHERE s.address = $1 AND p.step = 'collect'`,
      [address],
    );
    const maxFee = BigInt(sweep!.max_fee) * 10n;
    const { tokens, anvil } = world.chain;
    const genesis = (await callNode(anvil.url, "eth_getBlockByNumber", ["0x0", false])) as { hash: string };
    const made = await world.door.sweep({
      id: formatPrefixedId("swp", BigInt(sweep!.sweep_id)),
      chain: 31337n,
      genesis: genesis.hash,
      token: tokens.noReturn,
      step: "collect",
      child: sweep!.child,
      amount: 60_000_000n,
      nonce: BigInt(sweep!.nonce),
      attempt: 2,
      maxFee,
      priorityFee: maxFee / 2n,
    });
    if (!made.ok) throw new Error(made.detail);
    await sql(
      "INSERT INTO sweep_attempts (sweep_id, step, attempt, max_fee, priority_fee, tx_hash, raw, made_at) VALUES ($1, 'collect', 2, $2, $3, $4, $5, $6)",
      [
        sweep!.sweep_id,
        made.value.maxFee,
        made.value.priorityFee,
        made.value.hash,
        made.value.raw,
        systemClock.now() + skipped,
      ],
    );
    await forget();
    await baseFee(GWEI / 2n);
    for (let turn = 0; turn < 3; turn += 1) {
      await round();
      await world.chain.mine(2);
    }
    expect(await stageOf(address)).toBe("done");
    const [first] = await attempts(address);
    expect(await sql("SELECT tx_hash FROM sweeps WHERE address = $1", [address])).toEqual([
      { tx_hash: first!.tx_hash },
    ]);
  });

  it("is priced higher as soon as someone sends the address coins", async () => {
    const address = await stranded();
    await chainCall("anvil_setBalance", [address, "0xde0b6b3a7640000"]);
    for (let turn = 0; turn < 3; turn += 1) {
      await round();
      await world.chain.mine(2);
    }
    expect(await attempts(address)).toHaveLength(2);
    expect(await stageOf(address)).toBe("done");
  });

  it("opens one incident, with what is there and what is needed", async () => {
    const address = await stranded();
    skipped += 31n * MINUTES;
    const memory = newPayoutMemory();
    for (let turn = 0; turn < 3; turn += 1) await sweepRound(parts, memory);
    const found = await sql<{ detail: object; subject: string }>(
      "SELECT subject, detail FROM incidents WHERE kind = 'sweep_slow'",
    );
    expect(found).toHaveLength(1);
    expect(found[0]?.subject).toContain(`${address} collect`);
    expect(found[0]?.detail).toMatchObject({ chain: "test", lies: expect.any(String), needed: expect.any(String) });
    await baseFee(GWEI / 2n);
    for (let turn = 0; turn < 3; turn += 1) {
      await round();
      await world.chain.mine(2);
    }
    expect(await stageOf(address)).toBe("done");
    await world.chain.checkBooks();
  });
});

describe("a sweep that failed", () => {
  it("leaves its deposits to be swept again", async () => {
    const address = await credited(10n ** 18n);
    await round();
    expect(await sql("SELECT 1 FROM unswept_deposits WHERE address = $1", [address])).toEqual([]);
    const { payout } = world.context.databases;
    await payout.query("UPDATE sweeps SET stage = 'failed', reason = 'as a test has it' WHERE address = $1", [address]);
    expect(await sql("SELECT units FROM unswept_deposits WHERE address = $1", [address])).toEqual([
      { units: "60000000" },
    ]);
    for (let turn = 0; turn < 5; turn += 1) {
      await round();
      await world.chain.mine(2);
    }
    expect(await world.tokensOf(address)).toBe(0n);
    await world.chain.checkBooks();
  });
});

describe("the repeated search for work", () => {
  it("depends only on what waits, not on the history", async () => {
    const [row] = await sql<{ instance_id: number; sweep_id: string; member_id: string }>(
      `SELECT s.instance_id, s.sweep_id, d.member_id FROM sweeps s JOIN sweep_deposits USING (sweep_id) JOIN deposits d USING (deposit_id) LIMIT 1`,
    );
    await sql(
      `WITH made AS (INSERT INTO deposits (deposit_id, member_id, method, stage, amount, created_at, stage_at, reason)
         SELECT n, $1, 'crypto', 'rejected', 0, 1, 1, 'chain_anew' FROM generate_series(1, 4000) n RETURNING deposit_id)
       INSERT INTO chain_transfers (instance_id, tx_hash, log_index, deposit_id, token, from_address, to_address, raw_amount, rate, height, block_hash, sweep_id)
         SELECT $2, 'tx' || deposit_id, 0, deposit_id, '0x1', '0x2', '0x3', 1, 1, deposit_id, '0x4', $3 FROM made`,
      [row!.member_id, row!.instance_id, row!.sweep_id],
    );
    await sql("ANALYZE chain_transfers, deposits");
    const plan = async (text: string, values: unknown[]) =>
      (await sql<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values)).map((line) => line["QUERY PLAN"]).join("\n");
    expect(await plan(FULL_ADDRESSES, [row!.instance_id, "test", "1000"])).toContain("chain_transfers_unswept");
    const lost = "SELECT 1 FROM chain_transfers t WHERE t.instance_id = $1 AND t.lost_at_height <= $2";
    expect(await plan(lost, [row!.instance_id, "9000"])).toContain("chain_transfers_lost");
    expect(await plan("SELECT 1 FROM deposits WHERE stage_at >= $1", ["9000"])).toContain("deposits_by_stage_at");
  });
});

describe("a signer that signs no attempt at a higher price", () => {
  it("doesn't prevent the current attempt from being sent again", async () => {
    const node = parts.node as Extract<PayoutParts["node"], { kind: "evm" }>;
    const address = await credited(TOKEN_GAS * (await node.gasPrice()).maxFee * 100n);
    await round();
    await round();
    await forget();
    skipped += 4n * MINUTES;
    const sweep = () => Promise.resolve({ ok: false, refusal: "FEE", detail: "above the rule" } as const);
    await sweepRound({ ...parts, signer: { ...world.door, sweep } });
    await world.chain.mine(2);
    await round();
    expect(await stageOf(address)).toBe("done");
    expect(await attempts(address)).toHaveLength(1);
  });
});
