import { type MemberId, paymentStatement } from "@fairtick/domain";
import { callNode, callNodeForText, switchFeeOn } from "@fairtick/test-chain";
import { createPublicClient, http, pad, parseAbiItem, parseTransaction } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import type { OperatorSession } from "../../platform/console/index.ts";
import { cancelWithdrawal } from "../withdrawals/cancel-withdrawal.ts";
import { settleShort } from "../withdrawal-desk/decide-withdrawals.ts";
import type { OperatorContext } from "../operators/index.ts";
import { NodeProblem } from "../chain/index.ts";
import type { PayoutNode } from "./payout-node.ts";
import { readWithdrawal } from "../withdrawals/list-withdrawals.ts";
import { BUMP_MS } from "./send-again.ts";
import { type Approver, createPayoutWorld, type PayoutWorld, usd } from "./test-world.ts";
import { formatWithdrawNo, paymentOf } from "../withdrawals/withdrawal-view.ts";

let world: PayoutWorld;
let one: Approver;
let two: Approver;
beforeAll(async () => {
  world = await createPayoutWorld();
  one = await world.newApprover();
  two = await world.newApprover(one);
});
afterAll(() => world.close());
// Every test starts with a wallet that can pay.
beforeEach(async () => {
  await world.chain.build.client.query("UPDATE payout_wallets SET stopped_at = NULL");
  world.memory.sentAt.clear();
});

const stage = async (id: bigint) => (await world.row(id)).stage;
const shown = async (memberId: MemberId, id: bigint) => {
  const found = await readWithdrawal(world.context, memberId, formatWithdrawNo(id));
  return found.ok ? found.value : found.refusal;
};
const money = async (memberId: bigint) =>
  (
    await world.chain.build.client.query(
      "SELECT real_available::text AS available, real_locked::text AS locked FROM members_money WHERE member_id = $1",
      [memberId],
    )
  ).rows[0];
const attempts = async (id: bigint) =>
  (
    await world.chain.build.client.query(
      "SELECT * FROM withdrawal_attempts WHERE withdrawal_id = $1 ORDER BY attempt",
      [id],
    )
  ).rows;

describe("a small withdrawal", () => {
  it("is paid automatically with exactly the amount to arrive, and counts once it is final", async () => {
    const { id, address, memberId } = await world.ask(300);
    await world.round();
    expect(await stage(id)).toBe("broadcast");
    expect(await money(memberId)).toEqual({ available: "0", locked: String(usd(300)) });
    await world.rounds(2);
    expect(await stage(id)).toBe("confirmed");
    expect(await world.tokensOf(address)).toBe(299_000_000n);
    expect(await money(memberId)).toEqual({ available: "0", locked: "0" });
    await world.chain.checkBooks();
    const { rows } = await world.chain.build.client.query(
      "SELECT message_key FROM member_messages WHERE member_id = $1 ORDER BY message_id",
      [memberId],
    );
    expect(rows.map(({ message_key: key }) => key).slice(-2)).toEqual(["withdrawalRequested", "withdrawalPaid"]);
  });

  it("shows up as exactly one transfer to an independent client that reads the chain", async () => {
    const { id, address } = await world.ask(20);
    await world.rounds(3);
    const client = createPublicClient({ transport: http(world.chain.anvil.url) });
    const logs = await client.getLogs({
      address: world.chain.tokens.noReturn as `0x${string}`,
      event: parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)"),
      args: { to: address },
      fromBlock: 0n,
    });
    expect(logs).toHaveLength(1);
    expect(logs[0]?.args).toMatchObject({ value: 19_000_000n });
    expect(logs[0]?.args.from?.toLowerCase()).toBe(world.signer.address);
    expect((await world.row(id)).tx_hash).toBe(logs[0]?.transactionHash);
  });

  it("is paid at once by two workers of the same chain, once", async () => {
    const asked = await Promise.all([world.ask(11), world.ask(12), world.ask(13)]);
    await Promise.allSettled([world.round(), world.round(), world.round()]);
    await world.rounds(4);
    for (const [place, { id, address }] of asked.entries()) {
      expect(await stage(id)).toBe("confirmed");
      expect(await world.tokensOf(address)).toBe(10_000_000n + BigInt(place) * 1_000_000n);
    }
    await world.chain.checkBooks();
  });
});

