import type { MicroUsd } from "@fairtick/domain";
import { callNode, depositXpub } from "@fairtick/test-chain";
import { gasAddress, readSeed } from "@fairtick/signer";
import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { createAddressMaker } from "../deposits/index.ts";
import { showAddress } from "../deposits/show-address.ts";
import { newPayoutMemory } from "../payouts/payout-parts.ts";
import { payoutRound } from "../payouts/payout-round.ts";
import { requestWithdrawal } from "../withdrawals/request-withdrawal.ts";
import { sweepRound } from "./sweep-round.ts";
import { createPayoutWorld, type PayoutWorld } from "../payouts/test-world.ts";

let world: PayoutWorld;
let paying: Hex;
beforeAll(async () => {
  world = await createPayoutWorld({ sweepAbove: 50_000_000n as MicroUsd });
  paying = world.signer.address as Hex;
  await callNode(world.chain.anvil.url, "anvil_setBalance", [gasAddress(readSeed(world.folder)), "0xde0b6b3a7640000"]);
});
afterAll(() => world.close());

/** Creates a member whose address is derived from the signer's own seed. */
async function member() {
  const addresses = createAddressMaker({ evm: depositXpub(world.folder), tron: null });
  const memberId = await world.chain.build.createMember();
  const shown = await showAddress({ ...world.chain.deposits, addresses }, memberId as never, "test", 1n as never);
  if (!shown.ok) throw new Error(shown.refusal.error);
  return { memberId, address: shown.value.address.toLowerCase() as Hex };
}
async function credited(units: bigint, to?: Hex) {
  const address = to ?? (await member()).address;
  await world.chain.send(address, units);
  await world.chain.mine(3);
  await world.chain.watch();
  return address;
}
async function rounds(count: number) {
  for (let round = 0; round < count; round += 1) {
    await sweepRound(world.parts);
    await world.chain.mine(2);
  }
}
const sql = async <Row extends object>(text: string) => (await world.chain.build.client.query<Row>(text)).rows;
const clearings = async () =>
  sql<{ account: string; balance: string }>(
    "SELECT account, balance FROM house_accounts WHERE wallet = 'real' AND account IN ('chain_clearing', 'withdrawal_clearing') ORDER BY 1",
  );

describe("a deposit's address", () => {
  it("is emptied of credited deposits, only by the signer's key, and the books say where the money is", async () => {
    const before = await world.tokensOf(paying);
    const address = await credited(60_000_000n);
    // Deposits that aren't credited stay: they may still be taken back, or are below the minimum.
    await world.chain.send(address, 2_000_000n);
    await world.chain.mine(3);
    await world.chain.watch();
    await rounds(5);
    expect(await world.tokensOf(address)).toBe(2_000_000n);
    expect(await world.tokensOf(paying)).toBe(before + 60_000_000n);
    expect(await sql("SELECT stage, worth FROM sweeps")).toEqual([{ stage: "done", worth: "60000000" }]);
    expect(await clearings()).toEqual([
      { account: "chain_clearing", balance: "0" },
      { account: "withdrawal_clearing", balance: "-60000000" },
    ]);
    await rounds(2);
    expect(await sql("SELECT count(*)::integer AS sweeps FROM sweeps")).toEqual([{ sweeps: 1 }]);
    await world.chain.checkBooks();
  });

  it("is left alone below the threshold, and before the deposit is credited and final", async () => {
    const small = await credited(49_000_000n);
    await rounds(2);
    expect(await world.tokensOf(small)).toBe(49_000_000n);
    const { address } = await member();
    await world.chain.send(address, 80_000_000n);
    await world.chain.mine(1);
    await world.chain.watch();
    await sweepRound(world.parts);
    expect(await sql(`SELECT stage FROM sweeps WHERE address = '${address}'`)).toEqual([]);
    await world.chain.mine(2);
    await world.chain.watch();
    await rounds(5);
    expect(await world.tokensOf(address)).toBe(0n);
  });

  it("isn't emptied into a stopped wallet, and a sent sweep is sent again only after a while", async () => {
    const address = await credited(60_000_000n);
    const memory = newPayoutMemory();
    const sent: string[] = [];
    const send = (raw: string) => {
      sent.push(raw);
      return world.parts.node.send(raw);
    };
    const parts = { ...world.parts, node: { ...world.parts.node, send } };
    await payoutRound(world.parts, memory);
    await sql("UPDATE payout_wallets SET stopped_at = 1");
    await sweepRound(parts, memory);
    expect(await sql(`SELECT stage FROM sweeps WHERE address = '${address}'`)).toEqual([]);
    await sql("UPDATE payout_wallets SET stopped_at = NULL");
    for (let round = 0; round < 4; round += 1) await sweepRound(parts, memory);
    expect(sent).toHaveLength(1);
    await sql("UPDATE payout_wallets SET stopped_at = 1");
    for (let round = 0; round < 3; round += 1) {
      await world.chain.mine(2);
      await sweepRound(parts, memory);
    }
    expect(sent).toHaveLength(1);
    expect(await world.tokensOf(address)).toBe(60_000_000n);
    await sql("UPDATE payout_wallets SET stopped_at = NULL");
    await rounds(4);
    expect(await world.tokensOf(address)).toBe(0n);
  });

  it("of the gas wallet can't be withdrawn to by a member", async () => {
    const memberId = (await world.chain.build.createMember({
      real: 60_000_000n,
      tradePassword: true,
    })) as never;
    const wish = {
      chain: "test",
      address: gasAddress(readSeed(world.folder)),
      amount: 60_000_000n as MicroUsd,
      tradePassword: "482915",
      clientId: "to-the-gas-wallet" as never,
    };
    expect(await requestWithdrawal(world.context, memberId, wish, systemClock.now())).toMatchObject({
      refusal: { error: "ADDRESS_IS_OURS" },
    });
  });
});
