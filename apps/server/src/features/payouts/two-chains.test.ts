import type { MemberId } from "@fairtick/domain";
import { type Anvil, callNode, callNodeForText, deployTokens, mine, mintTo, startAnvil } from "@fairtick/test-chain";
import { waitUntil } from "@fairtick/testkit";
import { createPublicClient, encodeAbiParameters, erc20Abi, type Hex, http, keccak256, numberToHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { watchParts } from "../chain/start-watchers.ts";
import { chainSettings } from "../chain/test-settings.ts";
import { transferRequest } from "../chain/test-world.ts";
import type { WatchParts } from "../chain/watch-parts.ts";
import { showAddress } from "../deposits/show-address.ts";
import { newPayoutMemory, type PayoutMemory, type PayoutParts } from "./payout-parts.ts";
import { payoutRound } from "./payout-round.ts";
import { payoutParts } from "./start-payouts.ts";
import { createPayoutWorld, type PayoutWorld, usd } from "./test-world.ts";
import type { WithdrawalContext } from "../withdrawals/withdrawal-context.ts";

/**
 * These tests run two EVM chains in one deployment, with one database and one paying key. The first chain's token behaves as
 * on main net, the second chain's as OpenZeppelin's. This is the second chain's id.
 */
const CHAIN_ID = 31_338;
const WALLET_TOKENS = 1_000_000_000_000n;

let world: PayoutWorld;
let anvil: Anvil;
let settings: ChainSettings;
let others: string;
let watcher: WatchParts;
let payouts: PayoutParts;
let memory: PayoutMemory;
let second: { readonly chain: string; readonly context: WithdrawalContext };
beforeAll(async () => {
  anvil = await startAnvil({ folder: null, chainId: CHAIN_ID });
  const tokens = await deployTokens(anvil.url);
  const token = tokens.standard;
  const first = await callNode(anvil.url, "eth_getBlockByNumber", ["0x0", false]);
  const genesis = first as { readonly hash: string; readonly timestamp: string };
  // Two test chains that start in the same second would have the same first block.
  await waitUntil("another second", () => Date.now() / 1_000 > Number(genesis.timestamp) + 1);
  world = await createPayoutWorld({}, {}, [{ chain: String(CHAIN_ID), genesis: genesis.hash, token }]);
  const { chain } = world;
  settings = chainSettings(anvil.url, token, { chain: "second", name: "Second chain" });
  others = tokens.noReturn;
  const config = { ...chain.context.config, chains: [chain.settings, settings] };
  second = { chain: settings.chain, context: { ...world.context, config } };
  watcher = watchParts({ ...chain.context, ids: chain.parts.ids }, settings);
  payouts = payoutParts({ ...second.context, signer: world.door }, settings);
  memory = newPayoutMemory();
  await mintTo(anvil.url, token, world.signer.address, WALLET_TOKENS);
  await callNode(anvil.url, "anvil_setBalance", [world.signer.address, "0xde0b6b3a7640000"]);
  await mine(anvil.url);
  await chain.watch(watcher);
});
afterAll(async () => {
  await anvil.stop();
  await world.close();
});

const watchBoth = () => Promise.all([world.chain.watch(), world.chain.watch(watcher)]);
async function secondRound(): Promise<void> {
  await payoutRound(payouts, memory);
  await mine(anvil.url);
  await world.chain.watch(watcher);
}
async function roundsOnBoth(count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) await Promise.all([world.round(), secondRound()]);
}
const sendOnSecond = (token: string, to: string, units: bigint) =>
  callNodeForText(anvil.url, "eth_sendTransaction", [transferRequest(token, to, units)]);
const tokensOnSecond = (address: Hex) =>
  createPublicClient({ transport: http(anvil.url) }).readContract({
    address: settings.token as Hex,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [address],
  });
const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.chain.build.client.query<Row>(text, values)).rows;
const depositsOf = (memberId: bigint) =>
  sql<{ chain: string; stage: string; amount: string }>(
    `SELECT i.chain, d.stage, d.amount::text AS amount FROM deposits d JOIN chain_transfers t USING (deposit_id) JOIN chain_instances i USING (instance_id)
     WHERE d.member_id = $1 ORDER BY i.chain DESC, d.amount DESC`,
    [memberId],
  );
const stage = async (id: bigint) => (await world.row(id)).stage;

/** Makes a member with a deposit address on both chains. */
async function member() {
  const made = await world.chain.member();
  const { deposits, context } = world.chain;
  const { config } = second.context;
  const shown = await showAddress({ ...deposits, config }, made.memberId as MemberId, "second", context.clock.now());
  if (!shown.ok) throw new Error(shown.refusal.error);
  // A member has the same address on every chain.
  expect(shown.value.address.toLowerCase()).toBe(made.address);
  return made;
}

