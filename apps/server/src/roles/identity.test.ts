import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdSource, formatId, formatPrefixedId, type MemberId } from "@fairtick/domain";
import type { IdentityCase, IdentityEntry } from "@fairtick/protocol/operator";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DocumentContext, readIdentity, submitBasic, submitDocuments } from "../features/identity/index.ts";
import { readSummaries } from "../features/ledger/index.ts";
import { memberInfo, readVip } from "../features/members/index.ts";
import { createConsoleWorld, type ConsoleWorld } from "./console-world.ts";

let world: ConsoleWorld;
let context: DocumentContext;
let photos: string;
let shade = 0;
const cookies = new Map<string, string>();
const as = (login: string) => cookies.get(login) ?? "";
const told: bigint[] = [];

beforeAll(async () => {
  world = await createConsoleWorld();
  context = { ...world.context, ids: createIdSource({ node: 5, clock: world.context.clock }) };
  photos = mkdtempSync(join(tmpdir(), "fairtick-identity-"));
  world.context.bus.subscribe("identities", ({ members }) => told.push(...members));
  for (const login of ["compliance-1", "compliance-2", "auditor-1", "finance-1", "support-1", "admin-1"])
    cookies.set(login, await world.logIn(login));
});
afterAll(async () => {
  rmSync(photos, { recursive: true, force: true });
  await world.close();
});

const now = () => world.context.clock.now();
const NAME = { familyName: "Silva", givenName: "Ana", gender: "female", birthDate: "1990-05-17" } as const;
const member = async (region = "BR") => (await world.builder.createMember({ region })) as MemberId;
const status = (memberId: MemberId) => readIdentity(context, memberId);

async function photo(memberId: MemberId, purpose: "identity" | "receipt" = "identity"): Promise<string> {
  shade += 1;
  const path = join(photos, `${shade}.png`);
  await sharp({ create: { width: 40, height: 30, channels: 3, background: { r: shade % 255, g: 90, b: 10 } } }).toFile(
    path,
  );
  const stored = await world.files.store(memberId, purpose, path, now());
  if (!stored.ok) throw new Error(stored.refusal.error);
  return stored.value.fileId;
}

let numbers = 0;
async function documents(memberId: MemberId, change: Partial<Parameters<typeof submitDocuments>[2]> = {}) {
  numbers += 1;
  return submitDocuments(context, memberId, {
    documentType: "idCard",
    documentNumber: `AB-${String(numbers).padStart(6, "0")}`,
    frontFileId: await photo(memberId),
    backFileId: await photo(memberId),
    ...change,
  });
}

/** A member with an open case; answers both ids as calls use them. */
async function newCase(change: Parameters<typeof documents>[1] = {}, region = "BR") {
  const id = await member(region);
  expect(await submitBasic(context, id, NAME, now())).toEqual({ ok: true, value: null });
  expect(await documents(id, change)).toEqual({ ok: true, value: null });
  const memberId = formatId("member", id);
  const list = await world.call("identity/list", { limit: "100" }, as("compliance-1"));
  const { items } = list.body.data as { items: IdentityEntry[] };
  const entry = items.find((one) => one.memberId === memberId);
  if (entry === undefined) throw new Error("the case is not in the queue");
  return { id, memberId, caseId: entry.caseId };
}

const approve = (caseId: string, login: string, birthDate: string | undefined = NAME.birthDate) =>
  world.call(
    "identity/approve",
    { caseId, reason: "Photos and data agree", ...(birthDate && { birthDate }) },
    as(login),
  );
const reject = (caseId: string, login: string, reason = "The back is blurred") =>
  world.call("identity/reject", { caseId, reason }, as(login));
const doneOf = (answer: { body: { data: unknown } }) => (answer.body.data as { done?: string }).done;
const detail = async (caseId: string) =>
  (await world.call("identity/detail", { caseId }, as("auditor-1"))).body.data as IdentityCase;
const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.builder.client.query<Row>(text, values)).rows;

