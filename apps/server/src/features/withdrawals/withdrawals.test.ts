import {
  type ClientId,
  createIdSource,
  FIRST_WITHDRAWAL_POLICY,
  type Instant,
  type MemberId,
  type MicroUsd,
  type WithdrawalPolicy,
} from "@fairtick/domain";
import { type Builder, createBuilder } from "@fairtick/testkit";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { MemberCall } from "@fairtick/protocol";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { chainSettings } from "../chain/test-settings.ts";
import { type CallRequest, FileAnswer } from "../../platform/http/index.ts";
import { checkInvariants, ledgerRoutes, listFundRecords } from "../ledger/index.ts";
import { setFirstTradePassword } from "../sessions/testing.ts";
import { TRADE_PASSWORD_TRIES } from "../sessions/trade-password.ts";
import { cancelWithdrawal } from "./cancel-withdrawal.ts";
import { listMethods, showQuote } from "./list-methods.ts";
import { listWithdrawals, readWithdrawal } from "./list-withdrawals.ts";
import { checkRecipient } from "./judge-recipient.ts";
import { requestWithdrawal, type WithdrawalWish } from "./request-withdrawal.ts";
import type { SignerDoor } from "../signer/signer-door.ts";
import type { WithdrawalContext } from "./withdrawal-context.ts";
import { withdrawalsToJson } from "./withdrawal-terms.ts";

const TOKEN = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const OWN = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const PASSWORD = "482915";
const usd = (amount: number) => (BigInt(Math.round(amount * 100)) * 10_000n) as MicroUsd;
/** Stands in for the signer. Withdrawals need one, but these tests never call it. */
const signer: SignerDoor = {
  authorize: () => Promise.reject(new Error("not asked here")),
  sign: () => Promise.reject(new Error("not asked here")),
  retract: () => Promise.reject(new Error("not asked here")),
  sweep: () => Promise.reject(new Error("not asked here")),
  enrol: () => Promise.reject(new Error("not asked here")),
  revoke: () => Promise.reject(new Error("not asked here")),
  state: () => Promise.reject(new Error("not asked here")),
};

let base: TestContext;
let build: Builder;
let context: WithdrawalContext;
beforeAll(async () => {
  base = await createTestContext();
  build = await createBuilder(base.database.url);
  const chains = [chainSettings("http://127.0.0.1:1", TOKEN, { explorer: "https://explorer.example/{hash}" })];
  context = {
    ...base,
    clock: systemClock,
    config: { ...base.config, chains },
    ids: createIdSource({ node: 902, clock: systemClock }),
    signer,
  };
  await build.client.query(
    `INSERT INTO chain_instances (chain, evm_chain_id, genesis_hash, token, cursor_height, cursor_hash, head_height, read_at)
     VALUES ('test', 31337, '0x' || repeat('1', 64), $1, 9, '0x9', 9, $2)`,
    [TOKEN, systemClock.now()],
  );
});
afterAll(async () => {
  await build.end();
  await base.close();
});

let made = 0;
let memberId: MemberId;
const now = () => systemClock.now();
async function newMember(change: Parameters<Builder["createMember"]>[0] = {}): Promise<MemberId> {
  const id = (await build.createMember({
    real: usd(1_000),
    region: "BR",
    tradePassword: false,
    ...change,
  })) as MemberId;
  await setFirstTradePassword(context, id, PASSWORD, now());
  return id;
}
function wish(change: Partial<WithdrawalWish> = {}): WithdrawalWish {
  made += 1;
  return {
    chain: "test",
    address: OWN,
    amount: usd(300),
    tradePassword: PASSWORD,
    clientId: `withdrawal-${made}` as ClientId,
    ...change,
  };
}
const ask = (asked: WithdrawalWish, who = memberId) => requestWithdrawal(context, who, asked, now());
async function money(who = memberId) {
  const { rows } = await build.client.query(
    "SELECT real_available, real_locked FROM members_money WHERE member_id = $1",
    [who],
  );
  return rows[0];
}
beforeEach(async () => {
  memberId = await newMember();
});

