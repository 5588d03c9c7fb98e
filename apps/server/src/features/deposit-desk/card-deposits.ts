import {
  accept,
  BANK_DEPOSIT_MAX,
  BANK_DEPOSIT_MIN,
  formatId,
  formatMoney,
  type MemberId,
  type MicroUsd,
  parseId,
  refuse,
  type Verdict,
} from "@fairtick/domain";
import type { CardProposal } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import { formatDepositNo } from "../deposits/index.ts";
import {
  decideProposal,
  formatProposalId,
  makeProposal,
  type OperatorContext,
  presentProposal,
  type ProposalRow,
  readProposal,
} from "../operators/index.ts";
import { type Changed, tellCredited, tellFailed } from "./tell-deposit.ts";

const KIND = "card_deposit";

interface Body {
  /** Micro-USD, digits. */
  readonly amount: string;
}

/**
 * Makes a deposit request of a card payment. The member sees it as Processing at once; a second person of finance
 * decides. Refuses NOT_FOUND, DEPOSIT_BELOW_MINIMUM[min], FIELD_INVALID above the maximum, and IDENTITY_REQUIRED or
 * IDENTITY_PENDING where the deployment wants a verified identity before a deposit.
 */
export async function proposeCardDeposit(
  { ids, config }: Pick<OperatorContext, "ids" | "config">,
  db: Queryable,
  session: OperatorSession,
  wish: { readonly memberId: string; readonly amount: MicroUsd; readonly reason: string },
): Promise<Verdict<{ readonly proposal: CardProposal; readonly made: Changed }>> {
  const memberId = parseId("member", wish.memberId);
  const [member] =
    memberId === null
      ? []
      : await db.query<{ identity: string | null }>(
          "SELECT identity_state(member_id) AS identity FROM members WHERE member_id = $1",
          [memberId],
        );
  if (memberId === null || member === undefined) return refuse("NOT_FOUND");
  if (config.identityBeforeDeposit && member.identity !== "verified")
    return refuse(member.identity === "pending" ? "IDENTITY_PENDING" : "IDENTITY_REQUIRED");
  if (wish.amount < BANK_DEPOSIT_MIN) return refuse("DEPOSIT_BELOW_MINIMUM", { min: formatMoney(BANK_DEPOSIT_MIN) });
  if (wish.amount > BANK_DEPOSIT_MAX) return invalidAmount();
  const [proposalId, depositId] = [ids.next(), ids.next()];
  const row = await makeProposal(db, session, {
    proposalId,
    kind: KIND,
    reason: wish.reason,
    memberId,
    body: JSON.stringify({ amount: String(wish.amount) } satisfies Body),
  });
  await db.query("SELECT propose_card_deposit($1, $2)", [proposalId, depositId]);
  return accept({ proposal: present(row, depositId), made: { memberId, depositId } });
}

/** Approves and books. Beside what deciding refuses: FIELD_INVALID where the typed amount is another one. */
export async function approveCardDeposit(
  { ids }: Pick<OperatorContext, "ids">,
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly amount: MicroUsd; readonly reason: string },
): Promise<Verdict<{ readonly proposal: CardProposal; readonly credited: Changed }>> {
  const decided = await decideProposal(db, session, { kind: KIND, decision: "approved", ...what });
  if (!decided.ok) return decided;
  if (BigInt((JSON.parse(decided.value.body) as Body).amount) !== what.amount) return invalidAmount();
  crashPoint("card.decided");
  const [booked] = await db.query<{ deposit_id: bigint }>("SELECT apply_card_deposit($1, $2) AS deposit_id", [
    decided.value.proposal_id,
    ids.next(),
  ]);
  if (booked === undefined) throw new Error("a card deposit was approved and not booked");
  crashPoint("card.booked");
  const { memberId } = await tellCredited(db, booked.deposit_id);
  return accept({
    proposal: present(decided.value, booked.deposit_id),
    credited: { memberId, depositId: booked.deposit_id },
  });
}

export async function rejectCardDeposit(
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly reason: string },
): Promise<Verdict<{ readonly proposal: CardProposal; readonly ended: Changed }>> {
  const decided = await decideProposal(db, session, { kind: KIND, decision: "rejected", ...what });
  if (!decided.ok) return decided;
  const [ended] = await db.query<{ deposit_id: bigint }>("SELECT reject_card_deposit($1) AS deposit_id", [
    decided.value.proposal_id,
  ]);
  if (ended === undefined) throw new Error("a card deposit was rejected and is not ended");
  return accept({
    proposal: present(decided.value, ended.deposit_id),
    ended: await tellFailed(db, ended.deposit_id),
  });
}

/** The proposal behind a card deposit. */
export async function readCardProposal(db: Queryable, proposalId: bigint): Promise<CardProposal | null> {
  const row = await readProposal(db, KIND, formatProposalId(proposalId));
  const [of] = await db.query<{ deposit_id: bigint }>("SELECT deposit_id FROM card_deposits WHERE proposal_id = $1", [
    proposalId,
  ]);
  return row === null || of === undefined ? null : present(row, of.deposit_id);
}

function present(row: ProposalRow, depositId: bigint): CardProposal {
  return {
    ...presentProposal(row),
    depositNo: formatDepositNo(depositId),
    memberId: formatId("member", (row.member_id ?? 0n) as MemberId),
    amount: formatMoney(BigInt((JSON.parse(row.body) as Body).amount) as MicroUsd),
  };
}

function invalidAmount(): Verdict<never> {
  return refuse("FIELD_INVALID", { field: "amount" }, { amount: "FIELD_INVALID" });
}
