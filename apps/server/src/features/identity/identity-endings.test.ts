import { type ClientId, createIdSource, type MicroUsd } from "@fairtick/domain";
import type { IdentityEntry } from "@fairtick/protocol/operator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refuseNewDeposit } from "../deposits/may-deposit.ts";
import { lookForExpiry, submitBasic } from "./index.ts";
import { readSummaries } from "../ledger/index.ts";
import { memberInfo, readVip } from "../members/index.ts";
import { setFirstTradePassword } from "../sessions/testing.ts";
import { chainSettings } from "../chain/test-settings.ts";
import { requestWithdrawal } from "../withdrawals/request-withdrawal.ts";
import { systemClock } from "../../platform/clock.ts";
import { identityWorld, NAME } from "../../testing/identity-world.ts";

const desk = identityWorld();
const { world, context, told, as, now, status, documents, newCase, approve, reject, doneOf, detail, sql } = desk;
beforeAll(() => desk.open());
afterAll(() => desk.close());

const REASON = "The document was reported stolen";
const revoke = (caseId: string, login: string, reason = REASON) =>
  world().call("identity/revoke", { caseId, reason }, as(login));
const keep = (caseId: string, login: string) =>
  world().call("identity/keep", { caseId, reason: "It is theirs after all" }, as(login));
/** Returns the date this many days from today, such as `2027-03-01`. */
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
async function verified(expiresOn?: string) {
  const made = await newCase();
  const answer = await world().call(
    "identity/approve",
    {
      caseId: made.caseId,
      birthDate: NAME.birthDate,
      reason: "Photos and data agree",
      ...(expiresOn && { expiresOn }),
    },
    as("compliance-1"),
  );
  expect(doneOf(answer)).toBe("verified");
  return made;
}
const messagesOf = async (id: bigint) =>
  (
    await sql<{ message_key: string; params: object }>(
      "SELECT message_key, params FROM member_messages WHERE member_id = $1 ORDER BY message_id DESC",
      [String(id)],
    )
  ).map(({ message_key: key, params }) => ({ key, params }));
/** Sets the last day of a verified document to this many days from today, which no call can do. */
const lastDay = async (id: bigint, days: number) => {
  await sql("ALTER TABLE identity_cases DISABLE TRIGGER keep_identity_case");
  await sql("UPDATE identity_cases SET document_expires = $2 WHERE member_id = $1 AND state = 'verified'", [
    String(id),
    day(days),
  ]);
  await sql("ALTER TABLE identity_cases ENABLE ALWAYS TRIGGER keep_identity_case");
};