describe("a request", () => {
  it("holds its amount at once and shows what arrives", async () => {
    const answer = await ask(wish());
    expect(answer).toMatchObject({
      ok: true,
      value: {
        state: "processing",
        stage: "requested",
        amount: "300.00",
        fee: "1.00",
        receives: "299.00",
        currency: "USDT",
        address: OWN,
        cancelable: true,
      },
    });
    expect(await money()).toEqual({ real_available: String(usd(700)), real_locked: String(usd(300)) });
    expect(await checkInvariants(base, 0n)).toEqual([]);
  });

  it("is made once for each client id, even if it is sent many times at once, and refused with other contents", async () => {
    const asked = wish();
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(asked)));
    const numbers = new Set(answers.map((answer) => (answer.ok ? answer.value.withdrawNo : answer.refusal.error)));
    expect(numbers.size).toBe(1);
    // The client id is known, so neither the password nor the balance is checked again.
    expect(await ask({ ...asked, tradePassword: "000000" })).toMatchObject({ ok: true });
    expect(await ask({ ...asked, amount: usd(301) })).toMatchObject({ refusal: { error: "CLIENT_ID_REUSED" } });
    expect(await money()).toMatchObject({ real_locked: String(usd(300)) });
  });

  it("never takes more than the balance when two are made at once", async () => {
    const answers = await Promise.all([ask(wish({ amount: usd(600) })), ask(wish({ amount: usd(600) }))]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => !ok)).toMatchObject({
      refusal: { error: "WITHDRAWAL_TOO_LARGE", params: { max: "400.00" } },
    });
    expect(await checkInvariants(base, 0n)).toEqual([]);
  });

  it.each<[string, Partial<WithdrawalWish>, string]>([
    ["an unknown chain", { chain: "other" }, "CHAIN_UNKNOWN"],
    ["an address of TRON", { address: "TFSR9HKDBvBx7nQ5RQ2RaXwzzPCChhneuW" }, "ADDRESS_OTHER_CHAIN"],
    ["an address cut short", { address: OWN.slice(0, -2) }, "ADDRESS_INVALID"],
    ["nobody's address", { address: `0x${"0".repeat(40)}` }, "ADDRESS_INVALID"],
    ["a typing error", { address: OWN.replace("C5", "c5") }, "ADDRESS_CHECKSUM"],
    ["the token's contract", { address: TOKEN }, "ADDRESS_IS_OURS"],
    ["less than the minimum", { amount: usd(9.99) }, "WITHDRAWAL_BELOW_MINIMUM"],
    ["more than the maximum", { amount: usd(50_000.01) }, "WITHDRAWAL_TOO_LARGE"],
    ["more than the balance", { amount: usd(1_000.01) }, "WITHDRAWAL_TOO_LARGE"],
    ["a wrong password", { tradePassword: "111111" }, "TRADE_PASSWORD_WRONG"],
  ])("with %s is refused, and holds nothing", async (_what, change, error) => {
    expect(await ask(wish(change))).toMatchObject({ ok: false, refusal: { error } });
    expect(await money()).toEqual({ real_available: String(usd(1_000)), real_locked: "0" });
  });

  it("to a deposit address of any member is refused", async () => {
    const address = `0x${"7".repeat(40)}`;
    await build.client.query(
      "INSERT INTO deposit_addresses (chain, address, member_id, child, account_hash, made_at) VALUES ('test', $1, $2, 5, 'x', 0)",
      [address, await newMember()],
    );
    expect(await ask(wish({ address }))).toMatchObject({ refusal: { error: "ADDRESS_IS_OURS" } });
    expect(await checkRecipient(context, memberId, { chain: "test", address })).toMatchObject({
      refusal: { error: "ADDRESS_IS_OURS" },
    });
  });

  it("counts a try for each wrong password, and is locked after five even for the right one", async () => {
    for (let left = TRADE_PASSWORD_TRIES - 1; left >= 0; left -= 1) {
      expect(await ask(wish({ tradePassword: "111111" }))).toMatchObject({
        refusal: { error: "TRADE_PASSWORD_WRONG", params: { left } },
      });
    }
    expect(await ask(wish())).toMatchObject({ refusal: { error: "TRADE_PASSWORD_LOCKED" } });
    // Other mistakes don't cost a try and are reported first.
    expect(await ask(wish({ amount: usd(1) }))).toMatchObject({ refusal: { error: "WITHDRAWAL_BELOW_MINIMUM" } });
  });

  it.each<[string, Partial<WithdrawalWish>]>([
    ["nothing else wrong", { amount: usd(20) }],
    ["less than the minimum", { amount: usd(1) }],
    ["an address of ours", { address: TOKEN }],
    ["an unknown chain", { chain: "other" }],
  ])("needs a transaction password, and says so first: %s", async (_what, change) => {
    const bare = (await build.createMember({ real: usd(50), region: "BR", tradePassword: false })) as MemberId;
    expect(await ask(wish(change), bare)).toMatchObject({ refusal: { error: "TRADE_PASSWORD_NOT_SET" } });
  });

  it.each([
    ["test", OWN, null],
    ["test", TOKEN, "ADDRESS_IS_OURS"],
    ["test", OWN.slice(0, -2), "ADDRESS_INVALID"],
    ["test", OWN.replace("C5", "c5"), "ADDRESS_CHECKSUM"],
    ["other", OWN, "CHAIN_UNKNOWN"],
  ])("can have its address checked beforehand: on %s %s: %s", async (chain, address, error) => {
    expect(await checkRecipient(context, memberId, { chain, address })).toMatchObject(
      error === null ? { ok: true } : { refusal: { error } },
    );
  });

  it.each([
    ["suspended", { standing: "suspended" as const, standingReason: "shared account" }],
    ["self-excluded", { standing: "excluded" as const }],
    ["in a region that allows only practice, with real money from before", { region: "DE" }],
  ])("is open to a member who is %s", async (_what, change) => {
    const who = await newMember(change);
    expect(await ask(wish(), who)).toMatchObject({ ok: true });
    expect(await listMethods(context, who, now())).toMatchObject({ ok: true, value: [{ chain: "test" }] });
  });

  it("is refused with the region's name if the region allows only practice and there is no real money", async () => {
    const who = (await build.createMember({ region: "DE" })) as MemberId;
    expect(await listMethods(context, who, now())).toMatchObject({ refusal: { error: "REGION_PRACTICE_ONLY" } });
  });
});

