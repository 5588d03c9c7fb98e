import { execFile } from "node:child_process";
import { join } from "node:path";
import { decodeTronTransaction, fromHex, TRON_OVER_MS } from "@fairtick/domain";
import { TRON_TOKEN } from "@fairtick/test-chain/tron";
import { TronWeb } from "tronweb";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { listMethods } from "../withdrawals/list-methods.ts";
import { readWalletState } from "../withdrawal-desk/report-payouts.ts";
import { requestWithdrawal } from "../withdrawals/request-withdrawal.ts";
import { TRON_EXPIRES_MS } from "./signing-terms.ts";
import { SIGNER_SECRET, usd } from "./test-world.ts";
import { createTronPayoutWorld, type TronPayoutWorld } from "./tron-test-world.ts";
import { presentWithdrawal } from "../withdrawals/withdrawal-view.ts";

let world: TronPayoutWorld;
beforeAll(async () => {
  world = await createTronPayoutWorld();
});
afterEach(async () => {
  const { node } = world.chain;
  node.lag = 0;
  node.swallowing = false;
  node.chain.holding = false;
  node.chain.paused = false;
  node.denied.clear();
  node.instead.clear();
  world.memory.sentAt.clear();
  await world.chain.checkBooks();
});
afterAll(() => world.close());

const stage = async (id: bigint) => (await world.row(id)).stage;
const money = async (memberId: bigint) =>
  (
    await world.chain.build.client.query(
      "SELECT real_available::text AS available, real_locked::text AS locked FROM members_money WHERE member_id = $1",
      [memberId],
    )
  ).rows[0];
const attempts = async (id: bigint): Promise<{ tx_hash: string; raw: string; attempt: number }[]> =>
  (
    await world.chain.build.client.query(
      "SELECT * FROM withdrawal_attempts WHERE withdrawal_id = $1 ORDER BY attempt",
      [id],
    )
  ).rows;
const callOf = (raw: string) => decodeTronTransaction(fromHex(raw.slice(2))!)!.call;
/** Moves the chain's time and all clocks past a transaction's expiration. */
const expire = () => world.chain.skip(Number(TRON_EXPIRES_MS + TRON_OVER_MS) + 1_000);
/** Makes blocks until one from after the expiration is solidified. */
const solidify = async () => {
  world.chain.node.chain.mine(5);
  await world.chain.watch();
};

