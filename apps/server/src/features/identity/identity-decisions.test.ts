import type { MemberId } from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { submitBasic } from "./index.ts";
import { readSummaries } from "../ledger/index.ts";
import { memberInfo } from "../members/index.ts";
import { identityWorld, NAME } from "../../testing/identity-world.ts";

const desk = identityWorld();
const { world, context, told, as, now, status, documents, newCase, approve, reject, doneOf, detail, sql } = desk;
beforeAll(() => desk.open());
afterAll(() => desk.close());

describe("a decision", () => {
  it("verifies: the member is notified, their credit score rises, and they can submit nothing more", async () => {
    const { id, caseId } = await newCase();
    told.length = 0;
    expect(doneOf(await approve(caseId, "compliance-1"))).toBe("verified");
    expect(told).toEqual([id]);
    const messages = await sql<{ message_key: string }>(
      "SELECT message_key FROM member_messages WHERE member_id = $1 ORDER BY message_id",
      [String(id)],
    );
    expect(messages.map(({ message_key: key }) => key)).toEqual([
      "identitySubmitted",
      "identityVerified",
      "vipAssigned",
    ]);
    expect(await status(id)).toMatchObject({ state: "verified", basic: "verified", real: "verified" });
    expect(await memberInfo(context(), id, now())).toMatchObject({ identityState: "verified" });
    const [summary] = await readSummaries(context(), id, now());
    expect(summary).toMatchObject({ creditScore: 110, identityState: "verified" });
    expect(summary!.creditParts).toContainEqual({ reason: "identityVerified", points: 10 });
    expect(await documents(id)).toMatchObject({ refusal: { error: "CONFLICT" } });
    expect((await approve(caseId, "compliance-2")).status).toBe(409);
    expect((await reject(caseId, "compliance-2")).status).toBe(409);
  });

  it("rejects with a reason that the member reads, and they can submit again", async () => {
    const { id, caseId } = await newCase();
    expect(doneOf(await reject(caseId, "compliance-1"))).toBe("rejected");
    expect(await status(id)).toMatchObject({ state: "rejected", basic: "rejected", reason: "The back is blurred" });
    expect((await readSummaries(context(), id, now()))[0]).toMatchObject({
      creditScore: 100,
      identityState: "rejected",
    });
    expect(await submitBasic(context(), id, NAME, now())).toMatchObject({ ok: true });
    expect(await status(id)).toMatchObject({ state: "rejected", basic: "pending" });
    expect(await documents(id)).toMatchObject({ ok: true });
    const after = await status(id);
    expect(after).toMatchObject({ state: "pending" });
    expect(after.reason).toBeUndefined();
  });

  it("can only be made by compliance, and needs the document's birth date", async () => {
    const { caseId } = await newCase();
    expect((await approve(caseId, "finance-1")).status).toBe(403);
    expect((await approve(caseId, "auditor-1")).status).toBe(403);
    expect(
      (await world().call("identity/approve", { caseId, reason: "looks right" }, as("compliance-1"))).body.data,
    ).toMatchObject({
      error: "FIELD_MISSING",
    });
    expect((await approve("idn_0000000000000", "compliance-1")).status).toBe(404);
  });
});

