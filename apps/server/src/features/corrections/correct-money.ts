import {
  accept,
  formatId,
  formatExactMoney,
  formatMoney,
  type MemberId,
  type MicroUsd,
  parseId,
  refuse,
  type Verdict,
  type Wallet,
} from "@fairtick/domain";
import type { Capital, Correction } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import {
  decideProposal,
  listProposals,
  makeProposal,
  type OperatorContext,
  presentProposal,
  type ProposalFilters,
  type ProposalRow,
} from "../operators/index.ts";

/** Body of the stored proposal, which functions of the database read too. `amount` is in micro-USD, as digits with a sign. */
interface Body {
  readonly wallet: Wallet;
  readonly amount: string;
}

/** Largest correction in micro-USD. The database enforces this bound and the next one too. */
const CORRECTION_MAX = 1_000_000_000_000n;
const CAPITAL_MAX = 1_000_000_000_000_000n;

interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

export async function listCorrections(db: Queryable, filters: ProposalFilters): Promise<Verdict<Page<Correction>>> {
  const page = await listProposals(db, "correction", filters);
  if (!page.ok) return page;
  return accept({ items: await presentCorrections(db, page.value.items), nextCursor: page.value.nextCursor });
}

/**
 * Proposes to add an amount to a member's available balance, or to take it away if it is negative. Refuses NOT_FOUND;
 * FIELD_INVALID above 1,000,000.00; INSUFFICIENT_BALANCE[available] if they don't have as much now.
 */
export async function proposeCorrection(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  wish: { readonly memberId: string; readonly wallet: Wallet; readonly amount: MicroUsd; readonly reason: string },
): Promise<Verdict<Correction>> {
  const memberId = parseId("member", wish.memberId);
  const available = memberId === null ? null : await readAvailable(db, memberId, wish.wallet);
  if (memberId === null || available === null) return refuse("NOT_FOUND");
  if (wish.amount > CORRECTION_MAX || wish.amount < -CORRECTION_MAX) return invalidAmount();
  if (available + wish.amount < 0n) return insufficient(available);
  const made = await makeProposal(db, session, {
    proposalId: context.ids.next(),
    kind: "correction",
    reason: wish.reason,
    memberId,
    body: JSON.stringify({ wallet: wish.wallet, amount: String(wish.amount) } satisfies Body),
  });
  return single(await presentCorrections(db, [made]));
}

/**
 * Approves and books a correction in one transaction. In addition to what deciding refuses: FIELD_INVALID if another amount
 * was typed; INSUFFICIENT_BALANCE[available] if the member no longer has as much (CONFLICT if that changed at the same moment).
 */
export async function approveCorrection(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly amount: MicroUsd; readonly reason: string },
): Promise<Verdict<{ readonly correction: Correction; readonly memberId: bigint }>> {
  const decided = await decideProposal(db, session, { kind: "correction", decision: "approved", ...what });
  if (!decided.ok) return decided;
  const { member_id: memberId, proposal_id: proposalId, body } = decided.value;
  const { amount, wallet } = JSON.parse(body) as Body;
  if (BigInt(amount) !== what.amount) return invalidAmount();
  const available = memberId === null ? null : await readAvailable(db, memberId as MemberId, wallet);
  if (memberId === null || available === null) return refuse("NOT_FOUND");
  if (available + BigInt(amount) < 0n) return insufficient(available);
  await db.query("SELECT apply_correction($1, $2)", [proposalId, context.ids.next()]);
  const correction = single(await presentCorrections(db, [decided.value]));
  return correction.ok ? accept({ correction: correction.value, memberId }) : correction;
}

export async function rejectCorrection(
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly reason: string },
): Promise<Verdict<Correction>> {
  const decided = await decideProposal(db, session, { kind: "correction", decision: "rejected", ...what });
  return decided.ok ? single(await presentCorrections(db, [decided.value])) : decided;
}

export async function listCapital(db: Queryable, filters: ProposalFilters): Promise<Verdict<Page<Capital>>> {
  const page = await listProposals(db, "capital", filters);
  if (!page.ok) return page;
  return accept({ items: await presentCapital(db, page.value.items), nextCursor: page.value.nextCursor });
}