describe("a cancel", () => {
  it("returns the held amount once, and only to its owner", async () => {
    const asked = await ask(wish());
    if (!asked.ok) throw new Error(asked.refusal.error);
    const { withdrawNo } = asked.value;
    expect(await cancelWithdrawal(context, await newMember(), withdrawNo)).toMatchObject({
      refusal: { error: "NOT_FOUND" },
    });
    const answers = await Promise.all([1, 2, 3].map(() => cancelWithdrawal(context, memberId, withdrawNo)));
    expect(answers.some(({ ok }) => ok)).toBe(true);
    expect(await cancelWithdrawal(context, memberId, withdrawNo)).toMatchObject({
      ok: true,
      value: { state: "canceled", cancelable: false },
    });
    expect(await money()).toEqual({ real_available: String(usd(1_000)), real_locked: "0" });
    expect(await checkInvariants(base, 0n)).toEqual([]);
  });

  it("is possible after the approval, and is refused once the payment has a nonce", async () => {
    const { payout } = base.databases;
    const [approved, reserved] = [await ask(wish()), await ask(wish())];
    if (!approved.ok || !reserved.ok) throw new Error("refused");
    await payout.query("UPDATE withdrawals SET stage = 'approved' WHERE member_id = $1", [memberId]);
    expect(await cancelWithdrawal(context, memberId, approved.value.withdrawNo)).toMatchObject({
      value: { state: "canceled" },
    });
    await payout.query(
      `INSERT INTO payout_wallets (instance_id, address, next_nonce, made_at)
       SELECT instance_id, '0xcafe', 1, 0 FROM chain_instances WHERE chain = 'test'`,
    );
    await payout.query(
      `INSERT INTO payout_nonces (instance_id, address, nonce, withdrawal_id)
       SELECT instance_id, '0xcafe', 0, withdrawal_id FROM withdrawals WHERE member_id = $1 AND end_id IS NULL`,
      [memberId],
    );
    for (const stage of ["approved", "reserved"]) {
      await payout.query("UPDATE withdrawals SET stage = $2 WHERE member_id = $1 AND end_id IS NULL", [
        memberId,
        stage,
      ]);
      expect(await cancelWithdrawal(context, memberId, reserved.value.withdrawNo)).toMatchObject({
        refusal: { error: "WITHDRAWAL_NOT_CANCELABLE" },
      });
    }
    expect(await checkInvariants(base, 0n)).toEqual([]);
  });
});

