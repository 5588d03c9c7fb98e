import type { DocumentType, Instant, MemberId } from "@fairtick/domain";
import type { Identity } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { legalAgeOf } from "../regions/index.ts";

interface StatusRow {
  readonly region: string;
  readonly family_name: string | null;
  readonly given_name: string;
  readonly gender: "male" | "female";
  readonly birth_date: string;
  readonly basics_at: bigint;
  readonly state: "pending" | "verified" | "rejected" | null;
  readonly reason: string | null;
  readonly document_type: DocumentType;
  readonly submitted_at: bigint;
  readonly decided_at: Instant | null;
}

/** Where a member's identity check stands. Throws for an id that is no member's: sessions exist for members only. */
export async function readIdentity({ databases }: Pick<Context, "databases">, memberId: MemberId): Promise<Identity> {
  const [row] = await databases.sessions.query<StatusRow>(
    `SELECT m.region, b.family_name, b.given_name, b.gender, b.birth_date::text AS birth_date, b.submitted_at AS basics_at,
       c.state, c.reason, c.document_type, c.submitted_at, c.decided_at
     FROM members m LEFT JOIN identity_basics b USING (member_id)
     LEFT JOIN LATERAL (SELECT * FROM (SELECT case_id, state, reason, document_type, submitted_at, decided_at FROM identity_cases
       WHERE member_id = m.member_id ORDER BY case_id DESC LIMIT 1) newest) c ON true
     WHERE m.member_id = $1`,
    [memberId],
  );
  if (row === undefined) throw new Error("a session belongs to no member");
  const real = row.state ?? "unverified";
  return {
    state: real,
    basic: basicState(row),
    real,
    face: "closed",
    ...(row.state === "rejected" && row.reason !== null && { reason: row.reason }),
    ...(row.family_name !== null && {
      person: {
        familyName: row.family_name,
        givenName: row.given_name,
        gender: row.gender,
        birthDate: row.birth_date,
        submittedAt: Number(row.basics_at),
      },
    }),
    ...(row.state !== null && {
      document: {
        documentType: row.document_type,
        submittedAt: Number(row.submitted_at),
        decidedAt: row.decided_at === null ? null : Number(row.decided_at),
      },
    }),
    legalAge: await legalAgeOf(databases.sessions, row.region),
  };
}

/** What a member handed in, for his archive: each case with what became of it. The number stays sealed. */
export async function listOwnCases({ databases }: Pick<Context, "databases">, memberId: MemberId) {
  const rows = await databases.sessions.query<{
    document_type: DocumentType;
    submitted_at: Instant;
    state: string;
    decided_at: Instant | null;
    reason: string | null;
  }>(
    `SELECT document_type, submitted_at, state, decided_at, CASE state WHEN 'rejected' THEN reason END AS reason
     FROM identity_cases WHERE member_id = $1 ORDER BY case_id`,
    [memberId],
  );
  return rows.map((row) => ({
    documentType: row.document_type,
    submittedAt: row.submitted_at,
    state: row.state,
    decidedAt: row.decided_at,
    reason: row.reason,
  }));
}

/** Name and birth date are checked against the document, together with it: until then they wait. Corrected ones wait anew. */
function basicState({ family_name: name, state, basics_at: at, decided_at: decidedAt }: StatusRow): Identity["basic"] {
  if (name === null) return "unverified";
  if (state === "verified") return "verified";
  return state === "rejected" && decidedAt !== null && at <= decidedAt ? "rejected" : "pending";
}
