import type { DocumentType, IdentityState, Instant, MemberId } from "@fairtick/domain";
import type { Identity } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { legalAgeOf } from "../regions/index.ts";

type StatusRow = StatusFacts & (BasicFacts | NoBasics) & (DocumentFacts | NoDocument);

interface BasicFacts {
  readonly family_name: string;
  readonly given_name: string;
  readonly gender: "male" | "female";
  readonly birth_date: string;
  readonly basics_at: bigint;
}

type NoBasics = Readonly<Record<"family_name" | "given_name" | "gender" | "birth_date" | "basics_at", null>>;

/** Facts of the case that decides the member's state: the verified one, otherwise the newest. */
interface DocumentFacts {
  readonly state: string;
  readonly document_type: DocumentType;
  readonly submitted_at: bigint;
}

type NoDocument = Readonly<Record<"state" | "document_type" | "submitted_at", null>>;

interface StatusFacts {
  readonly region: string;
  /** Null if nothing was submitted. */
  readonly shown: IdentityState | null;
  readonly reason: string | null;
  readonly decided_at: Instant | null;
  readonly expires_on: string | null;
  readonly renewal_opens: boolean;
  /** State of the newest case, if it came after the verified one. */
  readonly newer_state: string | null;
  readonly newer_reason: string | null;
  readonly newer_at: bigint | null;
}

/** Reads the state of a member's identity check. Throws if there is no such member, since only members have sessions. */
export async function readIdentity({ databases }: Pick<Context, "databases">, memberId: MemberId): Promise<Identity> {
  const [row] = await databases.sessions.query<StatusRow>(
    `SELECT m.region, b.family_name, b.given_name, b.gender, b.birth_date::text AS birth_date, b.submitted_at AS basics_at,
       identity_state(m.member_id) AS shown, c.state, coalesce(c.end_reason, c.reason) AS reason, c.document_type, c.submitted_at, c.decided_at,
       c.document_expires::text AS expires_on, renewal_opens(c.document_expires) AS renewal_opens,
       n.state AS newer_state, n.reason AS newer_reason, n.submitted_at AS newer_at
     FROM members m LEFT JOIN identity_basics b USING (member_id)
     LEFT JOIN LATERAL (SELECT case_id, state, reason, document_type, submitted_at, decided_at, document_expires, end_reason FROM identity_cases
       WHERE member_id = m.member_id ORDER BY state = 'verified' DESC, case_id DESC LIMIT 1) c ON true
     LEFT JOIN LATERAL (SELECT state, reason, submitted_at FROM identity_cases
       WHERE member_id = m.member_id AND c.state = 'verified' AND case_id > c.case_id ORDER BY case_id DESC LIMIT 1) n ON true
     WHERE m.member_id = $1`,
    [memberId],
  );
  if (row === undefined) throw new Error("a session belongs to no member");
  const state = row.shown ?? "unverified";
  return {
    state,
    basic: basicState(row, state),
    real: state,
    face: "closed",
    ...(state === "rejected" && row.reason !== null && { reason: row.reason }),
    ...((row.state === "revoked" || row.state === "expired") && { ended: row.state }),
    ...(row.expires_on !== null && { expiresOn: row.expires_on }),
    ...(state === "verified" && row.renewal_opens && { renewal: renewalOf(row) }),
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
        submittedAt: Number(row.newer_state === "pending" ? row.newer_at : row.submitted_at),
        decidedAt: row.decided_at === null ? null : Number(row.decided_at),
      },
    }),
    legalAge: await legalAgeOf(databases.sessions, row.region),
  };
}

function renewalOf({ newer_state: state, newer_reason: reason }: StatusRow): NonNullable<Identity["renewal"]> {
  if (state === "pending") return { state };
  return state === "rejected" && reason !== null ? { state, reason } : { state: "due" };
}

/**
 * Returns the state of the name and birth date. They are pending until they are checked together with the document, and again
 * after the member corrects them.
 */
function basicState(row: StatusRow, state: IdentityState): Identity["basic"] {
  const { family_name: name, basics_at: at, decided_at: decidedAt } = row;
  if (name === null) return "unverified";
  if (state === "verified") return "verified";
  return state === "rejected" && decidedAt !== null && at <= decidedAt ? "rejected" : "pending";
}