describe("a member's withdrawals", () => {
  it("are visible only to them, page by page, and are in their records with fee, state and remark", async () => {
    const first = await ask(wish({ amount: usd(20) }));
    await ask(wish({ amount: usd(30) }));
    await ask(wish({ amount: usd(40) }));
    if (!first.ok) throw new Error(first.refusal.error);
    await cancelWithdrawal(context, memberId, first.value.withdrawNo);
    const page = await listWithdrawals(context, memberId, { limit: 2 });
    if (!page.ok) throw new Error("refused");
    expect(page.value.items.map(({ amount }) => amount)).toEqual(["40.00", "30.00"]);
    expect(await listWithdrawals(context, memberId, { cursor: page.value.nextCursor! })).toMatchObject({
      value: { items: [{ amount: "20.00" }], nextCursor: null },
    });
    expect(await listWithdrawals(context, memberId, { cursor: "dep_1" })).toMatchObject({
      refusal: { error: "FIELD_INVALID" },
    });
    expect(await readWithdrawal(context, await newMember(), first.value.withdrawNo)).toMatchObject({
      refusal: { error: "NOT_FOUND" },
    });
    const requests = await listFundRecords(base, memberId, { wallet: "real", kind: "withdraw" });
    expect(requests).toMatchObject({
      value: {
        items: [
          { amount: "-40.00", state: "processing", fee: "1.00", type: "withdraw" },
          { amount: "-30.00", state: "processing" },
          { amount: "-20.00", state: "canceled", orderNo: first.value.withdrawNo },
        ],
      },
    });
    const ledger = await listFundRecords(base, memberId, { wallet: "real", kind: "all" });
    expect(ledger).toMatchObject({
      value: {
        items: [
          { amount: "20.00", remark: "withdrawalRelease", orderNo: first.value.withdrawNo, balanceAfter: "930.00" },
          { amount: "-40.00", remark: "withdrawalHold", fee: "1.00" },
          { amount: "-30.00", remark: "withdrawalHold" },
          { amount: "-20.00", remark: "withdrawalHold", orderNo: first.value.withdrawNo },
          { type: "deposit" },
        ],
      },
    });
  });

  it("are quoted before they are requested", async () => {
    expect(await showQuote(context, memberId, { chain: "test", amount: usd(300) })).toEqual({
      ok: true,
      value: { fee: "1.00", receives: "299.00", frozenSince: null, restsUntil: null, paysFrom: null },
    });
    expect(await showQuote(context, memberId, { chain: "none", amount: usd(300) })).toMatchObject({
      refusal: { error: "CHAIN_UNKNOWN" },
    });
  });
});