describe("name and birth date", () => {
  it("are kept as typed, cleaned, and may be changed until documents come", async () => {
    const id = await member();
    expect(await status(id)).toEqual({
      state: "unverified",
      basic: "unverified",
      real: "unverified",
      face: "closed",
      legalAge: 18,
    });
    await submitBasic(context, id, { ...NAME, familyName: "  da   Silva " }, now());
    await submitBasic(context, id, { ...NAME, familyName: "da  Silva", birthDate: "1990-05-18" }, now());
    expect(await status(id)).toMatchObject({
      state: "unverified",
      basic: "pending",
      person: { familyName: "da Silva", givenName: "Ana", birthDate: "1990-05-18" },
    });
  });

  it.each([
    ["a name without letters", { familyName: "123" }, { fields: { familyName: "FIELD_INVALID" } }],
    ["a day to come", { birthDate: "2199-01-01" }, { fields: { birthDate: "FIELD_INVALID" } }],
    ["a zone that is none", { timeZone: "Mars/Base" }, { fields: { timeZone: "FIELD_INVALID" } }],
    ["somebody under age", { birthDate: "2015-01-01" }, { error: "UNDER_AGE", params: { min: 18 } }],
  ])("refuse %s", async (_what, change, refusal) => {
    expect(await submitBasic(context, await member(), { ...NAME, ...change }, now())).toMatchObject({ refusal });
  });

  it("ask for the age of the region's law, and count days where the member is", async () => {
    const late = BigInt(Date.parse("2026-11-20T20:00:00Z")) as ReturnType<typeof now>;
    const born = { ...NAME, birthDate: "2008-11-21" };
    const id = await member();
    expect(await submitBasic(context, id, { ...born, timeZone: "America/Sao_Paulo" }, late)).toMatchObject({
      refusal: { error: "UNDER_AGE" },
    });
    expect(await submitBasic(context, id, { ...born, timeZone: "Asia/Tokyo" }, late)).toMatchObject({ ok: true });
  });
});

describe("documents", () => {
  it("make a case that waits, once", async () => {
    const { id } = await newCase();
    expect(await status(id)).toMatchObject({ state: "pending", basic: "pending", real: "pending" });
    expect(await documents(id)).toMatchObject({ refusal: { error: "IDENTITY_PENDING" } });
    expect(await submitBasic(context, id, NAME, now())).toMatchObject({ refusal: { error: "IDENTITY_PENDING" } });
  });

  it("sent twice at one moment make one case", async () => {
    const id = await member();
    await submitBasic(context, id, NAME, now());
    const answers = await Promise.all([documents(id), documents(id), documents(id)]);
    expect(answers.filter(({ ok }) => ok).length).toBe(1);
    expect((await sql("SELECT 1 FROM identity_cases WHERE member_id = $1", [String(id)])).length).toBe(1);
  });

  it("are refused without a name, with a number that is none, and with photos that are not his own for this", async () => {
    const id = await member();
    expect(await documents(id)).toMatchObject({
      refusal: { error: "FIELD_MISSING", fields: { familyName: "FIELD_MISSING" } },
    });
    await submitBasic(context, id, NAME, now());
    const other = await member();
    const mine = await photo(id);
    const invalid = (field: string) => ({ refusal: { error: "FIELD_INVALID", fields: { [field]: "FIELD_INVALID" } } });
    expect(await documents(id, { documentNumber: "no-digits" })).toMatchObject(invalid("documentNumber"));
    expect(await documents(id, { frontFileId: mine, backFileId: mine })).toMatchObject(invalid("backFileId"));
    expect(await documents(id, { frontFileId: await photo(other) })).toMatchObject(invalid("frontFileId"));
    expect(await documents(id, { backFileId: await photo(id, "receipt") })).toMatchObject(invalid("backFileId"));
    expect(await documents(id, { backFileId: "fil_nothing" })).toMatchObject(invalid("backFileId"));
    // Nothing of a refused attempt stays: the front photo is free for the next one.
    expect(await documents(id, { frontFileId: mine })).toMatchObject({ ok: true });
  });

  it("keep the number from whoever reads the table", async () => {
    const { caseId } = await newCase({ documentNumber: "SECRET-778899" });
    const [row] = await sql<{ text: string }>(
      "SELECT encode(document_number, 'escape') || encode(number_hash, 'escape') AS text FROM identity_cases ORDER BY case_id DESC LIMIT 1",
    );
    expect(row!.text).not.toContain("778899");
    expect((await detail(caseId)).documentNumber).toBe("SECRET778899");
  });
});

