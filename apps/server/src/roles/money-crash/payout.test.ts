import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatPrefixedId, type MemberId, type MicroUsd, paymentStatement } from "@fairtick/domain";
import { gasAddress, readSeed, type SignerSettings } from "@fairtick/signer";
import { callNode, callNodeForText, depositXpub, switchFeeOn } from "@fairtick/test-chain";
import { createPublicClient, type Hex, http, parseAbiItem } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createAddressMaker } from "../../features/deposits/index.ts";
import { showAddress } from "../../features/deposits/show-address.ts";
import { setFirstTradePassword } from "../../features/sessions/testing.ts";
import { payoutRound } from "../../features/payouts/payout-round.ts";
import type { SignerDoor } from "../../features/signer/signer-door.ts";
import { sweepRound } from "../../features/sweeps/sweep-round.ts";
import { type Approver, usd } from "../../features/payouts/test-world.ts";
import { formatWithdrawNo, paymentOf } from "../../features/withdrawals/withdrawal-view.ts";
import { systemClock } from "../../platform/clock.ts";
import { type Case, type CrashWorld, createCrashWorld } from "./crash-world.ts";

const PASSWORD = "482915";
const DAYS_3_MS = 3n * 86_400_000n;
const MINUTES_3_MS = 180_000n;
const FEE = "0x174876e800";

let world: CrashWorld;
let one: Approver;
beforeAll(async () => {
  world = await createCrashWorld();
  await callNode(world.chain.anvil.url, "anvil_setBalance", [gasAddress(readSeed(world.folder)), "0xde0b6b3a7640000"]);
});
afterAll(() => world.close());
afterEach(() => {
  world.memory.sentAt.clear();
  world.memory.strangers.clear();
});

const node = (method: string, params: unknown[]) => callNode(world.chain.anvil.url, method, params);
const stage = async (id: bigint) => (await world.row(id)).stage;
const count = async (text: string, values: readonly unknown[] = []) => (await world.sql(text, values)).length;
const steps = async (id: bigint) =>
  (
    await world.sql<{ stage: string }>("SELECT stage FROM withdrawal_steps WHERE withdrawal_id = $1 ORDER BY step", [
      id,
    ])
  ).map((row) => row.stage);
const attempts = (id: bigint) =>
  world.sql<{ attempt: number; tx_hash: string; raw: string }>(
    "SELECT * FROM withdrawal_attempts WHERE withdrawal_id = $1 ORDER BY attempt",
    [id],
  );
const incidents = (kind: string, subject: string) =>
  count("SELECT 1 FROM incidents WHERE kind = $1 AND subject = $2", [kind, subject]);
const pay = { act: "pay", told: {} } as const;

/** Reads the transfers to an address with an independent client. */
async function transfersTo(address: string): Promise<bigint[]> {
  const client = createPublicClient({ transport: http(world.chain.anvil.url) });
  const logs = await client.getLogs({
    address: world.chain.tokens.noReturn as Hex,
    event: parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)"),
    args: { to: address as Hex },
    fromBlock: 0n,
  });
  return logs.map(({ args }) => args.value ?? 0n);
}
async function isPaidOnce({ id, memberId, address }: Asked, amount: number) {
  expect(await transfersTo(address)).toEqual([usd(amount - 1)]);
  expect(await stage(id)).toBe("confirmed");
  expect(await world.money(memberId)).toEqual({ available: "0", locked: "0" });
  expect(await count("SELECT 1 FROM transfers WHERE member_id = $1 AND kind = 'withdrawal_paid'", [memberId])).toBe(1);
  expect((await world.messages(memberId)).filter((key) => key === "withdrawalPaid")).toHaveLength(1);
  // No nonce was left out or assigned twice.
  const [nonces] = await world.sql(
    "SELECT count(*)::integer AS given, (max(nonce) + 1)::integer AS next FROM payout_nonces",
  );
  const [wallet] = await world.sql<{ next: number }>("SELECT next_nonce::integer AS next FROM payout_wallets");
  expect(nonces).toMatchObject({ next: wallet?.next });
}
type Asked = Awaited<ReturnType<CrashWorld["ask"]>>;

