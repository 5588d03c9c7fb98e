import { accept, keyStatement, refuse, type Verdict } from "@fairtick/domain";
import { isP256PublicKey, p256KeyId, verifyP256 } from "@fairtick/domain/node-signatures";
import type { PayoutKey } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import {
  decideProposal,
  formatOperatorId,
  listProposals,
  makeProposal,
  type OperatorContext,
  presentProposal,
  type ProposalRow,
  readProposal,
} from "../operators/index.ts";
import type { SignerDoor } from "./signer-door.ts";

const KIND = "payout_key";
const SHOWN_MAX = 100;

interface Body {
  readonly publicKey: string;
  readonly keyId: string;
}

export async function listKeys(db: Queryable): Promise<PayoutKey[]> {
  const page = await listProposals(db, KIND, { state: "all", limit: SHOWN_MAX });
  return page.ok ? page.value.items.map(presentKey) : [];
}

/** Proposes the public half of one's own key. Refuses FIELD_INVALID for what is no key, CONFLICT for one that was proposed. */
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
  return accept(presentKey(made));
}

export interface KeyApproval {
  readonly proposalId: string;
  readonly reason: string;
  readonly keyId?: string | undefined;
  readonly signature?: string | undefined;
}

/**
 * Enrols a colleague's key: with the signer, which believes the approver's signature, and in the tables. Refuses as
 * deciding does, FIELD_INVALID for a wrong signature, FORBIDDEN for a key of somebody else or where the signer does not
 * believe it, NOT_NOW without a signer.
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
      "SELECT operator_id, public_key FROM operator_keys WHERE key_id = $1",
      [approval.keyId],
    );
    if (own?.operator_id !== session.operatorId) return refuse("FORBIDDEN");
    if (!verifyP256(own.public_key, keyStatement({ operator, publicKey }), approval.signature)) {
      return invalid("signature");
    }
  }
  // First: a key that the signer knows and the tables do not is enrolled by the next try; the other way round it would
  // sign approvals that pay nothing.
  const believed = await signer.enrol(operator, publicKey, approval);
  if (!believed.ok) return refuse("FORBIDDEN");
  await db.query("SELECT enrol_payout_key($1, $2, $3)", [proposalId, approval?.keyId, approval?.signature]);
  return accept(presentKey(decided.value));
}

export async function rejectKey(
  db: Queryable,
  session: OperatorSession,
  given: { readonly proposalId: string; readonly reason: string },
): Promise<Verdict<PayoutKey>> {
  const found = await readProposal(db, KIND, given.proposalId);
  if (found === null) return refuse("NOT_FOUND");
  const decided = await decideProposal(db, session, { kind: KIND, decision: "rejected", ...given });
  return decided.ok ? accept(presentKey(decided.value)) : decided;
}

function presentKey(row: ProposalRow): PayoutKey {
  const { publicKey, keyId } = JSON.parse(row.body) as Body;
  return { ...presentProposal(row), operatorId: formatOperatorId(row.made_by_id), publicKey, keyId };
}

function invalid(field: string): Verdict<never> {
  return refuse("FIELD_INVALID", { field }, { [field]: "FIELD_INVALID" });
}