describe("a flagged case", () => {
  let entries = 0;
  const again = async () => {
    const number = `DUP-${Math.trunc(performance.now() * 1e3)}`;
    const first = await newCase({ documentNumber: number });
    const second = await newCase({ documentNumber: number.replace("-", " ").toLowerCase() });
    return { first, second };
  };

  it("has a number that another member has submitted, and takes two people to verify", async () => {
    const { first, second } = await again();
    expect(await detail(first.caseId)).toMatchObject({ flags: [] });
    expect(await detail(second.caseId)).toMatchObject({
      flags: ["number_seen"],
      flagged: [{ flag: "number_seen", otherCaseId: first.caseId, otherMemberId: first.memberId }],
    });
    expect(doneOf(await approve(second.caseId, "compliance-1"))).toBe("proposed");
    expect(await status(second.id)).toMatchObject({ state: "pending" });
    expect(await detail(second.caseId)).toMatchObject({ proposed: true, waiting: { verdict: "verified" } });
    expect((await approve(second.caseId, "compliance-1")).status).toBe(403);
    expect(doneOf(await approve(second.caseId, "compliance-2"))).toBe("verified");
    expect(await status(second.id)).toMatchObject({ state: "verified" });
  });

  it("goes back to the queue if the second person declines", async () => {
    const { second } = await again();
    expect(doneOf(await reject(second.caseId, "compliance-1", "Somebody else's document"))).toBe("proposed");
    expect(doneOf(await approve(second.caseId, "compliance-2"))).toBe("declined");
    expect(await detail(second.caseId)).toMatchObject({ state: "pending", waiting: null });
    expect(doneOf(await reject(second.caseId, "compliance-2", "Somebody else's document"))).toBe("proposed");
    expect(doneOf(await reject(second.caseId, "compliance-1", "Agreed"))).toBe("rejected");
    expect(await status(second.id)).toMatchObject({ state: "rejected", reason: "Somebody else's document" });
  });

  it("can also have another birth date on its document", async () => {
    const { id, caseId } = await newCase();
    expect(doneOf(await approve(caseId, "compliance-1", "1990-05-18"))).toBe("proposed");
    expect(await detail(caseId)).toMatchObject({ flags: ["birth_date"], waiting: { verdict: "verified" } });
    expect(doneOf(await approve(caseId, "compliance-2"))).toBe("verified");
    expect(await detail(caseId)).toMatchObject({ birthDate: "1990-05-17", documentBirthDate: "1990-05-18" });
    expect(await status(id)).toMatchObject({ state: "verified" });
    const child = await newCase();
    expect((await approve(child.caseId, "compliance-1", "2015-05-18")).body.data).toMatchObject({ error: "UNDER_AGE" });
  });

  it("can also be of a member who paid from an account in another name", async () => {
    /** Makes a bank transfer from this payer that is matched to a deposit of the member. */
    const paidBy = async (memberId: MemberId, debtor: string) => {
      entries += 1;
      const at = String(entries);
      await sql(
        `INSERT INTO receiving_cards (card_id, version, regions, currency, digits, bank, holder, number, note, rate, active, made_at)
         VALUES ($1, 1, '{}', 'EUR', 2, 'Bank', 'Holder', 'DE00123456', '', 1000000, true, 0)`,
        [at],
      );
      await sql(
        `INSERT INTO bank_statements (statement_id, message, file_hash, imported_by, imported_at)
         SELECT $1::bigint, 'm', sha256($1::bigint::text::bytea), operator_id, 0 FROM operators LIMIT 1`,
        [at],
      );
      await sql(
        `INSERT INTO statement_entries (entry_id, statement_id, account, entry_reference, amount, digits, currency, booked_on, debtor, remittance)
         VALUES ($1::bigint, $1::bigint, 'DE00123456', 'test-' || $1::bigint, 5000, 2, 'EUR', '2026-11-20', $2, '')`,
        [at, debtor],
      );
      await sql(
        "INSERT INTO deposits (deposit_id, member_id, method, stage, amount, created_at, stage_at) VALUES ($1, $2, 'bank', 'in_review', 50000000, 0, 0)",
        [at, String(memberId)],
      );
      await sql(
        "INSERT INTO bank_deposits (deposit_id, card_id, card_version, fiat_amount, reference, matched_entry) VALUES ($1::bigint, $1::bigint, 1, 5000, 'RF' || $1::bigint, $1::bigint)",
        [at],
      );
    };
    const own = await newCase();
    await paidBy(own.id, "SÍLVA, ANA MARÍA");
    expect(doneOf(await approve(own.caseId, "compliance-1"))).toBe("verified");
    const other = await newCase();
    await paidBy(other.id, "Carlos Souza");
    const [session] = await sql<{ session_id: string; case_id: string }>(
      `SELECT s.session_id, c.case_id FROM operator_sessions s JOIN operators o USING (operator_id), identity_cases c
       WHERE o.login = 'compliance-1' AND s.verified_at IS NOT NULL AND s.ended_at IS NULL AND c.member_id = $1 LIMIT 1`,
      [String(other.id)],
    );
    await expect(
      world().context.databases.console.query(
        "SELECT decide_identity($1, $2, NULL, 'verified', '1990-05-17', NULL, 'because')",
        [session!.session_id, session!.case_id],
      ),
    ).rejects.toThrow(/transfer from another name/);
    expect(doneOf(await approve(other.caseId, "compliance-1"))).toBe("proposed");
    expect(await detail(other.caseId)).toMatchObject({ flags: ["payer_name"] });
    expect(doneOf(await approve(other.caseId, "compliance-2"))).toBe("verified");
  });

  it("can't be decided by one person, whatever the program does", async () => {
    const { second } = await again();
    const [row] = await sql<{ case_id: string }>("SELECT case_id FROM identity_cases WHERE member_id = $1", [
      String(second.id),
    ]);
    const [session] = await sql<{ session_id: string }>(
      `SELECT session_id FROM operator_sessions JOIN operators USING (operator_id)
       WHERE login = 'compliance-1' AND verified_at IS NOT NULL AND ended_at IS NULL ORDER BY session_id DESC LIMIT 1`,
    );
    const decide = (sessionId: string, proposal: string | null, birthDate: string | null = "1990-05-17") =>
      world().context.databases.console.query("SELECT decide_identity($1, $2, $3, 'verified', $4, NULL, 'because')", [
        sessionId,
        row!.case_id,
        proposal,
        birthDate,
      ]);
    await expect(decide(session!.session_id, null)).rejects.toThrow(/flagged: two people/);
    // A proposal about another case doesn't count for this one.
    const other = await again();
    await approve(other.second.caseId, "compliance-1");
    await approve(other.second.caseId, "compliance-2");
    const [agreed] = await sql<{ proposal_id: string }>(
      "SELECT proposal_id FROM proposals WHERE kind = 'identity' ORDER BY proposal_id DESC LIMIT 1",
    );
    await expect(decide(session!.session_id, agreed!.proposal_id)).rejects.toThrow(/agreed on something else/);
    const [finance] = await sql<{ session_id: string }>(
      "SELECT session_id FROM operator_sessions JOIN operators USING (operator_id) WHERE login = 'finance-1' AND verified_at IS NOT NULL LIMIT 1",
    );
    await expect(decide(finance!.session_id, null)).rejects.toThrow(/may not decide/);
    for (const change of [
      "UPDATE identity_cases SET state = 'verified'",
      "DELETE FROM identity_cases",
      "DELETE FROM identity_flags",
    ])
      await expect(world().context.databases.console.query(change)).rejects.toThrow(/permission denied/);
    await expect(
      sql("UPDATE identity_cases SET birth_date = birth_date + 1 WHERE case_id = $1", [row!.case_id]),
    ).rejects.toThrow(/keeps what was handed in|is decided once/);
    await expect(sql("DELETE FROM identity_cases WHERE case_id = $1", [row!.case_id])).rejects.toThrow(/refused/);
    await expect(
      world().context.databases.sessions.query("INSERT INTO identity_cases (case_id) VALUES (1)"),
    ).rejects.toThrow(/permission denied/);
    await expect(
      world().context.databases.sessions.query("SELECT document_number FROM identity_cases"),
    ).rejects.toThrow(/permission denied/);
  });
});