async function waitsForPeople(amount: number) {
  const asked = await world.ask(amount);
  await payoutRound(world.parts, world.memory);
  expect(await stage(asked.id)).toBe("review");
  return { ...asked, withdrawNo: formatWithdrawNo(asked.id) };
}
async function agreement(by: Approver, id: bigint) {
  const row = await world.row(id);
  const signature = await by.sign(paymentStatement(paymentOf(row)));
  return {
    session: world.sessionOf(by),
    withdrawNo: formatWithdrawNo(id),
    amount: row.amount as MicroUsd,
    reason: "seen and agreed",
    keyId: by.keyId,
    signature,
  };
}
/** Makes a payment with a token that keeps one percent. `then` continues once it is final. */
async function arrivesShort(amount: number, then: () => Promise<string>) {
  const token = world.chain.tokens.noReturn;
  const code = await callNodeForText(world.chain.anvil.url, "eth_getCode", [token, "latest"]);
  const asked = await world.ask(amount);
  await switchFeeOn(world.chain.anvil.url, token);
  await payoutRound(world.parts, world.memory);
  await world.chain.mine(3);
  await node("anvil_setCode", [token, code]);
  const ended = await then();
  expect(await world.row(asked.id)).toMatchObject({ stage: "needs_review", reason: "short", dead_at: null });
  expect((await steps(asked.id)).filter((step) => step === "needs_review")).toHaveLength(1);
  expect(await incidents("payout_failed", formatWithdrawNo(asked.id))).toBe(1);
  expect(await world.money(asked.memberId)).toEqual({ available: "0", locked: String(usd(amount)) });
  return { ...asked, ended };
}
/** Makes blocks while the token's owner has paused it, so that transfers in them move nothing. */
async function mineStopped(blocks = 1) {
  const [owner] = (await node("eth_accounts", [])) as string[];
  const order = {
    from: owner,
    to: world.chain.tokens.noReturn,
    gas: "0x30000",
    maxFeePerGas: FEE,
    maxPriorityFeePerGas: FEE,
  };
  await node("eth_sendTransaction", [{ ...order, data: "0x8456cb59" }]);
  await world.chain.mine(blocks);
  await node("eth_sendTransaction", [{ ...order, data: "0x3f4ba83a" }]);
  await world.chain.mine(2);
}

// This test comes first, because the wallet is opened once in a chain's life.
it("a process killed at payout.opening and payout.opened leaves one paying wallet", async () => {
  expect(await world.kill("payout.opening", pay)).toBe("SIGKILL");
  expect(await world.sql("SELECT 1 FROM payout_wallets")).toEqual([]);
  expect(
    await world.dieAndGoOn("payout.opened", {
      ...pay,
      async check() {
        expect(await world.sql("SELECT next_nonce::integer AS next FROM payout_wallets")).toEqual([{ next: 0 }]);
      },
    }),
  ).toBe("SIGKILL");
  one = await world.newApprover();
});

it.each([
  ["payout.noting", false],
  ["payout.noted", true],
] as const)("a process killed at %s shows what the wallet has, once it goes on", async (point, isNoted) => {
  const shown = () =>
    world.sql<{ coins: string }>("SELECT coin_balance::text AS coins, seen_at FROM payout_wallets WHERE seen_at > 0");
  await world.sql("UPDATE payout_wallets SET coin_balance = NULL, token_balance = NULL, seen_at = NULL");
  expect(
    await world.dieAndGoOn(point, {
      ...pay,
      async check() {
        expect((await shown())[0]?.coins).toMatch(/^[1-9][0-9]{17,}$/);
      },
    }),
  ).toBe("SIGKILL");
  await world.sql("UPDATE payout_wallets SET coin_balance = NULL, token_balance = NULL, seen_at = NULL");
  await world.kill(point, pay);
  expect(await shown()).toHaveLength(isNoted ? 1 : 0);
});

describe("a request", () => {
  async function wanted(): Promise<Case<"request"> & { memberId: MemberId }> {
    const memberId = (await world.chain.build.createMember({ real: usd(25), tradePassword: false })) as MemberId;
    await setFirstTradePassword(world.context, memberId, PASSWORD, systemClock.now());
    const address = `0x${createHash("sha256").update(`asked ${memberId}`).digest("hex").slice(0, 40)}`;
    const told = { memberId, address, amount: usd(25), password: PASSWORD, clientId: `crash-${memberId}` };
    return {
      memberId,
      act: "request",
      told,
      async check(again) {
        expect(again).toBe("done");
        expect(await world.money(memberId)).toEqual({ available: "0", locked: String(usd(25)) });
        expect(await count("SELECT 1 FROM withdrawals WHERE member_id = $1", [memberId])).toBe(1);
        expect(
          await count("SELECT 1 FROM transfers WHERE member_id = $1 AND kind = 'withdrawal_hold'", [memberId]),
        ).toBe(1);
        expect(await world.messages(memberId)).toEqual([
          "tradePasswordSet",
          "withdrawalAddressAdded",
          "withdrawalRequested",
        ]);
      },
    };
  }

  it.each(["withdrawal.judged", "withdrawal.held", "withdrawal.requested"])(
    "killed at %s holds the amount once",
    async (point) => {
      expect(await world.dieAndGoOn(point, await wanted())).toBe("SIGKILL");
    },
  );

  it.each(["withdrawal.canceling", "withdrawal.canceled"])(
    "canceled and killed at %s returns the amount once",
    async (point) => {
      const made = await wanted();
      await world.again(made);
      const [row] = await world.sql<{ withdrawal_id: string }>(
        "SELECT withdrawal_id FROM withdrawals WHERE member_id = $1",
        [made.memberId],
      );
      const id = BigInt(row!.withdrawal_id);
      expect(
        await world.dieAndGoOn(point, {
          act: "cancel",
          told: { memberId: made.memberId, withdrawNo: formatWithdrawNo(id) },
          async check(again) {
            expect(again).toBe("done");
            expect(await steps(id)).toEqual(["requested", "canceled"]);
            expect(await world.money(made.memberId)).toEqual({ available: String(usd(25)), locked: "0" });
            expect(await world.messages(made.memberId)).toEqual([
              "tradePasswordSet",
              "withdrawalAddressAdded",
              "withdrawalRequested",
              "withdrawalTakenBack",
            ]);
          },
        }),
      ).toBe("SIGKILL");
    },
  );
});