describe("a decision", () => {
  it("verifies: the member is told, his credit score has its part, and nothing is handed in any more", async () => {
    const { id, caseId } = await newCase();
    told.length = 0;
    expect(doneOf(await approve(caseId, "compliance-1"))).toBe("verified");
    expect(told).toEqual([id]);
    const messages = await sql<{ message_key: string }>(
      "SELECT message_key FROM member_messages WHERE member_id = $1 ORDER BY message_id",
      [String(id)],
    );
    expect(messages.map(({ message_key: key }) => key)).toEqual(["identitySubmitted", "identityVerified"]);
    expect(await status(id)).toMatchObject({ state: "verified", basic: "verified", real: "verified" });
    expect(await memberInfo(context, id, now())).toMatchObject({ identityState: "verified" });
    const [summary] = await readSummaries(context, id, now());
    expect(summary).toMatchObject({ creditScore: 110, identityState: "verified" });
    expect(summary!.creditParts).toContainEqual({ reason: "identityVerified", points: 10 });
    expect(await documents(id)).toMatchObject({ refusal: { error: "CONFLICT" } });
    expect((await approve(caseId, "compliance-2")).status).toBe(409);
    expect((await reject(caseId, "compliance-2")).status).toBe(409);
  });

  it("rejects with a reason that the member reads, and he hands in again", async () => {
    const { id, caseId } = await newCase();
    expect(doneOf(await reject(caseId, "compliance-1"))).toBe("rejected");
    expect(await status(id)).toMatchObject({ state: "rejected", basic: "rejected", reason: "The back is blurred" });
    expect((await readSummaries(context, id, now()))[0]).toMatchObject({ creditScore: 100, identityState: "rejected" });
    expect(await submitBasic(context, id, NAME, now())).toMatchObject({ ok: true });
    expect(await status(id)).toMatchObject({ state: "rejected", basic: "pending" });
    expect(await documents(id)).toMatchObject({ ok: true });
    const after = await status(id);
    expect(after).toMatchObject({ state: "pending" });
    expect(after.reason).toBeUndefined();
  });

  it("is compliance's alone, and needs the birth date off the document", async () => {
    const { caseId } = await newCase();
    expect((await approve(caseId, "finance-1")).status).toBe(403);
    expect((await approve(caseId, "auditor-1")).status).toBe(403);
    expect(
      (await world.call("identity/approve", { caseId, reason: "looks right" }, as("compliance-1"))).body.data,
    ).toMatchObject({
      error: "FIELD_MISSING",
    });
    expect((await approve("idn_0000000000000", "compliance-1")).status).toBe(404);
  });
});