describe("the database", () => {
  async function asked(amount: number): Promise<bigint> {
    const who = await newMember({ real: usd(20_000) });
    await ask(wish({ amount: usd(amount) }), who);
    const { rows } = await build.client.query("SELECT max(withdrawal_id) AS id FROM withdrawals");
    return BigInt(rows[0].id);
  }
  const move = (id: bigint, stage: string) =>
    base.databases.payout.query("UPDATE withdrawals SET stage = $2 WHERE withdrawal_id = $1", [id, stage]);

  it.each([
    ["approved automatically above 500.00", 500.01, ["approved"], "has not the approvals"],
    [
      "approved without a signature once an operator has to decide",
      20,
      ["review", "approved"],
      "has not the approvals",
    ],
    ["reserved before it is approved", 20, ["reserved"], "cannot go from requested to reserved"],
    ["reserved without a nonce", 20, ["approved", "reserved"], "has no nonce"],
    ["signed without any step before", 20, ["signed"], "cannot go from"],
    ["confirmed by a role that may not book", 20, ["confirmed"], "violates check|cannot go from"],
  ])("lets no withdrawal be %s", async (_what, amount, stages, message) => {
    const id = await asked(amount);
    const moves = (async () => {
      for (const stage of stages) await move(id, stage);
    })();
    await expect(moves).rejects.toThrow(new RegExp(message));
  });

  it("keeps the request unchanged, and lets only the ledger's functions end a hold", async () => {
    const id = await asked(20);
    const { payout, money: book } = base.databases;
    await expect(payout.query("UPDATE withdrawals SET amount = 1 WHERE withdrawal_id = $1", [id])).rejects.toThrow(
      "permission denied",
    );
    await expect(
      build.client.query("UPDATE withdrawals SET address = '0x1' WHERE withdrawal_id = $1", [id]),
    ).rejects.toThrow("asked for stays");
    await expect(build.client.query("DELETE FROM withdrawals WHERE withdrawal_id = $1", [id])).rejects.toThrow(
      "refused",
    );
    await expect(
      book.query("UPDATE withdrawals SET stage = 'canceled' WHERE withdrawal_id = $1", [id]),
    ).rejects.toThrow("permission denied");
    await expect(payout.query("INSERT INTO transfers (transfer_id) VALUES (1)")).rejects.toThrow("permission denied");
    await expect(payout.query("UPDATE withdrawals SET dead_at = 1 WHERE withdrawal_id = $1", [id])).rejects.toThrow(
      "not found dead",
    );
  });

  it("refuses to approve withdrawals of a member who is frozen, and tells them so", async () => {
    const who = await newMember();
    const answer = await ask(wish(), who);
    if (!answer.ok) throw new Error(answer.refusal.error);
    const { rows } = await build.client.query(
      "INSERT INTO incidents (kind, subject, member_id, detail, opened_at) VALUES ('credited_reorg', $1::text, $1::bigint, '{}', 0) RETURNING incident_id",
      [who],
    );
    await build.client.query("INSERT INTO withdrawal_freezes (member_id, incident_id, frozen_at) VALUES ($1, $2, 0)", [
      who,
      rows[0].incident_id,
    ]);
    await expect(
      base.databases.payout.query("UPDATE withdrawals SET stage = 'approved' WHERE member_id = $1", [who]),
    ).rejects.toThrow("are frozen");
    expect(await readWithdrawal(context, who, answer.value.withdrawNo)).toMatchObject({ value: { reason: "frozen" } });
    expect(await cancelWithdrawal(context, who, answer.value.withdrawNo)).toMatchObject({ ok: true });
  });
});

it("is in the file of a member's withdrawals with number, time, amount, fee and state, within the requested dates", async () => {
  const first = await ask(wish({ amount: usd(250.5) }));
  if (!first.ok) throw new Error(first.refusal.error);
  await cancelWithdrawal(context, memberId, first.value.withdrawNo);
  const second = await ask(wish());
  if (!second.ok) throw new Error(second.refusal.error);
  await ask(wish(), await newMember());
  const download = ledgerRoutes(context).find(({ call }) => call.path === "fund/export");
  const read = async (input: object): Promise<string[]> => {
    const request = {
      input: { wallet: "real", kind: "withdraw", ...input },
      session: { sessionId: 1n, memberId },
      lang: "en",
    };
    const answer: unknown = await download?.handler(request as unknown as CallRequest<MemberCall>);
    if (!(answer instanceof FileAnswer)) throw new Error("no file");
    return (await text(answer.body as Readable)).trimEnd().split("\r\n");
  };
  const [head, newest, oldest, ...more] = await read({});
  expect(head).toBe("recordNo,orderNo,time,currency,type,amount,balanceAfter,remark,note,fee,state,wallet");
  const line = (number: string, amount: string, after: string, state: string) =>
    new RegExp(
      `^${number},${number},20[0-9-]+T[0-9:.]+Z,USD,Withdraw,${amount},${after},Withdrawal,,1.00,${state},real$`,
    );
  expect(newest).toMatch(line(second.value.withdrawNo, "-300.00", "700.00", "Processing"));
  expect(oldest).toMatch(line(first.value.withdrawNo, "-250.50", "749.50", "Canceled"));
  expect(more).toEqual([]);
  expect(await read({ to: 1n })).toEqual([head]);
  expect(await read({ from: now() + 60_000n })).toEqual([head]);
  expect(await read({ from: now() - 60_000n, to: now() + 60_000n })).toHaveLength(3);
  expect(await read({ wallet: "practice" })).toEqual([head]);
});