describe("a larger withdrawal", () => {
  it("waits for one operator, and is paid by their signature", async () => {
    const { id, address } = await world.ask(2_000);
    await world.rounds(2);
    expect(await stage(id)).toBe("review");
    expect(await world.approve(one, id)).toBe("approved");
    await world.rounds(3);
    expect(await stage(id)).toBe("confirmed");
    expect(await world.tokensOf(address)).toBe(1_999_000_000n);
  });

  it("above 5,000.00 waits for two people, whatever one of them does", async () => {
    const { id, address, memberId } = await world.ask(6_000);
    await world.round();
    expect(await world.approve(one, id)).toBe("review");
    expect(await shown(memberId, id)).toMatchObject({ stage: "review", cancelable: true });
    await expect(world.approve(one, id)).rejects.toThrow("duplicate key");
    await expect(world.approve({ ...two, sessionId: one.sessionId }, id)).rejects.toThrow(/violates|duplicate/);
    await world.rounds(2);
    expect(await stage(id)).toBe("review");
    expect(await world.approve(two, id)).toBe("approved");
    await world.rounds(3);
    expect(await stage(id)).toBe("confirmed");
    expect(await world.tokensOf(address)).toBe(5_999_000_000n);
  });

  it("can be canceled by its member between two approvals, and is not paid", async () => {
    const { id, address, memberId } = await world.ask(6_001);
    await world.round();
    expect(await world.approve(one, id)).toBe("review");
    expect(await cancelWithdrawal(world.context, memberId, formatWithdrawNo(id))).toMatchObject({ ok: true });
    expect(await world.approve(two, id)).toBe(null);
    await world.rounds(2);
    expect(await world.tokensOf(address)).toBe(0n);
    expect(await money(memberId)).toEqual({ available: String(usd(6_001)), locked: "0" });
    await world.chain.checkBooks();
  });

  it("can be canceled by its member until it is approved, and is not paid", async () => {
    const { id, address, memberId } = await world.ask(700);
    await world.round();
    expect(await cancelWithdrawal(world.context, memberId, formatWithdrawNo(id))).toMatchObject({ ok: true });
    expect(await world.approve(one, id)).toBe(null);
    await world.rounds(3);
    expect(await world.tokensOf(address)).toBe(0n);
    expect(await money(memberId)).toEqual({ available: String(usd(700)), locked: "0" });
  });

  it("that the database believes approved is not paid without the signer's own agreement", async () => {
    const { id, address } = await world.ask(900);
    await world.round();
    // An attacker who controls the database writes an approval that no operator signed.
    const forged = { ...one, sign: async () => Buffer.alloc(64, 7).toString("base64url") };
    expect(await world.approve(forged, id)).toBe("approved");
    await world.rounds(2);
    expect(await stage(id)).toBe("review");
    expect(await world.tokensOf(address)).toBe(0n);
    expect(await attempts(id)).toEqual([]);
    // A real operator can still approve it, with a later expiry.
    expect(await world.approve(one, id)).toBe("approved");
    await world.rounds(3);
    expect(await world.tokensOf(address)).toBe(899_000_000n);
  });

  it("goes back to the operators when its approvals expire, and the old signature is worthless", async () => {
    const { id } = await world.ask(800);
    await world.round();
    const before = await world.row(id);
    const signature = await one.sign(paymentStatement(paymentOf(before)));
    const later = { ...systemClock, now: () => (systemClock.now() + 73n * 3_600_000n) as never };
    await world.round({ clock: later });
    const after = await world.row(id);
    expect(after.stage).toBe("review");
    expect(after.expires_at).toBeGreaterThan(before.expires_at);
    expect(after.digest.equals(before.digest)).toBe(false);
    expect(await world.approve({ ...one, sign: async () => signature }, id)).toBe("approved");
    await world.rounds(2);
    expect(await stage(id)).toBe("review");
  });
});

