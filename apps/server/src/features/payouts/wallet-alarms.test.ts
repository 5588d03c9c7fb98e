import type { Instant } from "@fairtick/domain";
import { callNode } from "@fairtick/test-chain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { readWalletState } from "../withdrawal-desk/report-payouts.ts";
import { createPayoutWorld, type PayoutWorld } from "./test-world.ts";

const MINUTE = 60_000n;

let world: PayoutWorld;
beforeAll(async () => {
  world = await createPayoutWorld();
});
afterAll(() => world.close());

const read = (later = 0n) =>
  readWalletState(
    world.chain.context.databases.console,
    [world.chain.settings],
    world.door,
    (systemClock.now() + later) as Instant,
  );
const alarms = async (later = 0n) => (await read(later)).wallets[0]?.alarms.map(({ kind }) => kind);
const setCoins = (wei: bigint) =>
  callNode(world.chain.anvil.url, "anvil_setBalance", [world.signer.address, `0x${wei.toString(16)}`]);

/** Runs a round that reads the wallet's balances, which not every round does. */
async function look() {
  world.memory.balancesAt = Number.NEGATIVE_INFINITY;
  await world.round();
}

describe("the console's alarms about the paying wallet", () => {
  it("are silent before its first payment and while its balances suffice", async () => {
    expect((await read()).wallets).toMatchObject([{ address: null, tokens: null, alarms: [] }]);
    await world.round();
    const { wallets, signer } = await read();
    expect(wallets).toMatchObject([
      { address: world.signer.address, tokens: "1000000.000000", coins: "1", alarms: [] },
    ]);
    expect(signer).toMatchObject({ reachable: true, address: world.signer.address });
  });

  it("say that it runs out of coins for gas, until there are more", async () => {
    await setCoins(499_999_999_999_999_999n);
    await look();
    expect(await alarms()).toEqual(["LOW_COINS"]);
    await setCoins(10n ** 18n);
    await look();
    expect(await alarms()).toEqual([]);
  });

  it("say that the chain was not read for a minute", async () => {
    await world.chain.watch();
    expect(await alarms(MINUTE / 2n)).toEqual([]);
    expect(await alarms(MINUTE + 5_000n)).toEqual(["CHAIN_NOT_READ"]);
  });

  it("say that it stopped, and which approved payment has waited for ten minutes", async () => {
    const { client } = world.chain.build;
    await client.query("UPDATE payout_wallets SET stopped_at = 1, stop_reason = 'somebody else used a nonce'");
    const { id } = await world.ask(20);
    await world.round();
    expect((await world.row(id)).stage).toBe("approved");
    expect((await read()).wallets[0]?.alarms).toEqual([{ kind: "STOPPED", detail: "somebody else used a nonce" }]);
    expect(await alarms(10n * MINUTE + 5_000n)).toEqual(["STOPPED", "CHAIN_NOT_READ", "SLOW"]);
    await client.query("UPDATE payout_wallets SET stopped_at = NULL, stop_reason = NULL");
    await world.rounds(4);
    expect((await world.row(id)).stage).toBe("confirmed");
    expect(await alarms()).toEqual([]);
  });

  it("say that it holds less than members are about to withdraw", async () => {
    await Promise.all(Array.from({ length: 20 }, () => world.ask(50_000)));
    // Nothing is approved yet. 1,000,000.00 is held, and the wallet has 19.00 less than that.
    await look();
    expect(await alarms()).toEqual(["LOW_TOKENS"]);
  });

  it("say that the signer doesn't answer", async () => {
    await world.withoutSigner(async () => {
      expect((await read()).signer).toMatchObject({ reachable: false, address: null, keys: null });
    });
    expect((await read()).signer).toMatchObject({ reachable: true });
  });
});
