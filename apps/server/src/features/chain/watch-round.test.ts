import { callNode, deployTokens, mine, startAnvil, STRANGER } from "@fairtick/test-chain";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ChainAlarm } from "./chain-alarm.ts";
import { type ChainNode, openNode } from "./node.ts";
import { rescan } from "./rescan.ts";
import { scanCoins, watchParts } from "./start-watchers.ts";
import { type ChainWorld, createChainWorld, transferRequest } from "./test-world.ts";
import { chainSettings } from "./test-settings.ts";
import { LAG_MAX_MS, newMemory, watchRound } from "./watch-round.ts";

let world: ChainWorld;
beforeAll(async () => {
  world = await createChainWorld();
});
afterEach(() => world.checkBooks());
afterAll(() => world.close());

/** Reads the messages that the member got, with their figures except the deposit's number. */
const told = async (memberId: bigint) =>
  (
    await world.build.client.query(
      "SELECT message_key || (params - 'depositNo')::text AS told FROM member_messages WHERE member_id = $1 ORDER BY message_id",
      [memberId],
    )
  ).rows.map((row) => row.told);
const stages = async (memberId: bigint) => (await world.depositsOf(memberId)).map(({ stage }) => stage);

describe("a transfer of USDT", () => {
  it("is seen at once and, after its confirmations, credited once, rounded up to a cent at the house's cost", async () => {
    const { memberId, address } = await world.member();
    await world.send(address, 250_000_001n);
    await world.mine();
    await world.watch();
    expect(await stages(memberId)).toEqual(["confirming"]);
    expect(await world.realOf(memberId)).toBe(0n);
    await world.mine();
    await world.watch();
    await world.watch();
    expect(await stages(memberId)).toEqual(["credited"]);
    expect(await world.realOf(memberId)).toBe(250_010_000n);
    const { rows } = await world.build.client.query(
      `SELECT from_account, to_account, amount FROM postings JOIN transfers USING (transfer_id)
       WHERE member_id = $1 AND kind = 'deposit' ORDER BY line`,
      [memberId],
    );
    expect(rows).toEqual([
      { from_account: "chain_clearing", to_account: "available", amount: "250000001" },
      { from_account: "capital", to_account: "available", amount: "9999" },
    ]);
    expect(await told(memberId)).toEqual(['depositCredited{"amount": "250.01"}']);
  });

  it("is a deposit of its own even if its transaction makes several transfers", async () => {
    const one = await world.member();
    const two = await world.member();
    await world.sendMany([one.address, two.address, one.address], [10_000_000n, 20_000_000n, 30_000_000n]);
    await world.mine(2);
    await world.watch();
    expect(await world.realOf(one.memberId)).toBe(40_000_000n);
    expect(await world.realOf(two.memberId)).toBe(20_000_000n);
    expect((await world.depositsOf(one.memberId)).map(({ log_index }) => log_index)).toEqual([0, 2]);
  });

  it("below the minimum is stored and not credited", async () => {
    const { memberId, address } = await world.member();
    await world.send(address, 4_999_999n);
    await world.mine(2);
    await world.watch();
    expect(await stages(memberId)).toEqual(["below_minimum"]);
    expect(await world.realOf(memberId)).toBe(0n);
    expect(await told(memberId)).toEqual(['depositBelowMinimum{"amount": "4.999999", "minimum": "5.000000"}']);
  });

  it("of another token is shown and never credited, whatever the token calls itself", async () => {
    const { memberId, address } = await world.member();
    await world.send(address, 100_000_000n, world.tokens.standard);
    await world.mine(3);
    await world.watch();
    expect(await world.depositsOf(memberId)).toMatchObject([{ stage: "wrong_token", amount: "0" }]);
    expect(await world.realOf(memberId)).toBe(0n);
    expect(await told(memberId)).toEqual(["depositWrongToken{}"]);
  });

  it("of zero, or one that failed, is not a deposit", async () => {
    const { memberId, address } = await world.member();
    await world.send(address, 0n);
    await world.send(address, 10n ** 30n);
    await world.mine(3);
    await world.watch();
    expect(await stages(memberId)).toEqual([]);
  });

  it("of the chain's own coin is shown to finance", async () => {
    const { memberId, address } = await world.member();
    await callNode(world.anvil.url, "anvil_setBalance", [address, "0x64"]);
    await scanCoins(world.parts, 0);
    const { rows } = await world.build.client.query("SELECT balance FROM chain_coins WHERE member_id = $1", [memberId]);
    expect(rows).toEqual([{ balance: "100" }]);
  });
});