/** Crash points around the commit of an operator's decision, with the answer when it is repeated. */
const COMMIT = [
  ["console.audited", "done"],
  ["console.committed", "CONFLICT"],
] as const;

describe("a decision", () => {
  it.each(COMMIT)("to pay killed at %s counts once", async (point, expected) => {
    const asked = await waitsForPeople(600);
    expect(
      await world.dieAndGoOn(point, {
        act: "approveWithdrawal",
        told: await agreement(one, asked.id),
        async check(again) {
          expect(again).toBe(expected);
          expect(await steps(asked.id)).toEqual(["requested", "review", "approved"]);
          expect(await count("SELECT 1 FROM withdrawal_approvals WHERE withdrawal_id = $1", [asked.id])).toBe(1);
          expect(await world.audited("withdrawal/approve", asked.withdrawNo)).toBe(1);
          await world.again(pay);
          await isPaidOnce(asked, 600);
        },
      }),
    ).toBe("SIGKILL");
  });

  it.each(COMMIT)("of the first of two killed at %s counts once, and pays nothing", async (point, expected) => {
    const asked = await waitsForPeople(5_100);
    expect(
      await world.dieAndGoOn(point, {
        act: "approveWithdrawal",
        told: await agreement(one, asked.id),
        async check(again) {
          expect(again).toBe(expected);
          await world.again(pay);
          expect(await steps(asked.id)).toEqual(["requested", "review"]);
          expect(await count("SELECT 1 FROM withdrawal_approvals WHERE withdrawal_id = $1", [asked.id])).toBe(1);
          const told = await agreement(await world.newApprover(one), asked.id);
          expect(await world.again({ act: "approveWithdrawal", told })).toBe("done");
          await world.again(pay);
          await isPaidOnce(asked, 5_100);
        },
      }),
    ).toBe("SIGKILL");
  });

  it.each(["payout.authorized", "payout.refused", "payout.renewing", "payout.renewed"])(
    "that the signer does not accept, killed at %s, is asked for again, and opens one incident",
    async (point) => {
      const { id, withdrawNo } = await waitsForPeople(605);
      const { digest } = await world.row(id);
      // Act like someone who can write the tables but has no operator's key.
      await world.context.databases.console.query("SELECT approve_withdrawal($1, $2, $3, $4, $5, 'forged')", [
        one.sessionId,
        id,
        digest,
        one.keyId,
        await one.sign(new Uint8Array(32)),
      ]);
      expect(await stage(id)).toBe("approved");
      expect(
        await world.dieAndGoOn(point, {
          ...pay,
          async check() {
            expect(await steps(id)).toEqual(["requested", "review", "approved", "review"]);
            expect((await world.row(id)).digest.equals(digest)).toBe(false);
            expect(await incidents("payout_refused", `${withdrawNo} NEEDS_APPROVALS`)).toBe(1);
            expect(await attempts(id)).toEqual([]);
            const told = { session: world.sessionOf(one), withdrawNo, reason: "cannot be paid" };
            expect(await world.again({ act: "rejectWithdrawal", told })).toBe("done");
          },
        }),
      ).toBe("SIGKILL");
    },
  );

  it.each(COMMIT)("not to pay killed at %s returns the amount once", async (point, expected) => {
    const { id, memberId, withdrawNo } = await waitsForPeople(610);
    expect(
      await world.dieAndGoOn(point, {
        act: "rejectWithdrawal",
        told: { session: world.sessionOf(one), withdrawNo, reason: "cannot be paid" },
        async check(again) {
          expect(again).toBe(expected);
          expect(await steps(id)).toEqual(["requested", "review", "rejected"]);
          expect(await world.money(memberId)).toEqual({ available: String(usd(610)), locked: "0" });
          expect(await world.audited("withdrawal/reject", withdrawNo)).toBe(1);
        },
      }),
    ).toBe("SIGKILL");
  });

  it.each(COMMIT)("to release a failed payment killed at %s returns the amount once", async (point, expected) => {
    const { id, memberId } = await world.ask(40);
    await payoutRound(world.parts, world.memory);
    await mineStopped();
    await world.again(pay);
    expect(await world.row(id)).toMatchObject({ stage: "needs_review", reason: "reverted" });
    const withdrawNo = formatWithdrawNo(id);
    expect(
      await world.dieAndGoOn(point, {
        act: "releaseWithdrawal",
        told: { session: world.sessionOf(one), withdrawNo, amount: usd(40), reason: "looked at the chain" },
        async check(again) {
          expect(again).toBe(expected);
          expect(await stage(id)).toBe("reverted");
          expect(await world.money(memberId)).toEqual({ available: String(usd(40)), locked: "0" });
          expect(await world.audited("withdrawal/release", withdrawNo)).toBe(1);
          expect((await world.messages(memberId)).filter((key) => key === "withdrawalCanceled")).toHaveLength(1);
        },
      }),
    ).toBe("SIGKILL");
  });

  it.each(["payout.renewing", "payout.renewed"])(
    "asked for again and killed at %s is asked for once",
    async (point) => {
      const { id, withdrawNo } = await waitsForPeople(620);
      const before = await world.row(id);
      expect(
        await world.dieAndGoOn(point, {
          ...pay,
          aheadMs: DAYS_3_MS,
          async check() {
            const after = await world.row(id);
            expect(after.stage).toBe("review");
            expect(after.expires_at > before.expires_at).toBe(true);
            expect(after.digest.equals(before.digest)).toBe(false);
            expect(await steps(id)).toEqual(["requested", "review"]);
            expect(
              await world.again({
                act: "rejectWithdrawal",
                told: { session: world.sessionOf(one), withdrawNo, reason: "cannot be paid" },
              }),
            ).toBe("done");
          },
        }),
      ).toBe("SIGKILL");
    },
  );
});

