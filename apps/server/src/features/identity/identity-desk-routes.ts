import { accept, refuse } from "@fairtick/domain";
import {
  identityApprove,
  identityDetail,
  identityKeep,
  identityList,
  identityReject,
  identityRevoke,
  identityViewFile,
} from "@fairtick/protocol/operator";
import { type OperatorRoute, operatorRoute, type OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import { FileAnswer } from "../../platform/http/index.ts";
import { releaseTake } from "../case-takes/index.ts";
import { type FileStore, findFile } from "../files/index.ts";
import type { OperatorContext } from "../operators/index.ts";
import { decideCase } from "./decide-case.ts";
import { announceIdentity } from "./identity-routes.ts";
import { findCase, listCases, readCase } from "./read-cases.ts";
import { keepIdentity, revokeIdentity } from "./revoke-identity.ts";
import { formatCaseId } from "./submit-documents.ts";

/** Routes for compliance's queue of identity cases. Each call, including each view of a photo, is recorded in the audit trail. */
export function identityDeskRoutes(context: OperatorContext, files: FileStore): OperatorRoute[] {
  return [
    operatorRoute(identityList, ({ db, input }) => listCases(db, input)),
    operatorRoute(identityDetail, ({ db, input }) => readCase(db, input.caseId, context.config.secret)),
    operatorRoute(identityViewFile, async ({ db, input }) => {
      const row = await findCase(db, input.caseId);
      const file = await findFile(db, input.fileId);
      if (row === null || file?.claimedBy !== formatCaseId(row.case_id)) return refuse("NOT_FOUND");
      return accept(new FileAnswer(files.open(file), "image/jpeg", `${input.fileId}.jpg`));
    }),
    operatorRoute(identityRevoke, async ({ db, session, input, afterCommit }) => {
      const decided = await revokeIdentity(context, db, session, input);
      if (!decided.ok) return decided;
      await finish(db, session, input);
      const { memberId, done } = decided.value;
      if (done === "revoked") afterCommit(() => announceIdentity(context, memberId));
      return accept({ done });
    }),
    operatorRoute(identityKeep, async ({ db, session, input }) => {
      const kept = await keepIdentity(db, session, input);
      if (!kept.ok) return kept;
      await finish(db, session, input);
      return accept({ done: kept.value.done });
    }),
    ...([identityApprove, identityReject] as const).map((call) =>
      operatorRoute(call, async ({ db, session, input, now, afterCommit }) => {
        const verdict = call === identityApprove ? "verified" : "rejected";
        const decided = await decideCase(context, db, session, { ...input, verdict }, now);
        if (!decided.ok) return decided;
        await finish(db, session, input);
        const { memberId, done } = decided.value;
        if (done === "verified" || done === "rejected") afterCommit(() => announceIdentity(context, memberId));
        return accept({ done });
      }),
    ),
  ];
}

/** Ends the operator's take of a case once they have done their part. */
function finish(db: Queryable, session: OperatorSession, { caseId }: { readonly caseId: string }): Promise<void> {
  return releaseTake(db, session, { queue: "identities", caseNo: caseId });
}
