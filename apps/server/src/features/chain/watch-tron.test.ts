import { startTronNode, TRON_OTHER_TOKEN, TRON_TOKEN } from "@fairtick/test-chain/tron";
import { TronWeb } from "tronweb";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readDeposits } from "../deposits/index.ts";
import { listMethods, showAddress } from "../deposits/show-address.ts";
import { ChainAlarm } from "./chain-alarm.ts";
import { openNode } from "./node.ts";
import { rescan } from "./rescan.ts";
import { scanCoins } from "./start-watchers.ts";
import { tronSettings } from "./test-settings.ts";
import { createTronWorld, type TronWorld } from "./tron-test-world.ts";

let world: TronWorld;
beforeAll(async () => {
  world = await createTronWorld({ explorer: "https://tronscan.example/#/transaction/{hash}" });
});
afterEach(async () => {
  world.node.lag = 0;
  world.node.denied.clear();
  world.node.instead.clear();
  await world.checkBooks();
});
afterAll(() => world.close());

const stages = async (memberId: bigint) => (await world.depositsOf(memberId)).map(({ stage }) => stage);
/** Mines blocks one at a time, and reads each of them. */
async function mine(blocks: number): Promise<void> {
  for (let added = 0; added < blocks; added += 1) {
    world.node.chain.mine();
    await world.watch();
  }
}

describe("an address on TRON", () => {
  it("is shown in TRON's notation, with the chain's terms, if an account is configured for it", async () => {
    const { memberId, shown } = await world.member();
    expect(TronWeb.isAddress(shown)).toBe(true);
    const now = world.context.clock.now();
    expect(await showAddress(world.deposits, memberId as never, "tron", now)).toMatchObject({
      ok: true,
      value: { address: shown, uri: shown, confirmations: 20, minimum: "5.000000" },
    });
    expect(await listMethods(world.deposits, memberId as never, now)).toMatchObject({
      ok: true,
      value: { crypto: [{ chain: "tron", name: "TRON", confirmations: 20 }] },
    });
    const none = { ...world.deposits, addresses: null };
    expect(await listMethods(none, memberId as never, now)).toMatchObject({ ok: true, value: { crypto: [] } });
  });
});

describe("a transfer on TRON", () => {
  it("is seen at once, and credited once after its block is solidified", async () => {
    const { memberId, address } = await world.member();
    const id = await world.node.send(address, 250_000_000n);
    await mine(1);
    expect(await stages(memberId)).toEqual(["confirming"]);
    await mine(2);
    expect(await world.realOf(memberId)).toBe(0n);
    await mine(1);
    await world.watch();
    expect(await stages(memberId)).toEqual(["credited"]);
    expect(await world.realOf(memberId)).toBe(250_000_000n);
    const [stored] = await world.depositsOf(memberId);
    const [shown] = await readDeposits(
      world.deposits,
      [memberId],
      [BigInt(stored!.deposit_id)],
      world.context.clock.now(),
    );
    // TRON's block explorers show transaction ids without 0x.
    expect(shown?.deposit).toMatchObject({
      txHash: id.slice(2),
      explorerUrl: `https://tronscan.example/#/transaction/${id.slice(2)}`,
    });
  });

  it("is a deposit of its own even if its transaction makes several, next to others in the block", async () => {
    const [one, two] = [await world.member(), await world.member()];
    await world.node.send(two.address, 6_000_000n);
    await world.node.sendMany([one.address, two.address, one.address], [10_000_000n, 20_000_000n, 30_000_000n]);
    await mine(4);
    expect(await world.realOf(one.memberId)).toBe(40_000_000n);
    expect(await world.realOf(two.memberId)).toBe(26_000_000n);
    expect((await world.depositsOf(one.memberId)).map(({ log_index: place }) => place)).toEqual([0, 2]);
  });

  it("below the minimum, of another token, or that failed is not credited", async () => {
    const { memberId, address } = await world.member();
    await world.node.send(address, 4_999_999n);
    await world.node.send(address, 100_000_000n, TRON_OTHER_TOKEN);
    await mine(4);
    expect((await stages(memberId)).toSorted()).toEqual(["below_minimum", "wrong_token"]);
    world.node.chain.paused = true;
    await world.node.send(address, 70_000_000n);
    await mine(1);
    world.node.chain.paused = false;
    await mine(4);
    expect(await world.realOf(memberId)).toBe(0n);
  });

  it("that a reorganization removes waits, and is credited once, in the block that it returns in", async () => {
    const { memberId, address } = await world.member();
    await world.node.send(address, 71_000_000n);
    await mine(2);
    const [before] = await world.depositsOf(memberId);
    world.node.chain.reorg(2);
    await world.watch();
    expect(await stages(memberId)).toEqual(["orphaned"]);
    await mine(1);
    const [after] = await world.depositsOf(memberId);
    expect(after?.stage).toBe("confirming");
    expect(Number(after?.height)).toBeGreaterThan(Number(before?.height));
    await mine(4);
    expect(await world.realOf(memberId)).toBe(71_000_000n);
    expect(await stages(memberId)).toEqual(["credited"]);
  });

  it("that a reorganization drops for good is never credited", async () => {
    const { memberId, address } = await world.member();
    await world.node.send(address, 72_000_000n);
    await mine(1);
    world.node.chain.reorg(1, { keep: false });
    await mine(5);
    expect(await stages(memberId)).toEqual(["orphaned"]);
    expect(await world.realOf(memberId)).toBe(0n);
  });

  it("of the chain's own coin is shown to finance", async () => {
    const { memberId, address } = await world.member();
    world.node.chain.give("coin", address, 5_000_000n);
    await scanCoins(world.parts, 0);
    const { rows } = await world.build.client.query("SELECT balance FROM chain_coins WHERE member_id = $1", [memberId]);
    expect(rows).toEqual([{ balance: "5000000" }]);
  });
});