describe("a payment", () => {
  it.each([
    "payout.judged",
    "payout.decided",
    "payout.authorized",
    "payout.reserving",
    "payout.reserved",
    "payout.signing",
    "payout.stored",
    "payout.signed",
    "payout.sent",
    "payout.broadcast",
    "payout.mined",
    "payout.final",
    "payout.confirming",
    "payout.confirmed",
  ])("killed at %s and restarted together with the signer is made exactly once", async (point) => {
    const asked = [await world.ask(25), await world.ask(26)] as const;
    expect(await world.kill(point, pay)).toBe("SIGKILL");
    await world.restartSigner();
    await world.again(pay);
    await isPaidOnce(asked[0], 25);
    await isPaidOnce(asked[1], 26);
    await world.chain.checkBooks();
  });

  it.each(["payout.signing", "payout.stored", "payout.sent"])(
    "given a higher fee and killed at %s is made once, with its nonce",
    async (point) => {
      const asked = await world.ask(27);
      await payoutRound(world.parts, world.memory);
      expect(
        await world.dieAndGoOn(point, {
          ...pay,
          aheadMs: MINUTES_3_MS,
          async check() {
            expect(await attempts(asked.id)).toHaveLength(2);
            await isPaidOnce(asked, 27);
          },
        }),
      ).toBe("SIGKILL");
    },
  );

  it.each(["payout.final", "payout.failing", "payout.failed"])(
    "that failed and is killed at %s opens one incident and is never sent again",
    async (point) => {
      const { id, memberId, address } = await world.ask(28);
      await payoutRound(world.parts, world.memory);
      await mineStopped();
      expect(
        await world.dieAndGoOn(point, {
          ...pay,
          async check() {
            expect(await world.row(id)).toMatchObject({ stage: "needs_review", reason: "reverted" });
            expect(await attempts(id)).toHaveLength(1);
            expect(await transfersTo(address)).toEqual([]);
            expect(await world.money(memberId)).toEqual({ available: "0", locked: String(usd(28)) });
            expect(await incidents("payout_failed", formatWithdrawNo(id))).toBe(1);
          },
        }),
      ).toBe("SIGKILL");
    },
  );

  it.each(["payout.final", "payout.failing", "payout.failed"])(
    "that arrived short and is killed at %s opens one incident",
    async (point) => {
      const short = await arrivesShort(48, () =>
        world.dieAndGoOn(point, {
          ...pay,
          async check() {
            const found = await world.sql("SELECT arrived::text FROM short_payments ORDER BY found_at DESC LIMIT 1");
            expect(found).toEqual([{ arrived: "46530000" }]);
          },
        }),
      );
      expect(short.ended).toBe("SIGKILL");
    },
  );

  it.each(COMMIT)("that arrived short, was settled and killed at %s, ends once", async (point, expected) => {
    const { id, memberId } = await arrivesShort(49, () => world.again(pay));
    const told = (by: Approver) => ({
      session: world.sessionOf(by),
      withdrawNo: formatWithdrawNo(id),
      amount: usd(0.48),
      reason: "the token kept a part",
    });
    expect(await world.kill(point, { act: "settleShort", told: told(one) })).toBe("SIGKILL");
    expect(await world.again({ act: "settleShort", told: told(one) })).toBe(expected);
    expect(await stage(id)).toBe("needs_review");
    expect(
      await world.dieAndGoOn(point, {
        act: "settleShort",
        told: told(await world.newApprover(one)),
        async check(said) {
          expect(said).toBe(expected);
          expect(await stage(id)).toBe("confirmed");
          expect(await world.money(memberId)).toEqual({ available: String(usd(0.48)), locked: "0" });
          expect((await world.messages(memberId)).filter((key) => key === "withdrawalShort")).toHaveLength(1);
          expect(await world.audited("withdrawal/settleShort", formatWithdrawNo(id))).toBe(2);
        },
      }),
    ).toBe("SIGKILL");
  });

  it.each(["payout.stranding", "payout.stranded"])(
    "on a chain that is gone, killed at %s, opens one incident",
    async (point) => {
      const asked = await world.ask(29);
      await payoutRound(world.parts, world.memory);
      await world.sql("UPDATE chain_instances SET ended_at = 1");
      expect(
        await world.dieAndGoOn(point, {
          ...pay,
          async check() {
            expect((await steps(asked.id)).slice(-1)).toEqual(["needs_review"]);
            expect((await steps(asked.id)).filter((step) => step === "needs_review")).toHaveLength(1);
            await world.sql("UPDATE chain_instances SET ended_at = NULL");
          },
        }),
      ).toBe("SIGKILL");
    },
  );

  it("that a reorganisation removed from its block, killed at payout.mined, is made exactly once", async () => {
    const asked = await world.ask(33);
    await payoutRound(world.parts, world.memory);
    await world.chain.mine();
    await payoutRound(world.parts, world.memory);
    expect((await world.row(asked.id)).mined_height).not.toBe(null);
    await world.chain.reorg(1);
    expect(
      await world.dieAndGoOn("payout.mined", {
        ...pay,
        async check() {
          expect(await attempts(asked.id)).toHaveLength(1);
          await isPaidOnce(asked, 33);
        },
      }),
    ).toBe("SIGKILL");
  });
});