describe("a withdrawal on TRON", () => {
  it("is paid automatically with exactly the amount to arrive, and counts once its block is solidified", async () => {
    const { id, address, memberId } = await world.ask(300);
    await world.round();
    expect(await stage(id)).toBe("broadcast");
    await world.rounds(2);
    expect(await money(memberId)).toEqual({ available: "0", locked: String(usd(300)) });
    await world.rounds(2);
    expect(await stage(id)).toBe("confirmed");
    expect(world.paidTo(address)).toEqual([299_000_000n]);
    expect(await money(memberId)).toEqual({ available: "0", locked: "0" });
    const [attempt] = await attempts(id);
    const shown = presentWithdrawal(await world.row(id), [world.chain.settings]);
    expect(shown.txHash).toBe(attempt?.tx_hash.slice(2));
    expect(TronWeb.address.toHex(shown.address)).toBe(`41${address.slice(2)}`);
    expect(callOf(attempt?.raw ?? "")).toMatchObject({ owner: world.wallet, contract: TRON_TOKEN });
  });

  it("is paid twice if it is requested twice with the same amount and address", async () => {
    const one = await world.ask(25);
    const two = await world.ask(25, one.address);
    await world.rounds(5);
    expect([await stage(one.id), await stage(two.id)]).toEqual(["confirmed", "confirmed"]);
    expect(world.paidTo(one.address)).toEqual([24_000_000n, 24_000_000n]);
  });

  it("is offered under TRON's name, and its wallet is shown in TRON's notation", async () => {
    const { memberId } = await world.ask(20);
    const methods = await listMethods(world.context, memberId, world.chain.context.clock.now());
    expect(methods).toMatchObject({ ok: true, value: [{ chain: "tron", kind: "tron", name: "TRON" }] });
    await world.rounds(5);
    world.memory.balancesAt = Number.NEGATIVE_INFINITY;
    await world.round();
    const { console: db } = world.chain.context.databases;
    const { settings, context } = world.chain;
    const state = await readWalletState(db, [settings], world.context.signer, context.clock.now());
    expect(state.wallets[0]).toMatchObject({
      chain: "tron",
      address: TronWeb.address.fromHex(`41${world.wallet.slice(2)}`),
    });
    expect(state.wallets[0]?.coins).toMatch(/^99[0-9]{4}\.[0-9]{6}$/);
    expect(state.wallets[0]?.alarms).toEqual([]);
  });

  it("to a wrong address is refused with the reason", async () => {
    const written = (address: string) => TronWeb.address.fromHex(`41${address.slice(2)}`);
    const { memberId } = await world.ask(30);
    const wrong = [
      ["of Ethereum", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "ADDRESS_OTHER_CHAIN"],
      ["with a typing error", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T", "ADDRESS_CHECKSUM"],
      ["cut off", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6", "ADDRESS_INVALID"],
      ["the token", written(TRON_TOKEN), "ADDRESS_IS_OURS"],
      ["the house's wallet", written(world.wallet), "ADDRESS_IS_OURS"],
      ["a member's deposits", (await world.chain.member()).shown, "ADDRESS_IS_OURS"],
    ] as const;
    for (const [which, address, error] of wrong) {
      const wish = { chain: "tron", address, amount: usd(20), tradePassword: "482915", clientId: `wrong ${which}` };
      const answer = await requestWithdrawal(world.context, memberId, wish as never, world.chain.context.clock.now());
      expect([which, answer]).toMatchObject([which, { ok: false, refusal: { error } }]);
    }
  });
});

describe("a payment in progress on TRON", () => {
  it("is sent as the same transaction and paid once after a reorganization removed it", async () => {
    const { id, address } = await world.ask(32);
    await world.round();
    world.chain.node.chain.reorg(1, { keep: false });
    expect(world.paidTo(address)).toEqual([]);
    world.memory.sentAt.clear();
    await world.rounds(6);
    expect(await stage(id)).toBe("confirmed");
    expect(world.paidTo(address)).toEqual([31_000_000n]);
    expect(await attempts(id)).toHaveLength(1);
  });

  it("is sent again until it expires if a node swallowed it", async () => {
    const { id, address } = await world.ask(33);
    world.chain.node.swallowing = true;
    await world.rounds(2);
    expect(await stage(id)).toBe("signed");
    world.chain.node.swallowing = false;
    world.memory.sentAt.clear();
    await world.rounds(6);
    expect(await stage(id)).toBe("confirmed");
    expect(world.paidTo(address)).toEqual([32_000_000n]);
    expect(await attempts(id)).toHaveLength(1);
  });

  it("is signed again after it expired unmined, but only once a solidified block is past its expiration", async () => {
    const { id, address } = await world.ask(34);
    world.chain.node.swallowing = true;
    await world.rounds(2);
    expire();
    world.chain.node.swallowing = false;
    // Only the newest block is past the expiration, so the transaction could still be in a block that we don't know yet.
    world.chain.node.chain.mine();
    await world.round();
    expect(await attempts(id)).toHaveLength(1);
    await solidify();
    await world.rounds(6);
    const [first, second, none] = await attempts(id);
    expect(none).toBe(undefined);
    expect(callOf(second!.raw).data).toEqual(callOf(first!.raw).data);
    expect(await stage(id)).toBe("confirmed");
    expect(world.paidTo(address)).toEqual([33_000_000n]);
  });

  it("is not signed again if it was mined at the last moment and only the server's node hides that: the signer's own node knows", async () => {
    const { id, address } = await world.ask(35);
    await world.round();
    const [attempt] = await attempts(id);
    const { node } = world.parts;
    const blind = { ...node, receipt: async () => null, knows: async () => false };
    expire();
    await solidify();
    for (let times = 0; times < 3; times += 1) await world.round({ node: blind });
    expect(await attempts(id)).toHaveLength(1);
    const state = await world.parts.signer.state();
    expect(state.alarms.at(-1)?.text).toContain(`${attempt?.tx_hash} is in a block`);
    await world.rounds(2);
    expect(await stage(id)).toBe("confirmed");
    expect(world.paidTo(address)).toEqual([34_000_000n]);
  });

  it("waits while the signer's own node doesn't answer", async () => {
    const { id, address } = await world.ask(36);
    world.chain.node.swallowing = true;
    await world.round();
    expire();
    await solidify();
    world.chain.node.swallowing = false;
    world.chain.node.instead.set("/walletsolidity/getnowblock", () => ({ Error: "away" }));
    await world.rounds(3);
    expect(await attempts(id)).toHaveLength(1);
    world.chain.node.instead.clear();
    await world.rounds(6);
    expect(await attempts(id)).toHaveLength(2);
    expect(await stage(id)).toBe("confirmed");
    expect(world.paidTo(address)).toEqual([35_000_000n]);
  });

  it("waits while the wallet lacks the coins for its fee", async () => {
    const { chain } = world.chain.node;
    const coins = chain.balance("coin", world.wallet);
    chain.give("coin", world.wallet, -coins);
    const { id } = await world.ask(37);
    await world.rounds(2);
    expect(await stage(id)).toBe("approved");
    chain.give("coin", world.wallet, coins);
    await world.rounds(6);
    expect(await stage(id)).toBe("confirmed");
  });

  it("needs an operator and is never sent again after it failed in a block", async () => {
    const { id, memberId, address } = await world.ask(38);
    world.chain.node.chain.paused = true;
    await world.rounds(5);
    expect(await world.row(id)).toMatchObject({ stage: "needs_review", reason: "reverted" });
    expect((await world.row(id)).dead_at).not.toBe(null);
    world.chain.node.chain.paused = false;
    expire();
    await solidify();
    await world.rounds(3);
    expect(await attempts(id)).toHaveLength(1);
    expect(world.paidTo(address)).toEqual([]);
    expect(await money(memberId)).toEqual({ available: "0", locked: String(usd(38)) });
  });

  it("is not given up on after an earlier attempt failed while a later attempt may still pay", async () => {
    const { id } = await world.ask(39);
    world.chain.node.swallowing = true;
    await world.round();
    expire();
    await solidify();
    await world.round();
    const [first, second] = await attempts(id);
    expect(second).not.toBe(undefined);
    const block = world.chain.node.chain.solidified();
    const lying = {
      ...world.parts.node,
      receipt: async (hash: string) =>
        hash === first?.tx_hash
          ? { transactionHash: hash, blockNumber: BigInt(block.height), blockHash: block.hash, status: 0n, logs: [] }
          : null,
    };
    await world.round({ node: lying });
    expect(await world.row(id)).toMatchObject({ stage: expect.not.stringContaining("needs_review"), dead_at: null });
    world.chain.node.swallowing = false;
    world.memory.sentAt.clear();
    await world.rounds(6);
    expect(await stage(id)).toBe("confirmed");
  });
});

/** Runs the child until it dies or no payment is in progress, while the node keeps adding blocks. Returns how it ended. */
async function runChild(point: string): Promise<string> {
  const { chain, signer } = world;
  const args = [
    join(import.meta.dirname, "crash-child.ts"),
    chain.context.database.url,
    point,
    chain.node.url,
    signer.url,
    SIGNER_SECRET,
  ];
  const miner = setInterval(() => chain.node.chain.mine(), 100);
  const ended = await new Promise<string>((resolve) => {
    const child = execFile(process.execPath, args, (error) => {
      resolve(child.signalCode ?? (error === null ? "done" : error.message));
    });
  });
  clearInterval(miner);
  await chain.watch();
  return ended;
}

describe("a process that pays on TRON", () => {
  // These are only the points where TRON differs. At all others it runs the same code as an EVM chain.
  it.each(["payout.signing", "payout.sent"])(
    "pays exactly once if it is killed at %s and restarted together with the signer",
    async (point) => {
      const asked = [await world.ask(25), await world.ask(26)];
      expect(await runChild(point)).toBe("SIGKILL");
      await world.restartSigner();
      world.memory.sentAt.clear();
      await world.rounds(6);
      for (const [place, { id, memberId, address }] of asked.entries()) {
        expect(world.paidTo(address)).toEqual([24_000_000n + BigInt(place) * 1_000_000n]);
        expect(await stage(id)).toBe("confirmed");
        expect(await money(memberId)).toEqual({ available: "0", locked: "0" });
      }
    },
    60_000,
  );

  it("pays exactly once if it is killed before or after an expired transaction is signed again", async () => {
    for (const [amount, point] of [
      [27, "payout.expired"],
      [28, "payout.stored"],
    ] as const) {
      const { id, address } = await world.ask(amount);
      world.chain.node.swallowing = true;
      await world.round();
      expire();
      await solidify();
      world.chain.node.swallowing = false;
      expect(await runChild(point)).toBe("SIGKILL");
      await world.restartSigner();
      world.memory.sentAt.clear();
      await world.rounds(6);
      expect(await attempts(id)).toHaveLength(2);
      expect(await stage(id)).toBe("confirmed");
      expect(world.paidTo(address)).toEqual([BigInt(amount - 1) * 1_000_000n]);
    }
  });
});