describe("a TRON node", () => {
  it("that lags or keeps a log back causes no loss", async () => {
    const [one, two] = [await world.member(), await world.member()];
    await world.node.send(one.address, 8_000_000n);
    world.node.chain.mine(2);
    world.node.lag = 2;
    await world.watch();
    expect(await stages(one.memberId)).toEqual([]);
    world.node.lag = 0;
    await mine(3);
    expect(await world.realOf(one.memberId)).toBe(8_000_000n);
    const hidden = await world.node.send(two.address, 9_000_000n);
    world.node.denied.add(hidden);
    await mine(4);
    expect(await stages(two.memberId)).toEqual([]);
    world.node.denied.clear();
    await rescan(world.parts);
    await world.watch();
    expect(await world.realOf(two.memberId)).toBe(9_000_000n);
  });

  it("that reports a transfer which another node denies gets nothing credited until both agree", async () => {
    const { memberId, address } = await world.member();
    const lying = await world.node.send(address, 10_000_000n);
    const other = openNode(`${world.node.url}/jsonrpc`);
    const witness = { ...other, receipt: async () => null };
    world.node.chain.mine(5);
    await world.watch({ ...world.parts, witness });
    expect(await stages(memberId)).toEqual(["confirming"]);
    await world.watch({ ...world.parts, witness: other });
    expect(await world.depositsOf(memberId)).toMatchObject([{ stage: "credited", tx_hash: lying }]);
  });

  it("is asked for no more blocks than it returns at once", async () => {
    const { memberId, address } = await world.member();
    await world.node.send(address, 11_000_000n);
    world.node.chain.mine(6_000);
    const asked: number[] = [];
    const counting = {
      ...world.parts.node,
      logs: (...[range, filter]: Parameters<typeof world.parts.node.logs>) => {
        if ("from" in range) asked.push(Number(range.to - range.from));
        return world.parts.node.logs(range, filter);
      },
    };
    await world.watch({ ...world.parts, node: counting });
    expect(await world.realOf(memberId)).toBe(11_000_000n);
    expect(Math.max(...asked)).toBeLessThan(5_000);
  });

  it("of another network stops everything", async () => {
    const other = await startTronNode({ life: 2 });
    const settings = tronSettings(other.url);
    await expect(world.watch({ ...world.parts, settings, node: openNode(settings.url) })).rejects.toThrow(ChainAlarm);
    expect(settings.token).toBe(TRON_TOKEN);
    await other.stop();
  });
});