describe("a payment in progress", () => {
  it("is sent again and paid once after the pool dropped it", async () => {
    const { id, address } = await world.ask(30);
    await world.parts.signer.state();
    const { payoutRound } = await import("./payout-round.ts");
    await payoutRound(world.parts, world.memory);
    const [first] = await attempts(id);
    await callNode(world.chain.anvil.url, "anvil_dropTransaction", [first.tx_hash]);
    await world.chain.mine();
    expect(await world.tokensOf(address)).toBe(0n);
    world.memory.sentAt.clear();
    await world.rounds(3);
    expect(await stage(id)).toBe("confirmed");
    expect(await world.tokensOf(address)).toBe(29_000_000n);
    expect(await attempts(id)).toHaveLength(1);
  });

  it("gets a higher fee with the same nonce after waiting three minutes, and only one of the two is mined", async () => {
    const { id, address } = await world.ask(31);
    const { payoutRound } = await import("./payout-round.ts");
    await payoutRound(world.parts, world.memory);
    const clock = { ...systemClock, now: () => (systemClock.now() + BUMP_MS) as never };
    await payoutRound({ ...world.parts, clock }, world.memory);
    await payoutRound({ ...world.parts, clock }, world.memory);
    const [first, second, none] = await attempts(id);
    expect(none).toBe(undefined);
    const read = [first, second].map(({ raw }) => parseTransaction(raw));
    expect(read[1]?.nonce).toBe(read[0]?.nonce);
    expect(read[1]?.data).toBe(read[0]?.data);
    expect(read[1]!.maxFeePerGas! * 1000n).toBeGreaterThanOrEqual(read[0]!.maxFeePerGas! * 1125n);
    await world.chain.mine();
    await world.rounds(3);
    expect(await stage(id)).toBe("confirmed");
    expect(await world.tokensOf(address)).toBe(30_000_000n);
  });

  it("gets a higher fee if no pool takes it for its fee, and is paid once", async () => {
    const { id, address } = await world.ask(36);
    const { payoutRound } = await import("./payout-round.ts");
    const refused: string[] = [];
    const picky = {
      ...world.parts.node,
      send: async (raw: string) => {
        if (refused.length > 0 && !refused.includes(raw)) return world.parts.node.send(raw);
        refused.push(raw);
        throw new NodeProblem("transaction underpriced");
      },
    };
    await payoutRound({ ...world.parts, node: picky }, world.memory);
    expect(await stage(id)).toBe("signed");
    const clock = { ...systemClock, now: () => (systemClock.now() + BUMP_MS) as never };
    await payoutRound({ ...world.parts, node: picky, clock }, world.memory);
    expect(await attempts(id)).toHaveLength(2);
    expect(await stage(id)).toBe("broadcast");
    await world.chain.mine();
    await world.rounds(3);
    expect(await stage(id)).toBe("confirmed");
    expect(await world.tokensOf(address)).toBe(35_000_000n);
  });

  it("is sent again after a reorganization removed it", async () => {
    const { id, address } = await world.ask(32);
    await world.round();
    await world.chain.reorg(1);
    expect(await world.tokensOf(address)).toBe(0n);
    world.memory.sentAt.clear();
    await world.rounds(4);
    expect(await stage(id)).toBe("confirmed");
    expect(await world.tokensOf(address)).toBe(31_000_000n);
  });

  it("is looked up and not replaced if the node answers with an error", async () => {
    const { id, address } = await world.ask(33);
    const send = async (raw: string) => {
      await world.parts.node.send(raw);
      throw new Error("time-out");
    };
    await world.round({ node: { ...world.parts.node, send } });
    await world.rounds(3);
    expect(await stage(id)).toBe("confirmed");
    expect(await world.tokensOf(address)).toBe(32_000_000n);
    expect(await attempts(id)).toHaveLength(1);
  });

  it("waits while the wallet has too little for it, without holding up smaller payments", async () => {
    const wallet = world.signer.address;
    const balance = await callNodeForText(world.chain.anvil.url, "eth_getBalance", [wallet, "latest"]);
    await callNode(world.chain.anvil.url, "anvil_setBalance", [wallet, "0x0"]);
    const { id } = await world.ask(34);
    await world.rounds(2);
    expect(await stage(id)).toBe("approved");
    await callNode(world.chain.anvil.url, "anvil_setBalance", [wallet, balance]);
    await world.rounds(3);
    expect(await stage(id)).toBe("confirmed");
  });

  it("waits while its member's withdrawals are frozen", async () => {
    const { id, memberId } = await world.ask(35);
    const { client } = world.chain.build;
    const { rows } = await client.query(
      "INSERT INTO incidents (kind, subject, member_id, detail, opened_at) VALUES ('credited_reorg', $1::text, $1::bigint, '{}', 0) RETURNING incident_id",
      [memberId],
    );
    await client.query("INSERT INTO withdrawal_freezes (member_id, incident_id, frozen_at) VALUES ($1, $2, 0)", [
      memberId,
      rows[0].incident_id,
    ]);
    await world.rounds(2);
    expect(await stage(id)).toBe("review");
    await expect(world.approve(one, id)).rejects.toThrow("frozen");
    await client.query("UPDATE withdrawal_freezes SET lifted_at = 1 WHERE member_id = $1", [memberId]);
    expect(await world.approve(one, id)).toBe("approved");
    await world.rounds(3);
    expect(await stage(id)).toBe("confirmed");
  });
});

