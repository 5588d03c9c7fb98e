import { accept, keyStatement, refuse, type Verdict } from "@fairtick/domain";
import { isP256PublicKey, p256KeyId, verifyP256 } from "@fairtick/domain/node-signatures";
import type { PayoutKey } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import {
  decideProposal,
  formatOperatorId,
  formatProposalId,
  makeProposal,
  type OperatorContext,
  PROPOSAL_COLUMNS,
  PROPOSAL_JOINS,
  presentProposal,
  type ProposalRow,
  readProposal,
} from "../operators/index.ts";
import type { SignerDoor } from "../signer/index.ts";

const KIND = "payout_key";
const REJECTED_MAX = 100;

interface Body {
  readonly publicKey: string;
  readonly keyId: string;
}

export async function listKeys(db: Queryable): Promise<PayoutKey[]> {
  // Reads all trusted and waiting keys, however many, because a browser looks for its own among them.
  const rows = await db.query<ProposalRow>(
    `SELECT ${PROPOSAL_COLUMNS} FROM ${PROPOSAL_JOINS} WHERE p.kind = $1 AND (d.decision IS DISTINCT FROM 'rejected'
       OR p.proposal_id IN (SELECT r.proposal_id FROM proposals r JOIN decisions e USING (proposal_id)
         WHERE r.kind = $1 AND e.decision = 'rejected' ORDER BY r.proposal_id DESC LIMIT ${REJECTED_MAX}))
     ORDER BY p.proposal_id DESC`,
    [KIND],
  );
  const revoked = await readRevoked(db);
  const works = await readFinance(db);
  return rows.map((row) => presentKey(row, revoked, works));
}

async function readRevoked(db: Queryable): Promise<ReadonlyMap<string, NonNullable<PayoutKey["revoked"]>>> {
  const rows = await db.query<{ key_id: string; login: string; at: bigint; reason: string }>(
    "SELECT k.key_id, o.login, k.at, k.reason FROM revoked_keys k JOIN operators o USING (operator_id)",
  );
  return new Map(rows.map(({ key_id: keyId, login, at, reason }) => [keyId, { by: login, at: Number(at), reason }]));
}

async function readFinance(db: Queryable): Promise<ReadonlySet<bigint>> {
  const rows = await db.query<{ operator_id: bigint }>(
    "SELECT o.operator_id FROM operators o JOIN operator_roles r USING (operator_id) WHERE o.disabled_at IS NULL AND r.role = 'finance'",
  );
  return new Set(rows.map(({ operator_id: id }) => id));
}

async function presentOne(db: Queryable, row: ProposalRow): Promise<PayoutKey> {
  return presentKey(row, await readRevoked(db), await readFinance(db));
}

/**
 * Revokes a key in the tables and with the signer, which no longer counts anything signed with it. Refuses NOT_FOUND if
 * no such key is enrolled, CONFLICT if it is revoked already or the signer's last one, NOT_NOW without a signer.
 */
export async function revokeKey(
  signer: SignerDoor | null,
  db: Queryable,
  session: OperatorSession,
  { keyId, reason }: { readonly keyId: string; readonly reason: string },
): Promise<Verdict<PayoutKey>> {
  if (signer === null) return refuse("NOT_NOW");
  const [enrolled] = await db.query<{ proposal_id: bigint }>(
    "SELECT proposal_id FROM operator_keys WHERE key_id = $1",
    [keyId],
  );
  const proposal = enrolled === undefined ? null : await readProposal(db, KIND, formatProposalId(enrolled.proposal_id));
  if (proposal === null) return refuse("NOT_FOUND");
  const [done] = await db.query<{ done: boolean }>("SELECT revoke_payout_key($1, $2, $3) AS done", [
    session.sessionId,
    keyId,
    reason,
  ]);
  if (done?.done !== true) return refuse("CONFLICT");
  const answer = await signer.revoke(keyId, formatOperatorId(session.operatorId));
  return answer.ok ? accept(await presentOne(db, proposal)) : refuse("CONFLICT");
}