// These tests come last because they change the terms.
describe("terms", () => {
  const store = (version: number, effectiveAt: Instant, change: Partial<WithdrawalPolicy> = {}) =>
    build.client.query("SELECT store_policy('withdrawals', $1)", [
      withdrawalsToJson({ ...FIRST_WITHDRAWAL_POLICY, ...change, version, effectiveAt }),
    ]);
  const needed = async (amount: number) =>
    (await build.client.query("SELECT approvals_needed($1, false) AS people", [usd(amount)])).rows[0].people as number;

  it("are shown before they take effect, and apply by their date: fee, daily limit and members", async () => {
    await store(1, (now() - 1_000n) as Instant);
    const coming = (now() + 1_500n) as Instant;
    const later = { fee: usd(2), minimum: usd(20), maximum: usd(60), dayMax: usd(100) };
    await store(2, coming, { ...later, automaticMax: usd(10), singleMax: usd(50) });
    const methods = () => listMethods(context, memberId, now());
    const before = {
      fee: "1.00",
      minimum: "10.00",
      maximum: "50000.00",
      dayMax: null,
      dayLeft: null,
      automaticMax: "500.00",
    };
    expect(await methods()).toMatchObject({
      value: [
        {
          ...before,
          coming: { at: Number(coming), fee: "2.00", minimum: "20.00", maximum: "60.00", dayMax: "100.00" },
        },
      ],
    });
    expect([await needed(40), await needed(60)]).toEqual([0, 0]);
    const first = await ask(wish({ amount: usd(60), fee: usd(1) }));
    expect(first).toMatchObject({ ok: true, value: { fee: "1.00" } });

    while (now() < coming) await new Promise((resolve) => setTimeout(resolve, 50));
    expect([await needed(10), await needed(40), await needed(60)]).toEqual([0, 1, 2]);
    expect(await methods()).toMatchObject({
      value: [{ fee: "2.00", minimum: "20.00", dayMax: "100.00", dayLeft: "40.00", coming: null }],
    });
    expect(await showQuote(context, memberId, { chain: "test", amount: usd(30) })).toMatchObject({
      value: { fee: "2.00" },
    });
    // Earlier requests keep their fee. A member who still sees the old fee is told.
    expect(await ask(wish({ amount: usd(30), fee: usd(1) }))).toMatchObject({
      refusal: { error: "QUOTE_CHANGED", params: { fee: "2.00" } },
    });
    expect(await ask(wish({ amount: usd(10) }))).toMatchObject({ refusal: { error: "WITHDRAWAL_BELOW_MINIMUM" } });
    expect(await ask(wish({ amount: usd(50) }))).toMatchObject({
      refusal: { error: "WITHDRAWAL_DAY_LIMIT", params: { max: "100.00", left: "40.00" } },
    });
    expect(await ask(wish({ amount: usd(40), fee: usd(2) }))).toMatchObject({ ok: true, value: { fee: "2.00" } });
    // Returned amounts don't count.
    if (first.ok) await cancelWithdrawal(context, memberId, first.value.withdrawNo);
    expect(await ask(wish({ amount: usd(60) }))).toMatchObject({ ok: true });
  });
});