describe("a payment that failed", () => {
  async function failed(amount: number) {
    const asked = await world.ask(amount);
    if (amount > 500) {
      await world.round();
      await world.approve(one, asked.id);
      if (amount > 5_000) await world.approve(two, asked.id);
    }
    const { payoutRound } = await import("./payout-round.ts");
    const { url } = world.chain.anvil;
    await payoutRound(world.parts, world.memory);
    // The token's owner pauses it before the block, so the transfer is mined but moves nothing.
    const [owner] = (await callNode(url, "eth_accounts")) as string[];
    const pause = {
      from: owner,
      to: world.chain.tokens.noReturn,
      data: "0x8456cb59",
      gas: "0x30000",
      maxFeePerGas: "0x174876e800",
      maxPriorityFeePerGas: "0x174876e800",
    };
    await callNode(url, "eth_sendTransaction", [pause]);
    await world.chain.mine();
    await callNode(url, "eth_sendTransaction", [{ ...pause, data: "0x3f4ba83a" }]);
    await world.rounds(3);
    return asked;
  }
  const release = async (by: Approver, id: bigint) => {
    const [answer] = await world.chain.context.databases.console.query<{ stage: string | null }>(
      "SELECT release_withdrawal($1, $2, $3, 'looked at the chain') AS stage",
      [by.sessionId, id, world.context.ids.next()],
    );
    return answer?.stage ?? null;
  };

  const settle = async (by: Approver, id: bigint, amount = usd(0.42)) => {
    const session = { sessionId: by.sessionId, operatorId: by.sessionId - 1_000_000n } as OperatorSession;
    const given = { withdrawNo: formatWithdrawNo(id), amount, reason: "the token kept a part" };
    const context = world.context as unknown as OperatorContext;
    const done = await world.chain.context.databases.console.transaction((db) =>
      settleShort(context, db, session, given),
    );
    return done.ok ? done.value.stage : done.refusal.error;
  };

  it("needs an operator, is never sent again, and is returned by the operator who looked into it", async () => {
    const { id, memberId, address } = await failed(40);
    const row = await world.row(id);
    expect(row).toMatchObject({ stage: "needs_review", reason: "reverted" });
    expect(row.dead_at).not.toBe(null);
    await world.rounds(2);
    expect(await attempts(id)).toHaveLength(1);
    expect(await money(memberId)).toEqual({ available: "0", locked: String(usd(40)) });
    expect(await release(one, id)).toBe("reverted");
    expect(await release(two, id)).toBe(null);
    expect(await money(memberId)).toEqual({ available: String(usd(40)), locked: "0" });
    expect(await world.tokensOf(address)).toBe(0n);
    await world.chain.checkBooks();
  });

  it("can't be released if a part of it arrived: two operators settle it, and the missing part returns", async () => {
    const { url } = world.chain.anvil;
    const token = world.chain.tokens.noReturn;
    const code = await callNode(url, "eth_getCode", [token, "latest"]);
    const { id, memberId, address } = await world.ask(43);
    const { payoutRound } = await import("./payout-round.ts");
    await switchFeeOn(url, token);
    await payoutRound(world.parts, world.memory);
    // A witness node that shows another amount in the same block proves nothing.
    const less = async (hash: string) => {
      const receipt = await world.parts.node.receipt(hash);
      return receipt && { ...receipt, logs: receipt.logs.map((log) => Object.assign(log, { data: pad("0x1") })) };
    };
    for (let round = 0; round < 3; round += 1) await world.round({ witness: { ...world.parts.node, receipt: less } });
    expect(await stage(id)).toBe("broadcast");
    await world.round();
    expect(await world.tokensOf(address)).toBe(41_580_000n);
    const row = await world.row(id);
    expect(row).toMatchObject({ stage: "needs_review", reason: "short", dead_at: null, rest: usd(0.42) });
    expect(await shown(memberId, id)).toMatchObject({ state: "processing", reason: "short", arrived: "41.580000" });
    expect(await release(one, id)).toBe(null);
    expect(await money(memberId)).toEqual({ available: "0", locked: String(usd(43)) });
    const { rows } = await world.chain.build.client.query<{ detail: { moved: string; reason: string } }>(
      "SELECT detail FROM incidents WHERE kind = 'payout_failed' AND subject = $1",
      [formatWithdrawNo(id)],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.detail.reason).toBe("short");
    expect(rows[0]?.detail.moved).toBe(`41.580000 to ${address}, 0.420000 to 0x${"fee".padStart(40, "0")}`);
    await callNode(url, "anvil_setCode", [token, code]);
    await world.chain.checkBooks();

    expect(await settle(one, id, usd(43))).toBe("FIELD_INVALID");
    expect(await settle(one, id)).toBe("needs_review");
    expect(await settle(one, id)).toBe("CONFLICT");
    expect(await settle({ ...two, sessionId: one.sessionId }, id)).toBe("CONFLICT");
    expect(await money(memberId)).toEqual({ available: "0", locked: String(usd(43)) });
    await world.chain.checkBooks();
    expect(await settle(two, id)).toBe("confirmed");
    expect(await settle(two, id)).toBe("CONFLICT");
    await world.rounds(2);
    expect(await money(memberId)).toEqual({ available: String(usd(0.42)), locked: "0" });
    expect(await shown(memberId, id)).toMatchObject({
      state: "withdrawn",
      reason: "short_settled",
      receives: "42.00",
      arrived: "41.580000",
    });
    const told = await world.chain.build.client.query(
      "SELECT params FROM member_messages WHERE member_id = $1 AND message_key = 'withdrawalShort'",
      [memberId],
    );
    expect(told.rows).toMatchObject([{ params: { receives: "42.00", arrived: "41.580000", returned: "0.42" } }]);
    await world.chain.checkBooks();
  });

  it("can't be settled as short if it arrived in full or was never sent", async () => {
    const { id } = await failed(44);
    expect(await settle(one, id)).toBe("CONFLICT");
    const { id: paid } = await world.ask(45);
    expect(await settle(one, paid)).toBe("CONFLICT");
    await world.rounds(4);
    expect(await stage(paid)).toBe("confirmed");
    expect(await settle(one, paid)).toBe("CONFLICT");
    const payouts = world.chain.context.databases.payout;
    const [attempt] = await attempts(paid);
    await expect(
      payouts.query("SELECT note_short_payment($1, $2, 1, 1)", [paid, attempt.tx_hash]).then((rows) => rows[0]),
    ).resolves.toEqual({ note_short_payment: false });
    expect(await release(one, id)).toBe("reverted");
    await world.chain.checkBooks();
  });

  it("above 5,000.00 is returned by two operators", async () => {
    const { id } = await failed(5_100);
    expect(await release(one, id)).toBe("needs_review");
    await expect(release(one, id)).rejects.toThrow("duplicate key");
    expect(await release(two, id)).toBe("reverted");
    await world.chain.checkBooks();
  });

  it("can't be released while an attempt may still pay, nor after one has paid", async () => {
    const { id } = await world.ask(41);
    await world.round();
    expect(await release(one, id)).toBe(null);
    await world.rounds(3);
    expect(await stage(id)).toBe("confirmed");
    expect(await release(one, id)).toBe(null);
  });

  it("stops the wallet if another transaction used its nonce, and can be returned once that is proven", async () => {
    const { url } = world.chain.anvil;
    const { payoutRound } = await import("./payout-round.ts");
    const { id, memberId, address } = await world.ask(42);
    await payoutRound(world.parts, world.memory);
    const [attempt] = await attempts(id);
    await callNode(url, "anvil_dropTransaction", [attempt.tx_hash]);
    const from = world.signer.address;
    await callNode(url, "anvil_impersonateAccount", [from]);
    await callNode(url, "eth_sendTransaction", [{ from, to: from, value: "0x0", gas: "0x5208" }]);
    await world.chain.mine();
    await callNode(url, "anvil_stopImpersonatingAccount", [from]);
    // A node that keeps no old states proves nothing, so the amount stays held.
    const pruned = {
      ...world.parts.node,
      sentIn: async () => {
        throw new NodeProblem("missing trie node");
      },
    };
    for (let round = 0; round < 5; round += 1) await world.round({ node: pruned as PayoutNode });
    expect(await world.row(id)).toMatchObject({ stage: "needs_review", reason: "nonce_used", dead_at: null });
    expect(await release(one, id)).toBe(null);
    // A witness node without the same transaction in the same block proves nothing either.
    world.memory.strangers.clear();
    const witness = { ...world.parts.node, receipt: async () => null };
    for (let round = 0; round < 3; round += 1) await world.round({ witness });
    expect(await world.row(id)).toMatchObject({ dead_at: null });
    world.memory.strangers.clear();
    const next = await world.ask(43);
    await world.rounds(3);
    expect(await world.row(id)).toMatchObject({ stage: "needs_review", reason: "nonce_used" });
    expect((await world.row(id)).dead_at).not.toBe(null);
    expect(await stage(next.id)).toBe("approved");
    const { rows } = await world.chain.build.client.query("SELECT stopped_at FROM payout_wallets");
    expect(rows[0].stopped_at).not.toBe(null);
    expect(
      (await world.chain.build.client.query("SELECT 1 FROM incidents WHERE kind = 'payout_stopped'")).rows,
    ).toHaveLength(1);
    expect(await release(one, id)).toBe("reverted");
    expect(await money(memberId)).toEqual({ available: String(usd(42)), locked: "0" });
    expect(await world.tokensOf(address)).toBe(0n);
    await world.chain.checkBooks();
  });
});