describe("a payment that goes back before its first signature", () => {
  /** Requests a payment while the signer can't be reached, so that it gets a nonce but no signature. */
  async function reserved(amount: number) {
    const asked = await waitsForPeople(amount);
    expect(await world.approve(one, asked.id)).toBe("approved");
    const sign: SignerDoor["sign"] = () => Promise.reject(new Error("no answer"));
    const parts = { ...world.parts, signer: { ...world.door, sign } };
    await expect(payoutRound(parts, world.memory)).rejects.toThrow("no answer");
    expect(await stage(asked.id)).toBe("reserved");
    return asked;
  }

  it.each(["payout.retracted", "payout.returned", "payout.signed"])(
    "for a freeze and is killed at %s is asked for again, and paid once",
    async (point) => {
      const asked = await reserved(640);
      const { digest } = await world.row(asked.id);
      const [incident] = await world.sql<{ incident_id: string }>(
        "INSERT INTO incidents (kind, subject, member_id, detail, opened_at) VALUES ('credited_reorg', $1::text, $1::bigint, '{}', 0) RETURNING incident_id",
        [asked.memberId],
      );
      await world.sql("INSERT INTO withdrawal_freezes (member_id, incident_id, frozen_at) VALUES ($1, $2, 0)", [
        asked.memberId,
        incident?.incident_id,
      ]);
      expect(
        await world.dieAndGoOn(point, {
          ...pay,
          async check() {
            expect(await stage(asked.id)).toBe("review");
            expect(await count("SELECT 1 FROM payout_nonces WHERE withdrawal_id = $1", [asked.id])).toBe(0);
            // The earlier approval is used up, so the same person is asked again, with a new expiry.
            expect((await world.row(asked.id)).digest.equals(digest)).toBe(false);
            await world.sql("UPDATE withdrawal_freezes SET lifted_at = 1 WHERE member_id = $1", [asked.memberId]);
            expect(await world.approve(one, asked.id)).toBe("approved");
            await world.again(pay);
            await isPaidOnce(asked, 640);
          },
        }),
      ).toBe("SIGKILL");
    },
  );

  it.each(["payout.retracted", "payout.returned", "payout.signed"])(
    "because its nonce is taken and is killed at %s stops the wallet, and no payment gets the nonce",
    async (point) => {
      const asked = await reserved(650);
      const [bound] = await world.sql<{ nonce: number }>(
        "SELECT nonce::integer AS nonce FROM payout_nonces WHERE withdrawal_id = $1",
        [asked.id],
      );
      const nonce = bound!.nonce;
      // Act as after a restore of older tables: the signer knows of a payment that they don't have.
      const forgotten = { ...paymentOf(await world.row(asked.id)), id: `wdr_${point.replace(".", "")}` };
      const approval = { keyId: one.keyId, signature: await one.sign(paymentStatement(forgotten)) };
      expect((await world.door.authorize(forgotten, [approval])).ok).toBe(true);
      const wish = { nonce: BigInt(nonce), attempt: 1, maxFee: 10n ** 11n, priorityFee: 10n ** 9n };
      const signed = await world.door.sign(forgotten, wish);
      if (!signed.ok) throw new Error(signed.detail);
      expect(
        await world.dieAndGoOn(point, {
          ...pay,
          async check() {
            expect(await stage(asked.id)).toBe("review");
            const [wallet] = await world.sql<{ next: number; stopped: boolean }>(
              "SELECT next_nonce::integer AS next, stopped_at IS NOT NULL AS stopped FROM payout_wallets",
            );
            expect(wallet).toEqual({ next: nonce + 1, stopped: true });
            expect(await count("SELECT 1 FROM incidents WHERE kind = 'payout_stopped' AND closed_at IS NULL")).toBe(1);
            // An operator sends what the signer has, and lets the wallet continue.
            await world.parts.node.send(signed.value.raw);
            await world.chain.mine();
            await letWalletGoOn();
            expect(await world.approve(one, asked.id)).toBe("approved");
            await world.again(pay);
            expect(await stage(asked.id)).toBe("confirmed");
            expect(await transfersTo(asked.address)).toEqual([usd(649), usd(649)]);
          },
        }),
      ).toBe("SIGKILL");
    },
  );
});