describe("deposits on two chains", () => {
  it("are credited by each chain's own token and confirmations, and never in the other chain's token", async () => {
    const { memberId, address } = await member();
    await world.chain.send(address, 30_000_000n);
    await world.chain.send(address, 31_000_000n, world.chain.tokens.standard);
    await sendOnSecond(settings.token, address, 40_000_000n);
    await sendOnSecond(others, address, 41_000_000n);
    await world.chain.mine(2);
    await mine(anvil.url);
    await watchBoth();
    expect(await world.chain.realOf(memberId)).toBe(30_000_000n);
    await mine(anvil.url);
    await watchBoth();
    await watchBoth();
    expect(await depositsOf(memberId)).toEqual([
      { chain: "test", stage: "credited", amount: "30000000" },
      { chain: "test", stage: "wrong_token", amount: "0" },
      { chain: "second", stage: "credited", amount: "40000000" },
      { chain: "second", stage: "wrong_token", amount: "0" },
    ]);
    expect(await world.chain.realOf(memberId)).toBe(70_000_000n);
    await world.chain.checkBooks();
  });

  it("are undone only by a reorganization of their own chain", async () => {
    const { memberId, address } = await member();
    await world.chain.send(address, 50_000_000n);
    await sendOnSecond(settings.token, address, 60_000_000n);
    await world.chain.mine();
    await mine(anvil.url);
    await watchBoth();
    await callNode(anvil.url, "anvil_reorg", [1, []]);
    await callNode(anvil.url, "anvil_dropAllTransactions");
    await watchBoth();
    await world.chain.mine(2);
    await mine(anvil.url, 2);
    await watchBoth();
    expect(await depositsOf(memberId)).toMatchObject([
      { chain: "test", stage: "credited" },
      { chain: "second", stage: "orphaned" },
    ]);
    expect(await world.chain.realOf(memberId)).toBe(50_000_000n);
    await world.chain.checkBooks();
  });
});

describe("withdrawals on two chains", () => {
  it("are paid at the same time by one key, each on its requested chain and with that chain's nonces", async () => {
    const asked = [await world.ask(20), await world.ask(21), await world.ask(30, second), await world.ask(31, second)];
    await roundsOnBoth(4);
    expect(await Promise.all(asked.map(({ id }) => stage(id)))).toEqual(asked.map(() => "confirmed"));
    const paid = await Promise.all(
      asked.map(async ({ address }) => [await world.tokensOf(address), await tokensOnSecond(address)]),
    );
    expect(paid).toEqual([
      [19_000_000n, 0n],
      [20_000_000n, 0n],
      [0n, 29_000_000n],
      [0n, 30_000_000n],
    ]);
    const nonces = await sql<{ chain: string; nonces: string }>(
      `SELECT i.chain, string_agg(n.nonce::text, ' ' ORDER BY n.nonce) AS nonces
       FROM payout_nonces n JOIN chain_instances i USING (instance_id) GROUP BY 1 ORDER BY 1 DESC`,
    );
    expect(nonces).toEqual([
      { chain: "test", nonces: "0 1" },
      { chain: "second", nonces: "0 1" },
    ]);
    await world.chain.checkBooks();
  });

  it("above the limit are paid by a signature that names the chain", async () => {
    const approver = await world.newApprover();
    const [here, there] = [await world.ask(900), await world.ask(900, second)];
    await roundsOnBoth(1);
    expect([await stage(here.id), await stage(there.id)]).toEqual(["review", "review"]);
    expect(await world.approve(approver, there.id)).toBe("approved");
    await roundsOnBoth(3);
    expect([await stage(here.id), await stage(there.id)]).toEqual(["review", "confirmed"]);
    expect([await tokensOnSecond(there.address), await world.tokensOf(there.address)]).toEqual([899_000_000n, 0n]);
    expect(await world.approve(approver, here.id)).toBe("approved");
    await roundsOnBoth(3);
    expect(await stage(here.id)).toBe("confirmed");
    expect(await world.tokensOf(here.address)).toBe(899_000_000n);
    await world.chain.checkBooks();
  });

  it("wait on a chain whose wallet is stopped, and continue on the other", async () => {
    const stop = (at: number | null) =>
      sql(
        "UPDATE payout_wallets SET stopped_at = $1 WHERE instance_id = (SELECT instance_id FROM chain_instances WHERE chain = 'second')",
        [at],
      );
    await stop(1);
    const [here, there] = [await world.ask(22), await world.ask(32, second)];
    await roundsOnBoth(3);
    expect([await stage(here.id), await stage(there.id)]).toEqual(["confirmed", "approved"]);
    await stop(null);
    await roundsOnBoth(3);
    expect(await stage(there.id)).toBe("confirmed");
    expect(await tokensOnSecond(there.address)).toBe(31_000_000n);
  });
});

describe("a token of OpenZeppelin's shape", () => {
  it("leaves a reverted payment to an operator, and the next one is paid", async () => {
    const wallet = world.signer.address as Hex;
    const holds = await tokensOnSecond(wallet);
    // The storage slot of the wallet's balance, in the contract's first mapping.
    const slot = keccak256(encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [wallet, 0n]));
    const give = async (units: bigint) => {
      const set = [settings.token, slot, numberToHex(units, { size: 32 })];
      await callNode(anvil.url, "anvil_setStorageAt", set);
      expect(await tokensOnSecond(wallet)).toBe(units);
    };
    const { id, address, memberId } = await world.ask(33, second);
    await payoutRound(payouts, memory);
    await give(0n);
    await mine(anvil.url);
    await give(holds);
    await secondRound();
    await secondRound();
    expect(await world.row(id)).toMatchObject({ stage: "needs_review", reason: "reverted" });
    expect(await tokensOnSecond(address)).toBe(0n);
    const held =
      "SELECT real_available::text AS available, real_locked::text AS locked FROM members_money WHERE member_id = $1";
    expect(await sql(held, [memberId])).toEqual([{ available: "0", locked: String(usd(33)) }]);
    const next = await world.ask(34, second);
    await roundsOnBoth(3);
    expect(await stage(next.id)).toBe("confirmed");
    expect(await tokensOnSecond(next.address)).toBe(33_000_000n);
    await world.chain.checkBooks();
  });
});