describe("a reorganization", () => {
  it("that removes a seen deposit leaves it waiting, uncredited", async () => {
    const { memberId, address } = await world.member();
    await world.mine(3);
    await world.send(address, 70_000_000n);
    await world.mine();
    await world.watch();
    expect(await stages(memberId)).toEqual(["confirming"]);
    await world.reorg(1);
    await callNode(world.anvil.url, "anvil_dropAllTransactions");
    await world.watch();
    expect(await stages(memberId)).toEqual(["orphaned"]);
    await world.mine(3);
    await world.watch();
    expect(await stages(memberId)).toEqual(["orphaned"]);
    expect(await world.realOf(memberId)).toBe(0n);
  });

  it("that moves a deposit to another block and another place in it credits it once, there", async () => {
    const { memberId, address } = await world.member();
    const other = await world.member();
    await world.mine(3);
    const hash = await world.send(address, 71_000_000n);
    await world.mine();
    await world.watch();
    const [before] = await world.depositsOf(memberId);
    const raw = (await callNode(world.anvil.url, "eth_getRawTransactionByHash", [hash])) as string;
    const elsewhere = {
      ...transferRequest(world.tokens.noReturn, other.address, 6_000_000n),
      from: world.tokens.noReturn,
    };
    await callNode(world.anvil.url, "anvil_impersonateAccount", [world.tokens.noReturn]);
    await callNode(world.anvil.url, "anvil_setBalance", [world.tokens.noReturn, "0xde0b6b3a7640000"]);
    await world.send(world.tokens.noReturn, 6_000_000n);
    await world.mine();
    await world.reorg(3, [
      [elsewhere, 1],
      [raw, 1],
    ]);
    await world.watch();
    await world.mine(3);
    await world.watch();
    const [after, ...more] = await world.depositsOf(memberId);
    expect(more).toEqual([]);
    expect(after).toMatchObject({ stage: "credited", deposit_id: before!.deposit_id, tx_hash: hash });
    expect(await world.realOf(memberId)).toBe(71_000_000n);
  });

  it("that adds a second transfer to the first makes two deposits", async () => {
    const { memberId, address } = await world.member();
    await world.mine(3);
    const hash = await world.send(address, 72_000_000n);
    await world.mine();
    await world.watch();
    const raw = (await callNode(world.anvil.url, "eth_getRawTransactionByHash", [hash])) as string;
    const nonce = (await callNode(world.anvil.url, "eth_getTransactionCount", [STRANGER.address, "latest"])) as string;
    await world.reorg(2, [
      [raw, 0],
      [{ ...transferRequest(world.tokens.noReturn, address, 72_000_000n), nonce }, 1],
    ]);
    await world.watch();
    await world.mine(2);
    await world.watch();
    expect(await stages(memberId)).toEqual(["credited", "credited"]);
    expect(await world.realOf(memberId)).toBe(144_000_000n);
  });

  it("after the credit takes nothing back, but freezes withdrawals and opens an incident", async () => {
    const { memberId, address } = await world.member();
    await world.mine(3);
    await world.send(address, 73_000_000n);
    await world.mine(2);
    await world.watch();
    expect(await world.realOf(memberId)).toBe(73_000_000n);
    await world.reorg(3);
    await callNode(world.anvil.url, "anvil_dropAllTransactions");
    await world.mine(3);
    await world.watch();
    expect(await world.realOf(memberId)).toBe(73_000_000n);
    expect(await stages(memberId)).toEqual(["credited"]);
    const { rows } = await world.build.client.query(
      "SELECT i.kind, f.lifted_at FROM withdrawal_freezes f JOIN incidents i USING (incident_id) WHERE f.member_id = $1",
      [memberId],
    );
    expect(rows).toEqual([{ kind: "credited_reorg", lifted_at: null }]);
  });

  it("after the credit that only moves the transaction does nothing", async () => {
    const { memberId, address } = await world.member();
    await world.mine(3);
    const hash = await world.send(address, 74_000_000n);
    await world.mine(2);
    await world.watch();
    const raw = (await callNode(world.anvil.url, "eth_getRawTransactionByHash", [hash])) as string;
    await world.reorg(3, [[raw, 2]]);
    await world.mine(3);
    await world.watch();
    expect(await world.realOf(memberId)).toBe(74_000_000n);
    const { rows } = await world.build.client.query("SELECT 1 FROM withdrawal_freezes WHERE member_id = $1", [
      memberId,
    ]);
    expect(rows).toEqual([]);
  });
});