describe("a verified identity", () => {
  it("is revoked by two people of compliance; the member reads the first one's reason and can submit again", async () => {
    const { id, caseId } = await verified();
    expect(doneOf(await revoke(caseId, "compliance-1"))).toBe("proposed");
    expect(await status(id)).toMatchObject({ state: "verified" });
    expect(await detail(caseId)).toMatchObject({ proposed: true, waiting: { verdict: "revoked", reason: REASON } });
    const waiting = (await world().call("identity/list", {}, as("auditor-1"))).body.data as { items: IdentityEntry[] };
    expect(waiting.items.map((entry) => entry.caseId)).toContain(caseId);
    expect((await revoke(caseId, "compliance-1")).status).toBe(403);
    told.length = 0;
    expect(doneOf(await revoke(caseId, "compliance-2", "Seen the report"))).toBe("revoked");
    expect(told).toEqual([id]);

    expect(await detail(caseId)).toMatchObject({ state: "revoked", endReason: REASON, proposed: false, waiting: null });
    expect(await status(id)).toMatchObject({ state: "rejected", basic: "rejected", reason: REASON, ended: "revoked" });
    expect((await messagesOf(id))[0]).toEqual({ key: "identityRevoked", params: { reason: REASON } });
    expect((await revoke(caseId, "compliance-1")).status).toBe(409);
    expect((await keep(caseId, "compliance-1")).status).toBe(409);
    expect(await submitBasic(context(), id, NAME, now())).toMatchObject({ ok: true });
    expect(await documents(id)).toMatchObject({ ok: true });
    expect(await status(id)).toMatchObject({ state: "pending" });
  });

  it("stays if the second person declines or the first withdraws the proposal", async () => {
    const { id, caseId } = await verified();
    for (const login of ["compliance-2", "compliance-1"]) {
      expect(doneOf(await revoke(caseId, "compliance-1"))).toBe("proposed");
      expect(doneOf(await keep(caseId, login))).toBe("declined");
      expect(await detail(caseId)).toMatchObject({ state: "verified", waiting: null });
    }
    expect(await status(id)).toMatchObject({ state: "verified" });
  });

  it("can only be revoked by compliance, with a reason, and only while verified", async () => {
    const [open, done] = [await newCase(), await verified()];
    for (const login of ["support-1", "auditor-1", "finance-1", "admin-1"])
      expect((await revoke(done.caseId, login)).status).toBe(403);
    expect((await revoke(done.caseId, "compliance-1", "x")).status).toBe(400);
    expect((await revoke(open.caseId, "compliance-1")).status).toBe(409);
    expect((await revoke("idn_0000000000000", "compliance-1")).status).toBe(404);
  });

  it("can't be ended by one person, whatever the program does", async () => {
    const { caseId, id } = await verified();
    await revoke(caseId, "compliance-1");
    const [waiting] = await sql<{ proposal_id: string }>(
      "SELECT proposal_id FROM proposals WHERE kind = 'identity_revoke' ORDER BY proposal_id DESC LIMIT 1",
    );
    const { console } = world().context.databases;
    await expect(console.query("SELECT revoke_identity($1)", [waiting?.proposal_id])).rejects.toThrow(/no approved/);
    await expect(console.query("UPDATE identity_cases SET state = 'revoked'")).rejects.toThrow(/permission denied/);
    await expect(console.query("SELECT expire_identities()")).rejects.toThrow(/permission denied/);
    // Not even the tables' owner can change the decision while ending it.
    await expect(
      sql("UPDATE identity_cases SET state = 'expired', ended_at = 1, reason = 'other' WHERE member_id = $1", [
        String(id),
      ]),
    ).rejects.toThrow(/keeps what was handed in and decided/);
  });
});

describe("a member whose identity was revoked", () => {
  it("loses that part of the credit score and their VIP people, and can deposit only where no identity is required", async () => {
    const { id, caseId } = await verified();
    await revoke(caseId, "compliance-1");
    await revoke(caseId, "compliance-2");
    expect(await memberInfo(context(), id, now())).toMatchObject({ identityState: "rejected" });
    expect((await readSummaries(context(), id, now()))[0]).toMatchObject({
      creditScore: 100,
      identityState: "rejected",
    });
    expect(await readVip(world().context.databases.sessions, id, world().context.config.supportHours)).toBeNull();
    const refused = (identityBeforeDeposit: boolean) =>
      refuseNewDeposit({ ...context(), config: { ...context().config, identityBeforeDeposit } }, id, now());
    expect(await refused(false)).toBeNull();
    expect(await refused(true)).toMatchObject({ error: "IDENTITY_REQUIRED" });
  });

  it("withdraws as before, even where deposits require a verified identity", async () => {
    const { id, caseId } = await verified();
    await sql("UPDATE members_money SET real_available = 500000000, member_seq = member_seq + 1 WHERE member_id = $1", [
      String(id),
    ]);
    await revoke(caseId, "compliance-1");
    await revoke(caseId, "compliance-2");
    const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
    await sql(
      `INSERT INTO chain_instances (chain, evm_chain_id, genesis_hash, token, cursor_height, cursor_hash, head_height, read_at)
       VALUES ('test', 31337, '0x' || repeat('1', 64), $1, 9, '0x9', 9, $2)`,
      [token, String(systemClock.now())],
    );
    await sql("UPDATE members SET trade_password_hash = NULL WHERE member_id = $1", [String(id)]);
    const set = await setFirstTradePassword(world().context, id, "482915", systemClock.now());
    expect(set).toMatchObject({ ok: true });
    const asked = await requestWithdrawal(
      {
        ...world().context,
        clock: systemClock,
        config: {
          ...context().config,
          identityBeforeDeposit: true,
          chains: [chainSettings("http://127.0.0.1:1", token)],
        },
        ids: createIdSource({ node: 903, clock: systemClock }),
        signer: {} as never,
      },
      id,
      {
        chain: "test",
        address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        amount: 300_000_000n as MicroUsd,
        tradePassword: "482915",
        clientId: "withdrawal-1" as ClientId,
      },
      systemClock.now(),
    );
    expect(asked).toMatchObject({ ok: true, value: { state: "processing", amount: "300.00" } });
  });
});