/** Proposes capital for a wallet's pool. Refuses FIELD_INVALID above 1,000,000,000.00. */
export async function proposeCapital(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  wish: { readonly wallet: Wallet; readonly amount: MicroUsd; readonly reason: string },
): Promise<Verdict<Capital>> {
  if (wish.amount > CAPITAL_MAX) return invalidAmount();
  const made = await makeProposal(db, session, {
    proposalId: context.ids.next(),
    kind: "capital",
    reason: wish.reason,
    body: JSON.stringify({ wallet: wish.wallet, amount: String(wish.amount) } satisfies Body),
  });
  return single(await presentCapital(db, [made]));
}

/** Approves and books capital. Refuses FORBIDDEN unless one of maker and checker is an admin and the other in finance. */
export async function approveCapital(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly amount: MicroUsd; readonly reason: string },
): Promise<Verdict<Capital>> {
  const decided = await decideProposal(db, session, { kind: "capital", decision: "approved", ...what });
  if (!decided.ok) return decided;
  if (BigInt((JSON.parse(decided.value.body) as Body).amount) !== what.amount) return invalidAmount();
  await db.query("SELECT apply_capital($1, $2)", [decided.value.proposal_id, context.ids.next()]);
  return single(await presentCapital(db, [decided.value]));
}

export async function rejectCapital(
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly reason: string },
): Promise<Verdict<Capital>> {
  const decided = await decideProposal(db, session, { kind: "capital", decision: "rejected", ...what });
  return decided.ok ? single(await presentCapital(db, [decided.value])) : decided;
}

function invalidAmount(): Verdict<never> {
  return refuse("FIELD_INVALID", { field: "amount" }, { amount: "FIELD_INVALID" });
}

function insufficient(available: bigint): Verdict<never> {
  return refuse("INSUFFICIENT_BALANCE", { available: formatMoney(available as MicroUsd) });
}

function single<Item>(items: readonly Item[]): Verdict<Item> {
  const [item] = items;
  return item === undefined ? refuse("NOT_FOUND") : accept(item);
}

async function readAvailable(db: Queryable, memberId: MemberId, wallet: Wallet): Promise<bigint | null> {
  const [row] = await db.query<{ practice: bigint; real: bigint }>(
    "SELECT practice_available AS practice, real_available AS real FROM members_money WHERE member_id = $1",
    [memberId],
  );
  return row === undefined ? null : row[wallet];
}

async function presentCorrections(db: Queryable, rows: readonly ProposalRow[]): Promise<Correction[]> {
  const members = await db.query<{ member_id: bigint; account: string | null; practice: bigint; real: bigint }>(
    `SELECT member_id, coalesce(email, phone) AS account, practice_available AS practice, real_available AS real
     FROM members JOIN members_money USING (member_id) WHERE member_id = ANY($1::bigint[])`,
    [rows.map(({ member_id: id }) => String(id))],
  );
  const byId = new Map(members.map((member) => [member.member_id, member]));
  return rows.flatMap((row): Correction[] => {
    const member = row.member_id === null ? undefined : byId.get(row.member_id);
    if (member === undefined) return [];
    const { amount, wallet } = JSON.parse(row.body) as Body;
    return [
      {
        ...presentProposal(row),
        memberId: formatId("member", member.member_id as MemberId),
        account: member.account ?? "",
        wallet,
        amount: formatMoney(BigInt(amount) as MicroUsd),
        availableNow: formatMoney(member[wallet] as MicroUsd),
      },
    ];
  });
}

async function presentCapital(db: Queryable, rows: readonly ProposalRow[]): Promise<Capital[]> {
  const pools = await db.query<{ wallet: Wallet; balance: bigint }>(
    "SELECT wallet, balance FROM house_accounts WHERE account = 'pool'",
  );
  return rows.map((row) => {
    const { amount, wallet } = JSON.parse(row.body) as Body;
    const pool = pools.find((each) => each.wallet === wallet)?.balance ?? 0n;
    return {
      ...presentProposal(row),
      wallet,
      amount: formatMoney(BigInt(amount) as MicroUsd),
      poolNow: formatExactMoney(pool as MicroUsd),
    };
  });
}