describe("a test chain that is wiped", () => {
  it("leaves payments in progress to an operator, who may return them; requests wait for the new chain", async () => {
    const own = await createPayoutWorld();
    try {
      const approver = await own.newApprover();
      const sent = await own.ask(44);
      const { payoutRound } = await import("./payout-round.ts");
      await payoutRound(own.parts, own.memory);
      const asked = await own.ask(700);
      expect((await own.row(sent.id)).stage).toBe("broadcast");
      const { client } = own.chain.build;
      await client.query("UPDATE chain_instances SET ended_at = 1");
      await payoutRound(own.parts, own.memory);
      expect(await own.row(sent.id)).toMatchObject({ stage: "needs_review", reason: "chain_anew" });
      expect((await own.row(asked.id)).stage).toBe("requested");
      const { rows } = await client.query("SELECT release_withdrawal($1, $2, $3, 'the chain is gone') AS stage", [
        approver.sessionId,
        sent.id,
        own.context.ids.next(),
      ]);
      expect(rows[0].stage).toBe("reverted");
      // The chain is known again, so requests that had not started continue.
      await client.query("UPDATE chain_instances SET ended_at = NULL");
      await payoutRound(own.parts, own.memory);
      expect((await own.row(asked.id)).stage).toBe("review");
      await own.chain.checkBooks();
    } finally {
      await own.close();
    }
  });
});