async function letWalletGoOn() {
  await world.sql("UPDATE payout_wallets SET stopped_at = NULL, stop_reason = NULL");
  await world.sql("UPDATE incidents SET closed_at = 1 WHERE kind = 'payout_stopped' AND closed_at IS NULL");
}

describe("a nonce that another transaction used", () => {
  it.each(["payout.stopped", "payout.strange", "payout.dying", "payout.dead"])(
    "and a process killed at %s: the wallet stops, and the held amount returns once that is proven",
    async (point) => {
      const { id, memberId } = await world.ask(42);
      await payoutRound(world.parts, world.memory);
      const [attempt] = await attempts(id);
      await node("anvil_dropTransaction", [attempt!.tx_hash]);
      const from = world.signer.address;
      await node("anvil_impersonateAccount", [from]);
      await node("eth_sendTransaction", [{ from, to: from, value: "0x0", gas: "0x5208" }]);
      await world.chain.mine(3);
      await node("anvil_stopImpersonatingAccount", [from]);
      expect(
        await world.dieAndGoOn(point, {
          ...pay,
          async check() {
            // A payment under review is no longer in progress, so a server's rounds continue, as these do.
            for (let round = 0; round < 3; round += 1) await world.round();
            const row = await world.row(id);
            expect(row).toMatchObject({ stage: "needs_review", reason: "nonce_used" });
            expect(row.dead_at).not.toBe(null);
            expect(await attempts(id)).toHaveLength(1);
            expect(await count("SELECT 1 FROM payout_wallets WHERE stopped_at IS NOT NULL")).toBe(1);
            expect(await count("SELECT 1 FROM incidents WHERE kind = 'payout_stopped' AND closed_at IS NULL")).toBe(1);
            const told = { session: world.sessionOf(one), withdrawNo: formatWithdrawNo(id), amount: usd(42) };
            expect(await world.again({ act: "releaseWithdrawal", told: { ...told, reason: "proven" } })).toBe("done");
            expect(await world.money(memberId)).toEqual({ available: String(usd(42)), locked: "0" });
            await letWalletGoOn();
          },
        }),
      ).toBe("SIGKILL");
    },
  );
});