/**
 * Proposes the public half of the operator's own key. Refuses FIELD_INVALID if it isn't a key, and CONFLICT if it was
 * proposed before.
 */
export async function proposeKey(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  wish: { readonly publicKey: string; readonly reason: string },
): Promise<Verdict<PayoutKey>> {
  const { publicKey, reason } = wish;
  if (!isP256PublicKey(publicKey)) return invalid("publicKey");
  const keyId = p256KeyId(publicKey);
  if ((await listKeys(db)).some((key) => key.keyId === keyId && key.state !== "rejected")) return refuse("CONFLICT");
  const body = JSON.stringify({ publicKey, keyId } satisfies Body);
  const made = await makeProposal(db, session, { proposalId: context.ids.next(), kind: KIND, reason, body });
  return accept(await presentOne(db, made));
}

export interface KeyApproval {
  readonly proposalId: string;
  readonly reason: string;
  readonly keyId?: string | undefined;
  readonly signature?: string | undefined;
}

/**
 * Enrols a colleague's key with the signer, which verifies the approver's signature, and in the tables. Refuses as
 * deciding does, FIELD_INVALID for a wrong signature, FORBIDDEN for someone else's key or one that the signer does not
 * trust, NOT_NOW without a signer.
 */
export async function approveKey(
  signer: SignerDoor | null,
  db: Queryable,
  session: OperatorSession,
  given: KeyApproval,
): Promise<Verdict<PayoutKey>> {
  if (signer === null) return refuse("NOT_NOW");
  const decided = await decideProposal(db, session, { kind: KIND, decision: "approved", ...given });
  if (!decided.ok) return decided;
  const { body, made_by_id: owner, proposal_id: proposalId } = decided.value;
  const { publicKey } = JSON.parse(body) as Body;
  const operator = formatOperatorId(owner);
  const { keyId, signature } = given;
  const approval = keyId === undefined || signature === undefined ? null : { keyId, signature };
  if (approval !== null) {
    const [own] = await db.query<{ operator_id: bigint; public_key: string }>(
      "SELECT operator_id, public_key FROM operator_keys WHERE key_id = $1 AND key_id NOT IN (SELECT key_id FROM revoked_keys)",
      [approval.keyId],
    );
    if (own?.operator_id !== session.operatorId) return refuse("FORBIDDEN");
    if (!verifyP256(own.public_key, keyStatement({ operator, publicKey }), approval.signature)) {
      return invalid("signature");
    }
  }
  // Enroll with the signer first. A key that only the signer knows is enrolled by the next try. With a key that only
  // the tables know, operators would sign approvals that pay nothing.
  const believed = await signer.enrol(operator, publicKey, approval);
  if (!believed.ok) return refuse("FORBIDDEN");
  await db.query("SELECT enrol_payout_key($1, $2, $3)", [proposalId, approval?.keyId, approval?.signature]);
  return accept(await presentOne(db, decided.value));
}

export async function rejectKey(
  db: Queryable,
  session: OperatorSession,
  given: { readonly proposalId: string; readonly reason: string },
): Promise<Verdict<PayoutKey>> {
  const found = await readProposal(db, KIND, given.proposalId);
  if (found === null) return refuse("NOT_FOUND");
  const decided = await decideProposal(db, session, { kind: KIND, decision: "rejected", ...given });
  return decided.ok ? accept(await presentOne(db, decided.value)) : decided;
}

function presentKey(
  row: ProposalRow,
  revoked: ReadonlyMap<string, NonNullable<PayoutKey["revoked"]>>,
  finance: ReadonlySet<bigint>,
): PayoutKey {
  const { publicKey, keyId } = JSON.parse(row.body) as Body;
  return {
    ...presentProposal(row),
    operatorId: formatOperatorId(row.made_by_id),
    publicKey,
    keyId,
    revoked: revoked.get(keyId) ?? null,
    ownerLeft: !finance.has(row.made_by_id),
  };
}

function invalid(field: string): Verdict<never> {
  return refuse("FIELD_INVALID", { field }, { [field]: "FIELD_INVALID" });
}
