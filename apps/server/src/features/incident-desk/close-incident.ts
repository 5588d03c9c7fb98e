import { accept, refuse, type Verdict } from "@fairtick/domain";
import type { Incident } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import type { Queryable } from "../../platform/database.ts";
import { decideProposal, makeProposal, type OperatorContext } from "../operators/index.ts";
import { parseIncidentId, readIncident } from "./list-incidents.ts";

const KIND = "incident";

interface Body {
  readonly incidentId: string;
  /** Hash of what the incident said when the proposal was made. If it says more later, the proposal can't be approved. */
  readonly seen: string;
}

interface Wish {
  readonly incidentId: string;
  readonly reason: string;
}

/** Closes an incident that blocks nothing. Refuses NOT_FOUND, and CONFLICT if it is closed or takes two people. */
export async function closeIncident(
  { config }: Pick<OperatorContext, "config">,
  db: Queryable,
  session: OperatorSession,
  { incidentId: id, reason }: Wish,
): Promise<Verdict<Incident>> {
  const open = await readOpen(db, config.chains, id);
  if (!open.ok) return open;
  if (open.value.holds.length > 0) return refuse("CONFLICT");
  const [row] = await db.query<{ done: boolean }>("SELECT close_incident($1, $2, $3) AS done", [
    session.sessionId,
    parseIncidentId(id),
    reason,
  ]);
  return row?.done === true ? readIncident(db, config.chains, parseIncidentId(id)) : refuse("CONFLICT");
}

/**
 * Proposes to close an incident that blocks something. Refuses NOT_FOUND, and CONFLICT if it is closed, blocks nothing or has a
 * waiting proposal.
 */
export async function proposeLift(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  { incidentId: id, reason }: Wish,
): Promise<Verdict<Incident>> {
  const { chains } = context.config;
  const open = await readOpen(db, chains, id);
  if (!open.ok) return open;
  const incidentId = parseIncidentId(id);
  if (open.value.holds.length === 0 || open.value.proposal?.state === "waiting") return refuse("CONFLICT");
  const [said] = await db.query<{ seen: string }>(
    "SELECT incident_seen(i) AS seen FROM incidents i WHERE incident_id = $1",
    [incidentId],
  );
  if (said === undefined) return refuse("NOT_FOUND");
  const body: Body = { incidentId: String(incidentId), seen: said.seen };
  const proposalId = context.ids.next();
  await makeProposal(db, session, { proposalId, kind: KIND, reason, body: JSON.stringify(body) });
  return readIncident(db, chains, incidentId);
}

/**
 * Decides on a proposal. Approval closes the incident and releases what it blocks. In addition to what deciding refuses: CONFLICT
 * if the incident was closed in the meantime or has new details.
 */
export async function decideLift(
  { config }: Pick<OperatorContext, "config">,
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly reason: string; readonly decision: "approved" | "rejected" },
): Promise<Verdict<Incident>> {
  const decided = await decideProposal(db, session, { kind: KIND, ...what });
  if (!decided.ok) return decided;
  if (what.decision === "approved") {
    const [row] = await db.query<{ done: boolean }>("SELECT lift_incident($1) AS done", [decided.value.proposal_id]);
    if (row?.done !== true) return refuse("CONFLICT");
  }
  return readIncident(db, config.chains, BigInt((JSON.parse(decided.value.body) as Body).incidentId));
}

async function readOpen(db: Queryable, chains: readonly ChainSettings[], id: string): Promise<Verdict<Incident>> {
  const found = await readIncident(db, chains, parseIncidentId(id));
  if (!found.ok) return found;
  return found.value.closed === null ? accept(found.value) : refuse("CONFLICT");
}
