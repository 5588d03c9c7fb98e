import { listDecisions } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import { formatOperatorId } from "./operator-rows.ts";

/** Reads who decided a case with one of these verbs (such as `reject`), oldest first, each with the reason given. */
export async function readDecided(db: Queryable, subject: string, verbs: readonly string[]) {
  const decisions = await listDecisions(db, subject);
  return decisions.flatMap(({ operatorId, login, name, at, action, reason }) => {
    const what = action.split("/").at(-1) ?? action;
    const by = { operatorId: formatOperatorId(operatorId), login, name };
    return verbs.includes(what) ? [{ by, at: Number(at), what, reason }] : [];
  });
}