describe("a document's last day", () => {
  it("is read by the reviewer, who can't verify an expired document", async () => {
    const { id, caseId } = await verified(day(400));
    expect(await detail(caseId)).toMatchObject({ documentExpires: day(400) });
    const far = await status(id);
    expect(far).toMatchObject({ state: "verified", expiresOn: day(400) });
    expect(far.renewal).toBeUndefined();
    const over = await newCase();
    const answer = await world().call(
      "identity/approve",
      { caseId: over.caseId, birthDate: NAME.birthDate, expiresOn: day(-2), reason: "It looks fine" },
      as("compliance-1"),
    );
    expect([answer.status, answer.body.data]).toEqual([
      400,
      expect.objectContaining({
        error: "FIELD_INVALID",
        fields: expect.objectContaining({ expiresOn: expect.any(String) }),
      }),
    ]);
    expect(await status(over.id)).toMatchObject({ state: "pending" });
  });

  it("is announced once when it is near, and a newer document replaces the old one without a gap", async () => {
    const { id, caseId } = await verified(day(20));
    expect(await status(id)).toMatchObject({ state: "verified", renewal: { state: "due" } });
    expect((await lookForExpiry(world().context)).reminded).toBe(1);
    expect(await lookForExpiry(world().context)).toEqual({ reminded: 0, expired: 0 });
    expect((await messagesOf(id))[0]).toEqual({ key: "identityExpiring", params: { day: day(20) } });

    expect(await documents(id)).toMatchObject({ ok: true });
    expect(await status(id)).toMatchObject({ state: "verified", renewal: { state: "pending" } });
    expect(await documents(id)).toMatchObject({ refusal: { error: "IDENTITY_PENDING" } });
    const caseOf = async () =>
      (
        (await world().call("identity/list", { limit: "100" }, as("auditor-1"))).body.data as { items: IdentityEntry[] }
      ).items.findLast((entry) => entry.state === "pending" && entry.caseId !== caseId)!.caseId;
    await reject(await caseOf(), "compliance-1", "The page is cut off");
    expect(await status(id)).toMatchObject({
      state: "verified",
      renewal: { state: "rejected", reason: "The page is cut off" },
    });
    expect(await documents(id)).toMatchObject({ ok: true });
    const newer = await caseOf();
    expect(doneOf(await approve(newer, "compliance-1"))).toBe("verified");
    expect(await detail(caseId)).toMatchObject({ state: "replaced" });
    const after = await status(id);
    expect(after).toMatchObject({ state: "verified" });
    expect([after.renewal, after.expiresOn]).toEqual([undefined, undefined]);
    expect((await readSummaries(context(), id, now()))[0]).toMatchObject({ creditScore: 110 });
  });

  it("leaves the member unverified once it is over in every time zone, and asks them for a newer document", async () => {
    const [over, lasting] = [await verified(day(3)), await verified(day(3))];
    await lastDay(over.id, -2);
    told.length = 0;
    expect((await lookForExpiry(world().context)).expired).toBe(1);
    expect(told).toContain(over.id);
    expect(await lookForExpiry(world().context)).toEqual({ reminded: 0, expired: 0 });
    expect(await status(over.id)).toMatchObject({
      state: "unverified",
      basic: "pending",
      ended: "expired",
      expiresOn: day(-2),
    });
    expect((await messagesOf(over.id))[0]).toEqual({ key: "identityExpired", params: { day: day(-2) } });
    expect(await detail(over.caseId)).toMatchObject({ state: "expired" });
    expect((await readSummaries(context(), over.id, now()))[0]).toMatchObject({ creditScore: 100 });
    expect(await status(lasting.id)).toMatchObject({ state: "verified" });
    expect(await documents(over.id)).toMatchObject({ ok: true });
    expect(await status(over.id)).toMatchObject({ state: "pending" });
  });
});