/** Starts a signer that dies at its first entry of a kind, asks it for something, and starts it again. */
async function withDyingSigner(entry: string, moment: string, ask: () => Promise<unknown>): Promise<void> {
  await world.withoutSigner(async ({ port, secret, folder, rules }: SignerSettings) => {
    const script = join(import.meta.dirname, "../../../../signer/src/crash-child.ts");
    const text = JSON.stringify(rules, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
    const env = { SIGNER_PORT: String(port), SIGNER_SECRET: secret, SIGNER_FOLDER: folder, SIGNER_RULES: text };
    const child: ChildProcess = fork(script, [entry, moment], { env: { ...process.env, ...env } });
    const ended = new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
    });
    await Promise.race([new Promise((resolve) => child.once("message", resolve)), ended]);
    await expect(ask()).rejects.toThrow("the signer did not answer");
    await ended;
    expect(child.signalCode).toBe("SIGKILL");
  });
}
const journalHas = (entry: string, id: string) =>
  readFileSync(join(world.folder, "journal.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.includes(`"t":"${entry}"`) && line.includes(`"${id}"`)).length;
const MOMENTS = ["before", "torn", "after"] as const;

describe("a signer killed", () => {
  it.each(["authorized", "signed"].flatMap((entry) => MOMENTS.map((moment) => [moment, entry] as const)))(
    "%s it has stored what is %s, and started again, signs each payment once",
    async (moment, entry) => {
      const asked = await world.ask(30);
      await withDyingSigner(entry, moment, () => payoutRound(world.parts, world.memory));
      await world.again(pay);
      await isPaidOnce(asked, 30);
      const id = formatWithdrawNo(asked.id);
      expect([journalHas("authorized", id), journalHas("signed", id)]).toEqual([1, 1]);
      expect(await attempts(asked.id)).toHaveLength(1);
      await world.chain.checkBooks();
    },
  );

  it.each(MOMENTS)(
    "%s it has stored that a payment is taken back, doesn't sign it until it is approved again",
    async (moment) => {
      const asked = await waitsForPeople(660);
      expect(await world.approve(one, asked.id)).toBe("approved");
      const { withdrawNo } = asked;
      const payment = paymentOf(await world.row(asked.id));
      const approval = { keyId: one.keyId, signature: await one.sign(paymentStatement(payment)) };
      expect((await world.door.authorize(payment, [approval])).ok).toBe(true);
      await withDyingSigner("retracted", moment, () => world.door.retract(payment));
      expect(await world.door.retract(payment)).toMatchObject({ ok: true });
      expect(journalHas("retracted", withdrawNo)).toBe(1);
      const wish = { nonce: 9_999n, attempt: 1, maxFee: 10n ** 10n, priorityFee: 10n ** 9n };
      expect(await world.door.sign(payment, wish)).toMatchObject({ ok: false, refusal: "NOT_AUTHORIZED" });
      await world.again(pay);
      await isPaidOnce(asked, 660);
    },
  );
});

describe("sweeping a deposit", () => {
  /** Credits a deposit at an address derived from the signer's own seed. */
  async function credited(units: bigint): Promise<Hex> {
    const addresses = createAddressMaker({ evm: depositXpub(world.folder), tron: null });
    const memberId = (await world.chain.build.createMember()) as MemberId;
    const shown = await showAddress({ ...world.chain.deposits, addresses }, memberId, "test", systemClock.now());
    if (!shown.ok) throw new Error(shown.refusal.error);
    const address = shown.value.address.toLowerCase() as Hex;
    await world.chain.send(address, units);
    await world.chain.mine(3);
    await world.chain.watch();
    return address;
  }
  const sweeps = (address: Hex) =>
    world.sql<{ stage: string; sweep_id: string }>("SELECT stage, sweep_id FROM sweeps WHERE address = $1", [address]);
  const sweep = { act: "sweep", told: {} } as const;
  async function isBroughtOnce(address: Hex, units: bigint, before: bigint) {
    expect(await world.tokensOf(address)).toBe(0n);
    expect(await world.tokensOf(world.signer.address as Hex)).toBe(before + units);
    const [one, none] = await sweeps(address);
    expect([one?.stage, none]).toEqual(["done", undefined]);
    const given = await world.sql("SELECT step FROM sweep_steps WHERE sweep_id = $1 ORDER BY step", [one?.sweep_id]);
    expect(given).toEqual([{ step: "collect" }, { step: "gas" }]);
    expect(await count("SELECT 1 FROM sweep_attempts WHERE sweep_id = $1", [one?.sweep_id])).toBe(2);
  }

  it.each([
    // The gas wallet's, once in the life of a chain, and each address's.
    "sweep.opened",
    "sweep.opened:1",
    "sweep.planned",
    "sweep.noted",
    ...["gas", "collect"].flatMap((step) =>
      ["reserved", "signed", "stored", "sent"].map((point) => `sweep.${step}.${point}`),
    ),
    "sweep.begun",
    "sweep.gas.final",
    "sweep.gas.done",
    "sweep.final",
    "sweep.done",
  ])("killed at %s empties the address once", async (point) => {
    const address = await credited(70_000_000n);
    const before = await world.tokensOf(world.signer.address as Hex);
    expect(
      await world.dieAndGoOn(point, {
        ...sweep,
        async check() {
          await isBroughtOnce(address, 70_000_000n, before);
        },
      }),
    ).toBe("SIGKILL");
  });

  it.each(MOMENTS)("with a signer killed %s it has stored the step empties the address once", async (moment) => {
    const address = await credited(71_000_000n);
    expect(await sweeps(address)).toEqual([]);
    const before = await world.tokensOf(world.signer.address as Hex);
    await withDyingSigner("sweep", moment, async () => {
      for (;;) await sweepRound(world.parts);
    });
    await world.again(sweep);
    await isBroughtOnce(address, 71_000_000n, before);
    await world.chain.checkBooks();
  });

  it("that the signer refuses, killed at sweep.refused, opens one incident, and continues once the signer accepts", async () => {
    const address = await credited(74_000_000n);
    expect(await world.kill("sweep.gas.reserved", sweep)).toBe("SIGKILL");
    const [{ sweep_id: id, amount } = { sweep_id: "", amount: "" }] = await world.sql<{
      sweep_id: string;
      amount: string;
    }>(
      "SELECT sweep_id, s.amount::text FROM sweep_steps s JOIN sweeps w USING (sweep_id) WHERE w.address = $1 AND step = 'gas'",
      [address],
    );
    // Act like someone who can write the tables: assign more coins than the signer ever gives.
    const setAmount = async (coins: string) => {
      await world.sql("ALTER TABLE sweep_steps DISABLE TRIGGER refuse_row_change");
      await world.sql("UPDATE sweep_steps SET amount = $2 WHERE sweep_id = $1 AND step = 'gas'", [id, coins]);
      await world.sql("ALTER TABLE sweep_steps ENABLE ALWAYS TRIGGER refuse_row_change");
    };
    await setAmount("900000000000000000");
    const subject = `${formatPrefixedId("swp", BigInt(id))} %`;
    const refused = () => count("SELECT 1 FROM incidents WHERE kind = 'sweep_refused' AND subject LIKE $1", [subject]);
    expect(
      await world.dieAndGoOn("sweep.refused", {
        ...sweep,
        async check() {
          expect(await refused()).toBe(1);
          expect(await world.sql("SELECT 1 FROM sweep_attempts WHERE sweep_id = $1", [id])).toEqual([]);
          expect(await world.tokensOf(address)).toBe(74_000_000n);
        },
      }),
    ).toBe("SIGKILL");
    await setAmount(amount);
    for (let round = 0; round < 6 && (await sweeps(address))[0]?.stage !== "done"; round += 1) {
      await world.again(sweep);
      await world.chain.mine(2);
    }
    expect((await sweeps(address)).map(({ stage: at }) => at)).toEqual(["done"]);
    expect(await world.tokensOf(address)).toBe(0n);
    await world.chain.checkBooks();
  });

  it.each(["sweep.stranding", "sweep.stranded"])(
    "killed at %s on a chain instance that has ended, ends once and moves nothing",
    async (point) => {
      const address = await credited(73_000_000n);
      expect(await world.kill("sweep.planned", sweep)).toBe("SIGKILL");
      const [life] = await world.sql<{ instance_id: number }>("SELECT instance_id FROM chain_instances");
      const [sweeping] = await sweeps(address);
      // The sweep belongs to an instance that has ended, while the chain that is read now continues.
      const [ended] = await world.sql<{ instance_id: number }>(
        `INSERT INTO chain_instances (chain, evm_chain_id, genesis_hash, token, cursor_height, cursor_hash, head_height, looked_height, read_at, ended_at)
         SELECT chain, evm_chain_id, 'gone ' || $2::text, token, 0, cursor_hash, 0, 0, 1, 2 FROM chain_instances WHERE instance_id = $1 RETURNING instance_id`,
        [life?.instance_id, point],
      );
      await world.sql("ALTER TABLE sweeps DISABLE TRIGGER USER");
      await world.sql("UPDATE sweeps SET instance_id = $2 WHERE sweep_id = $1", [
        sweeping?.sweep_id,
        ended?.instance_id,
      ]);
      await world.sql("ALTER TABLE sweeps ENABLE ALWAYS TRIGGER step_sweep");
      await world.sql("ALTER TABLE sweeps ENABLE ALWAYS TRIGGER keep_sweeps");
      expect(
        await world.dieAndGoOn(point, {
          ...sweep,
          async check() {
            expect(
              await world.sql("SELECT stage, reason FROM sweeps WHERE sweep_id = $1", [sweeping?.sweep_id]),
            ).toEqual([{ stage: "failed", reason: "chain_anew" }]);
          },
        }),
      ).toBe("SIGKILL");
      // The deposit at the address can now be swept again.
      await world.again(sweep);
    },
  );

  it.each(["sweep.failing", "sweep.failed"])(
    "killed at %s after it failed opens one incident, and moves nothing again",
    async (point) => {
      const address = await credited(72_000_000n);
      const sent = async () =>
        (
          await world.sql(
            "SELECT 1 FROM sweep_attempts JOIN sweeps USING (sweep_id) WHERE address = $1 AND step = 'collect'",
            [address],
          )
        ).length > 0;
      for (;;) {
        await sweepRound(world.parts);
        if (await sent()) break;
        await world.chain.mine(2);
      }
      await mineStopped();
      expect(
        await world.dieAndGoOn(point, {
          ...sweep,
          async check() {
            expect((await sweeps(address)).map(({ stage: at }) => at)).toEqual(["failed"]);
            expect(
              await count("SELECT 1 FROM incidents WHERE kind = 'sweep_failed' AND subject LIKE '%' || $1", [address]),
            ).toBe(1);
            await world.again(sweep);
            expect(await sweeps(address)).toHaveLength(1);
            expect(await world.tokensOf(address)).toBe(72_000_000n);
          },
        }),
      ).toBe("SIGKILL");
    },
  );
});