describe("a node", () => {
  const withNode = (change: Partial<ChainNode>) => ({ ...world.parts, node: { ...world.parts.node, ...change } });

  it("that lags moves nothing", async () => {
    const { memberId, address } = await world.member();
    await world.send(address, 75_000_000n);
    await world.mine();
    await world.watch();
    const behind = await world.parts.node.block(3n);
    await world.watch(
      withNode({ block: (which) => (which === "latest" ? Promise.resolve(behind) : world.parts.node.block(which)) }),
    );
    expect(await stages(memberId)).toEqual(["confirming"]);
    await world.mine();
    await world.watch();
    expect(await stages(memberId)).toEqual(["credited"]);
  });

  const readFrom = async () =>
    (
      await world.build.client.query(
        `SELECT cursor_height, (SELECT count(*) FROM chain_transfers t WHERE t.instance_id = i.instance_id AND lost_at_height IS NOT NULL) AS lost
         FROM chain_instances i WHERE ended_at IS NULL`,
      )
    ).rows;

  it("that lags behind all stored blocks moves nothing, and raises an alarm if it lags for long", async () => {
    const { memberId, address } = await world.member();
    await world.send(address, 10_000_000n);
    await world.mine(300);
    await world.send(address, 11_000_000n);
    await world.mine();
    await world.watch();
    expect(await stages(memberId)).toEqual(["credited", "confirming"]);
    const before = await readFrom();
    const cursor = BigInt(before[0].cursor_height);
    for (const lag of [290n, 150n, 20n]) {
      const behind = await world.parts.node.block(cursor - lag);
      const clock = { ...world.parts.clock, elapsedMs: () => 1_000 };
      const parts = {
        ...withNode({
          block: (which) => (which === "latest" ? Promise.resolve(behind) : world.parts.node.block(which)),
        }),
        clock,
      };
      const memory = newMemory();
      expect(await watchRound(parts, memory)).toBe(false);
      expect(await stages(memberId)).toEqual(["credited", "confirming"]);
      expect(await readFrom()).toEqual(before);
      clock.elapsedMs = () => 1_000 + LAG_MAX_MS;
      await expect(watchRound(parts, memory)).rejects.toThrow(ChainAlarm);
      await watchRound(world.parts, memory);
      expect(await watchRound(parts, memory)).toBe(false);
    }
    await world.mine();
    await world.watch();
    expect(await stages(memberId)).toEqual(["credited", "credited"]);
  });

  it("that does not know the newest block that was read is asked again", async () => {
    const { memberId, address } = await world.member();
    await world.send(address, 12_000_000n);
    await world.mine();
    await world.watch();
    const before = await readFrom();
    const cursor = BigInt(before[0].cursor_height);
    const parts = withNode({
      block: (which) => (which === cursor ? Promise.resolve(null) : world.parts.node.block(which)),
    });
    await expect(world.watch(parts)).rejects.toThrow("has no block");
    expect(await stages(memberId)).toEqual(["confirming"]);
    expect(await readFrom()).toEqual(before);
  });

  it("that hides a log is detected by reading again, and the transfer is credited", async () => {
    const { memberId, address } = await world.member();
    await world.send(address, 76_000_000n);
    await world.mine(2);
    await world.watch(withNode({ logs: () => Promise.resolve([]) }));
    expect(await stages(memberId)).toEqual([]);
    await rescan(world.parts);
    expect(await stages(memberId)).toEqual(["confirming"]);
    await world.watch();
    expect(await world.realOf(memberId)).toBe(76_000_000n);
    const { rows } = await world.build.client.query(
      "SELECT 1 FROM incidents WHERE kind = 'missed_transfer' AND member_id = $1",
      [memberId],
    );
    expect(rows).toHaveLength(1);
  });

  it("that invents a transfer is contradicted by its own receipt or by the witness", async () => {
    const { memberId, address } = await world.member();
    const hash = await world.send(address, 77_000_000n);
    await world.mine(2);
    const lie: Partial<ChainNode> = {
      receipt: async (wanted) => {
        const receipt = await world.parts.node.receipt(wanted);
        if (receipt === null || wanted !== hash) return receipt;
        const logs = receipt.logs.map((log) => ({ ...log, data: `0x${(10n ** 12n).toString(16).padStart(64, "0")}` }));
        return { ...receipt, logs };
      },
    };
    await world.watch({ ...withNode(lie), witness: world.parts.node });
    expect(await stages(memberId)).toEqual(["confirming"]);
    expect(await world.realOf(memberId)).toBe(0n);
    const { client } = world.build;
    await client.query("UPDATE chain_transfers SET raw_amount = 77000000 WHERE tx_hash = $1", [hash]);
    await world.watch();
    expect(await world.realOf(memberId)).toBe(77_000_000n);
  });

  it("that fails in the middle of a range moves nothing", async () => {
    const { memberId, address } = await world.member();
    await world.send(address, 78_000_000n);
    await world.mine(3);
    const cursor = async () =>
      (await world.build.client.query("SELECT cursor_height FROM chain_instances WHERE ended_at IS NULL")).rows[0]
        .cursor_height;
    const before = await cursor();
    await expect(world.watch(withNode({ receipt: () => Promise.reject(new Error("timed out")) }))).rejects.toThrow(
      "timed out",
    );
    expect(await cursor()).toBe(before);
    await world.watch();
    expect(await world.realOf(memberId)).toBe(78_000_000n);
  });

  it("that answers nonsense or nothing is not believed", async () => {
    const { createServer } = await import("node:http");
    const answers = [
      "not json",
      '{"result":{"number":"0x1","hash":"0x1"}}',
      '{"result":null,"error":{"message":"down"}}',
    ];
    let turn = 0;
    const server = createServer((_request, response) => {
      const answer = answers[turn];
      turn += 1;
      if (answer !== undefined) response.end(answer);
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const node = openNode(`http://127.0.0.1:${port}`, {}, 200);
    for (const _ of [...answers, "silence"]) await expect(node.block("latest")).rejects.toThrow(/./);
    server.closeAllConnections();
    server.close();
  });
});

describe("transfers that can't be verified", () => {
  it("delay no later ones, however many there are, and are credited once they can be verified", async () => {
    const { memberId, address } = await world.member();
    const stuck = Array.from({ length: 201 }, () => address);
    await world.sendMany(
      stuck,
      stuck.map(() => 5_000_000n),
    );
    await world.mine(2);
    const other = await world.member();
    await world.send(other.address, 6_000_000n);
    await world.mine(2);
    const memory = newMemory();
    const silent = {
      ...world.parts,
      witness: {
        ...world.parts.node,
        receipt: async (hash: string) => {
          const receipt = await world.parts.node.receipt(hash);
          return receipt !== null && receipt.logs.length > 100 ? null : receipt;
        },
      },
    };
    for (let round = 0; round < 4; round += 1) await watchRound(silent, memory);
    expect(await world.realOf(other.memberId)).toBe(6_000_000n);
    expect(await world.realOf(memberId)).toBe(0n);
    await world.watch();
    await world.watch();
    expect(await world.realOf(memberId)).toBe(201n * 5_000_000n);
  });
});

describe("two watchers of one chain", () => {
  it("credit once between them", async () => {
    const { memberId, address } = await world.member();
    await world.send(address, 79_000_000n);
    await world.mine(2);
    await Promise.allSettled(Array.from({ length: 4 }, () => world.watch()));
    await world.watch();
    expect(await world.realOf(memberId)).toBe(79_000_000n);
  });
});

describe("a chain that was wiped and restarted", () => {
  it("may repeat transaction hashes, which are new deposits; unfinished deposits of the old chain fail", async () => {
    const { memberId, address } = await world.member();
    await world.send(address, 80_000_000n);
    await world.mine();
    await world.watch();
    const runs = [];
    for (const _life of [1, 2]) {
      const anvil = await startAnvil({ folder: null });
      const tokens = await deployTokens(anvil.url);
      const parts = watchParts({ ...world.context, ids: world.parts.ids }, chainSettings(anvil.url, tokens.noReturn));
      const hash = await callNode(anvil.url, "eth_sendTransaction", [
        transferRequest(tokens.noReturn, address, 81_000_000n),
      ]);
      await mine(anvil.url, 3);
      await world.watch(parts);
      runs.push(hash);
      await anvil.stop();
      // Genesis blocks differ by their time in seconds.
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    }
    expect(runs[0]).toBe(runs[1]);
    expect(await stages(memberId)).toEqual(["rejected", "credited", "credited"]);
    expect(await world.realOf(memberId)).toBe(162_000_000n);
  });

  it("raises an alarm if the settings do not allow it, and nothing is read", async () => {
    const fixed = { ...world.parts, settings: { ...world.settings, mayStartAnew: false } };
    await expect(world.watch(fixed)).rejects.toThrow(ChainAlarm);
    const pinned = { ...world.parts, settings: { ...world.settings, genesis: `0x${"0".repeat(64)}` } };
    await expect(world.watch(pinned)).rejects.toThrow("the settings say");
  });
});
