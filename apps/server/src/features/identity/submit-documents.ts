import {
  accept,
  cleanDocumentNumber,
  type DocumentType,
  type ErrorName,
  formatPrefixedId,
  type IdSource,
  type MemberId,
  refuse,
  type Refusal,
  type Verdict,
} from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { claimFile, parseFileId } from "../files/index.ts";
import { tellMember } from "../notices/index.ts";
import { hashNumber, sealNumber } from "./document-number.ts";

export interface DocumentWish {
  readonly documentType: DocumentType;
  readonly documentNumber: string;
  readonly frontFileId: string;
  readonly backFileId: string;
}

export interface DocumentContext extends Pick<Context, "databases" | "config"> {
  readonly ids: IdSource;
}

export const formatCaseId = (id: bigint): string => formatPrefixedId("idn", id);

/** Thrown to roll back the transaction and return the refusal. */
class Undone extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.error);
    this.refusal = refusal;
  }
}

/**
 * Opens a case with a document's number, its two photos, and the name and birth date that the member has already submitted.
 * Refuses FIELD_INVALID for an invalid number, or a photo that isn't the member's own upload for this purpose or belongs to
 * another case; SAME_PICTURE if both photos are the same, even if uploaded twice; FIELD_MISSING without a name;
 * IDENTITY_PENDING while a case is open; CONFLICT once verified, until the document's last day is near.
 */
export async function submitDocuments(
  { databases, config, ids }: DocumentContext,
  memberId: MemberId,
  wish: DocumentWish,
): Promise<Verdict<null>> {
  const number = cleanDocumentNumber(wish.documentNumber);
  if (number === null) return invalid("documentNumber");
  const [front, back] = [parseFileId(wish.frontFileId), parseFileId(wish.backFileId)];
  if (front === null) return invalid("frontFileId");
  if (back === null) return invalid("backFileId");
  if (front === back) return refuse("SAME_PICTURE", undefined, { backFileId: "SAME_PICTURE" });
  const caseId = ids.next();
  try {
    await databases.sessions.transaction(async (db) => {
      const [row] = await db.query<{ refusal: ErrorName | null }>(
        "SELECT submit_identity_documents($1, $2, $3, $4, $5, $6, $7) AS refusal",
        [
          caseId,
          memberId,
          wish.documentType,
          sealNumber(number, config.secret, caseId),
          hashNumber(number, config.secret),
          front,
          back,
        ],
      );
      if (row?.refusal === "FIELD_MISSING")
        throw new Undone({ error: row.refusal, fields: { familyName: row.refusal } });
      if (row?.refusal) throw new Undone({ error: row.refusal });
      await takePhotos(db, memberId, wish, formatCaseId(caseId));
      if (await showTheSame(db, front, back))
        throw new Undone({ error: "SAME_PICTURE", fields: { backFileId: "SAME_PICTURE" } });
      await tellMember(db, memberId, "identitySubmitted", {});
    });
    return accept(null);
  } catch (fault) {
    if (fault instanceof Undone) return { ok: false, refusal: fault.refusal };
    throw fault;
  }
}

function invalid(field: keyof DocumentWish): Verdict<never> {
  return refuse("FIELD_INVALID", undefined, { [field]: "FIELD_INVALID" });
}

async function takePhotos(db: Queryable, memberId: MemberId, wish: DocumentWish, subject: string): Promise<void> {
  for (const field of ["frontFileId", "backFileId"] as const) {
    const taken = await claimFile(db, memberId, wish[field], "identity", subject);
    if (!taken) throw new Undone({ error: "FIELD_INVALID", fields: { [field]: "FIELD_INVALID" } });
  }
}

/** Returns whether both files show the same picture. Pictures are re-encoded, so the digest doesn't depend on their metadata. */
async function showTheSame(db: Queryable, front: bigint, back: bigint): Promise<boolean> {
  const rows = await db.query("SELECT DISTINCT digest FROM files WHERE file_id IN ($1, $2)", [front, back]);
  return rows.length === 1;
}