describe("a flagged case", () => {
  const again = async () => {
    const number = `DUP-${Math.trunc(performance.now() * 1e3)}`;
    const first = await newCase({ documentNumber: number });
    const second = await newCase({ documentNumber: number.replace("-", " ").toLowerCase() });
    return { first, second };
  };

  it("is one whose number another member has handed in: two people verify it", async () => {
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

  it("goes back to the queue where the second person declines", async () => {
    const { second } = await again();
    expect(doneOf(await reject(second.caseId, "compliance-1", "Somebody else's document"))).toBe("proposed");
    expect(doneOf(await approve(second.caseId, "compliance-2"))).toBe("declined");
    expect(await detail(second.caseId)).toMatchObject({ state: "pending", waiting: null });
    expect(doneOf(await reject(second.caseId, "compliance-2", "Somebody else's document"))).toBe("proposed");
    expect(doneOf(await reject(second.caseId, "compliance-1", "Agreed"))).toBe("rejected");
    expect(await status(second.id)).toMatchObject({ state: "rejected", reason: "Somebody else's document" });
  });

  it("is also one whose document bears another birth date", async () => {
    const { id, caseId } = await newCase();
    expect(doneOf(await approve(caseId, "compliance-1", "1990-05-18"))).toBe("proposed");
    expect(await detail(caseId)).toMatchObject({ flags: ["birth_date"], waiting: { verdict: "verified" } });
    expect(doneOf(await approve(caseId, "compliance-2"))).toBe("verified");
    expect(await detail(caseId)).toMatchObject({ birthDate: "1990-05-17", documentBirthDate: "1990-05-18" });
    expect(await status(id)).toMatchObject({ state: "verified" });
    const child = await newCase();
    expect((await approve(child.caseId, "compliance-1", "2015-05-18")).body.data).toMatchObject({ error: "UNDER_AGE" });
  });

  it("is also one whose member paid from an account of another name", async () => {
    /** A remittance that was matched to the member's deposit. */
    const paidBy = async (memberId: MemberId, debtor: string) => {
      shade += 1;
      const at = String(shade);
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
      world.context.databases.console.query(
        "SELECT decide_identity($1, $2, NULL, 'verified', '1990-05-17', 'because')",
        [session!.session_id, session!.case_id],
      ),
    ).rejects.toThrow(/transfer from another name/);
    expect(doneOf(await approve(other.caseId, "compliance-1"))).toBe("proposed");
    expect(await detail(other.caseId)).toMatchObject({ flags: ["payer_name"] });
    expect(doneOf(await approve(other.caseId, "compliance-2"))).toBe("verified");
  });

  it("is not decided by one person whatever the program says", async () => {
    const { second } = await again();
    const [row] = await sql<{ case_id: string }>("SELECT case_id FROM identity_cases WHERE member_id = $1", [
      String(second.id),
    ]);
    const [session] = await sql<{ session_id: string }>(
      `SELECT session_id FROM operator_sessions JOIN operators USING (operator_id)
       WHERE login = 'compliance-1' AND verified_at IS NOT NULL AND ended_at IS NULL ORDER BY session_id DESC LIMIT 1`,
    );
    const decide = (sessionId: string, proposal: string | null, birthDate: string | null = "1990-05-17") =>
      world.context.databases.console.query("SELECT decide_identity($1, $2, $3, 'verified', $4, 'because')", [
        sessionId,
        row!.case_id,
        proposal,
        birthDate,
      ]);
    await expect(decide(session!.session_id, null)).rejects.toThrow(/flagged: two people/);
    // A proposal about another case is none about this one.
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
      await expect(world.context.databases.console.query(change)).rejects.toThrow(/permission denied/);
    await expect(
      sql("UPDATE identity_cases SET birth_date = birth_date + 1 WHERE case_id = $1", [row!.case_id]),
    ).rejects.toThrow(/keeps what was handed in|is decided once/);
    await expect(sql("DELETE FROM identity_cases WHERE case_id = $1", [row!.case_id])).rejects.toThrow(/refused/);
    await expect(
      world.context.databases.sessions.query("INSERT INTO identity_cases (case_id) VALUES (1)"),
    ).rejects.toThrow(/permission denied/);
    await expect(world.context.databases.sessions.query("SELECT document_number FROM identity_cases")).rejects.toThrow(
      /permission denied/,
    );
  });
});

describe("the photos of a case", () => {
  it("are seen by compliance, each look with its row of the audit trail", async () => {
    const { caseId } = await newCase();
    const other = await newCase();
    const { frontFileId, backFileId } = await detail(caseId);
    for (const fileId of [frontFileId, backFileId])
      expect((await world.call("identity/viewFile", { caseId, fileId }, as("compliance-2"))).status).toBe(200);
    expect((await world.call("identity/viewFile", { caseId, fileId: frontFileId }, as("finance-1"))).status).toBe(403);
    const foreign = { caseId: other.caseId, fileId: frontFileId };
    expect((await world.call("identity/viewFile", foreign, as("compliance-2"))).status).toBe(404);
    const trail = await sql<{ login: string; outcome: string; detail: string }>(
      "SELECT login, outcome, detail FROM audit_trail JOIN operators USING (operator_id) WHERE action = 'identity/viewFile' AND subject = $1 ORDER BY audit_no",
      [caseId],
    );
    expect(trail.map(({ login, outcome }) => [login, outcome])).toEqual([
      ["compliance-2", "done"],
      ["compliance-2", "done"],
      ["finance-1", "FORBIDDEN"],
    ]);
    expect(trail[0]!.detail).toContain(frontFileId);
  });

  it("and the birth date that was read off them is in no row of it", async () => {
    const { caseId } = await newCase();
    await approve(caseId, "compliance-1");
    const [row] = await sql<{ detail: string }>(
      "SELECT detail FROM audit_trail WHERE action = 'identity/approve' AND subject = $1",
      [caseId],
    );
    expect(row!.detail).toBe(JSON.stringify({ caseId }));
  });
});

describe("the people of a verified member", () => {
  const assign = (memberId: string, operatorId: string | undefined, login = "support-1", post = "manager") =>
    world.call(
      "member/assignVip",
      { memberId, post, reason: "Asked for it", ...(operatorId && { operatorId }) },
      as(login),
    );
  const infoOf = async (id: MemberId) => readVip(world.context.databases.sessions, id);

  it("are assigned by operators, from those of support who say when they are there, and shown with their hours", async () => {
    const { id, memberId, caseId } = await newCase();
    const people = async () =>
      (await world.call("vip/list", {}, as("auditor-1"))).body.data as {
        operatorId: string;
        login: string;
        hours: string;
      }[];
    const [support] = await people();
    expect(support).toMatchObject({ login: "support-1", hours: null });
    const { operatorId } = support!;
    // Not yet verified; then verified, yet his hours are not known.
    expect((await assign(memberId, operatorId)).status).toBe(409);
    await approve(caseId, "compliance-1");
    expect((await assign(memberId, operatorId)).status).toBe(409);
    expect((await world.call("vip/setHours", { hours: "always" }, as("support-1"))).status).toBe(400);
    expect((await world.call("vip/setHours", { hours: "Mo-Fr 08:00-16:00" }, as("support-1"))).status).toBe(200);
    expect((await people())[0]).toMatchObject({ hours: "Mo-Fr 08:00-16:00" });
    expect(await infoOf(id)).toBeNull();
    told.length = 0;
    expect((await assign(memberId, operatorId)).status).toBe(200);
    expect(told).toEqual([id]);
    expect(await infoOf(id)).toEqual({ manager: { name: "support-1", hours: "Mo-Fr 08:00-16:00" } });
    expect((await assign(memberId, operatorId, "admin-1", "analyst")).status).toBe(200);
    expect((await assign(memberId, operatorId, "compliance-1")).status).toBe(403);
    const detailed = (await world.call("member/detail", { memberId }, as("support-1"))).body.data;
    expect(detailed).toMatchObject({
      identityState: "verified",
      manager: { login: "support-1" },
      analyst: { login: "support-1" },
    });
    expect((await assign(memberId, undefined)).status).toBe(200);
    expect(await infoOf(id)).toEqual({ analyst: { name: "support-1", hours: "Mo-Fr 08:00-16:00" } });
  });

  it("are of support, and nobody else's", async () => {
    const { memberId, caseId } = await newCase();
    await approve(caseId, "compliance-1");
    const [finance] = await sql<{ operator_id: string }>("SELECT operator_id FROM operators WHERE login = 'finance-1'");
    expect((await assign(memberId, formatPrefixedId("opr", BigInt(finance!.operator_id)))).status).toBe(409);
    expect((await assign(memberId, "opr_nobody")).status).toBe(404);
  });
});

describe("the files of a member", () => {
  it("are listed for operators with what they belong to", async () => {
    const { memberId, caseId } = await newCase();
    const list = (await world.call("member/files", { memberId }, as("support-1"))).body.data as {
      purpose: string;
      claimedBy: string;
    }[];
    expect(list.map(({ purpose, claimedBy }) => [purpose, claimedBy])).toEqual([
      ["identity", caseId],
      ["identity", caseId],
    ]);
  });
});
