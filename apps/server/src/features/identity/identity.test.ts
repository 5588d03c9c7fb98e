import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { submitBasic } from "./index.ts";
import { identityWorld, NAME } from "../../testing/identity-world.ts";

const desk = identityWorld();
const { world, context, as, now, member, status, photo, documents, newCase, approve, detail, sql } = desk;
beforeAll(() => desk.open());
afterAll(() => desk.close());

describe("name and birth date", () => {
  it("are kept as typed, cleaned, and can be changed until documents are submitted", async () => {
    const id = await member();
    expect(await status(id)).toEqual({
      state: "unverified",
      basic: "unverified",
      real: "unverified",
      face: "closed",
      legalAge: 18,
    });
    await submitBasic(context(), id, { ...NAME, familyName: "  da   Silva " }, now());
    await submitBasic(context(), id, { ...NAME, familyName: "da  Silva", birthDate: "1990-05-18" }, now());
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
    expect(await submitBasic(context(), await member(), { ...NAME, ...change }, now())).toMatchObject({ refusal });
  });

  it("must meet the legal age of the member's region, on the date in the member's time zone", async () => {
    const late = BigInt(Date.parse("2026-11-20T20:00:00Z")) as ReturnType<typeof now>;
    const born = { ...NAME, birthDate: "2008-11-21" };
    const id = await member();
    expect(await submitBasic(context(), id, { ...born, timeZone: "America/Sao_Paulo" }, late)).toMatchObject({
      refusal: { error: "UNDER_AGE" },
    });
    expect(await submitBasic(context(), id, { ...born, timeZone: "Asia/Tokyo" }, late)).toMatchObject({ ok: true });
  });
});

describe("documents", () => {
  it("open one waiting case", async () => {
    const { id } = await newCase();
    expect(await status(id)).toMatchObject({ state: "pending", basic: "pending", real: "pending" });
    expect(await documents(id)).toMatchObject({ refusal: { error: "IDENTITY_PENDING" } });
    expect(await submitBasic(context(), id, NAME, now())).toMatchObject({ refusal: { error: "IDENTITY_PENDING" } });
  });

  it("sent twice at the same time open one case", async () => {
    const id = await member();
    await submitBasic(context(), id, NAME, now());
    const answers = await Promise.all([documents(id), documents(id), documents(id)]);
    expect(answers.filter(({ ok }) => ok).length).toBe(1);
    expect((await sql("SELECT 1 FROM identity_cases WHERE member_id = $1", [String(id)])).length).toBe(1);
  });

  it("are refused without a name, with an invalid number, or with photos that aren't the member's own for this purpose", async () => {
    const id = await member();
    expect(await documents(id)).toMatchObject({
      refusal: { error: "FIELD_MISSING", fields: { familyName: "FIELD_MISSING" } },
    });
    await submitBasic(context(), id, NAME, now());
    const other = await member();
    const mine = await photo(id);
    const invalid = (field: string) => ({ refusal: { error: "FIELD_INVALID", fields: { [field]: "FIELD_INVALID" } } });
    expect(await documents(id, { documentNumber: "no-digits" })).toMatchObject(invalid("documentNumber"));
    expect(await documents(id, { frontFileId: await photo(other) })).toMatchObject(invalid("frontFileId"));
    expect(await documents(id, { backFileId: await photo(id, "receipt") })).toMatchObject(invalid("backFileId"));
    expect(await documents(id, { backFileId: "fil_nothing" })).toMatchObject(invalid("backFileId"));
    // Nothing of a refused attempt stays: the front photo is free for the next one.
    expect(await documents(id, { frontFileId: mine })).toMatchObject({ ok: true });
  });

  it("are refused with one picture as both sides, even if uploaded twice", async () => {
    const id = await member();
    await submitBasic(context(), id, NAME, now());
    const front = await photo(id, "identity", 10);
    const again = await photo(id, "identity", 10);
    const same = { refusal: { error: "SAME_PICTURE", fields: { backFileId: "SAME_PICTURE" } } };
    expect(await documents(id, { frontFileId: front, backFileId: front })).toMatchObject(same);
    expect(await documents(id, { frontFileId: front, backFileId: again })).toMatchObject(same);
    // Nothing of that stays: the front photo is free for the next attempt.
    expect(await documents(id, { frontFileId: front })).toMatchObject({ ok: true });
  });

  it("store the number encrypted in the table", async () => {
    const { caseId } = await newCase({ documentNumber: "SECRET-778899" });
    const [row] = await sql<{ text: string }>(
      "SELECT encode(document_number, 'escape') || encode(number_hash, 'escape') AS text FROM identity_cases ORDER BY case_id DESC LIMIT 1",
    );
    expect(row!.text).not.toContain("778899");
    expect((await detail(caseId)).documentNumber).toBe("SECRET778899");
  });
});

describe("the photos of a case", () => {
  it("are shown to compliance, and each view is in the audit trail", async () => {
    const { caseId } = await newCase();
    const other = await newCase();
    const { frontFileId, backFileId } = await detail(caseId);
    for (const fileId of [frontFileId, backFileId])
      expect((await world().call("identity/viewFile", { caseId, fileId }, as("compliance-2"))).status).toBe(200);
    expect((await world().call("identity/viewFile", { caseId, fileId: frontFileId }, as("finance-1"))).status).toBe(
      403,
    );
    const foreign = { caseId: other.caseId, fileId: frontFileId };
    expect((await world().call("identity/viewFile", foreign, as("compliance-2"))).status).toBe(404);
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

  it("don't bring the document's birth date into the audit trail", async () => {
    const { caseId } = await newCase();
    await approve(caseId, "compliance-1");
    const [row] = await sql<{ detail: string }>(
      "SELECT detail FROM audit_trail WHERE action = 'identity/approve' AND subject = $1",
      [caseId],
    );
    expect(row!.detail).toBe(JSON.stringify({ caseId }));
  });
});

describe("the files of a member", () => {
  it("are listed for operators with what they belong to", async () => {
    const { memberId, caseId } = await newCase();
    const list = (await world().call("member/files", { memberId }, as("support-1"))).body.data as {
      purpose: string;
      claimedBy: string;
    }[];
    expect(list.map(({ purpose, claimedBy }) => [purpose, claimedBy])).toEqual([
      ["identity", caseId],
      ["identity", caseId],
    ]);
  });
});
