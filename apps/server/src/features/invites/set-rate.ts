import {
  accept,
  formatRate,
  type Instant,
  type Rate,
  refuse,
  startOfUtcDay,
  utcDay,
  type Verdict,
} from "@fairtick/domain";
import type { Referral } from "@fairtick/protocol/operator";
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
import { readReferralRate } from "./read-invites.ts";

const KIND = "referral";

/** Body of the stored proposal, which the database's `set_referral_rate` reads too. The rate is in millionths. */
interface Body {
  readonly rate: string;
}

export async function listRates(
  db: Queryable,
  filters: ProposalFilters,
  now: Instant,
): Promise<Verdict<{ items: Referral[]; nextCursor: string | null }>> {
  const page = await listProposals(db, KIND, filters);
  if (!page.ok) return page;
  return accept({ items: await present(db, page.value.items, now), nextCursor: page.value.nextCursor });
}

export async function proposeRate(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  wish: { readonly rate: Rate; readonly reason: string },
  now: Instant,
): Promise<Verdict<Referral>> {
  const made = await makeProposal(db, session, {
    proposalId: context.ids.next(),
    kind: KIND,
    reason: wish.reason,
    body: JSON.stringify({ rate: String(wish.rate) } satisfies Body),
  });
  return single(await present(db, [made], now));
}

/** Decides on a proposal. An approved share applies from the next UTC day, so that each day has a single share. */
export async function decideRate(
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly reason: string; readonly decision: "approved" | "rejected" },
  now: Instant,
): Promise<Verdict<Referral>> {
  const decided = await decideProposal(db, session, { kind: KIND, ...what });
  if (!decided.ok) return decided;
  if (what.decision === "approved") await db.query("SELECT set_referral_rate($1)", [decided.value.proposal_id]);
  return single(await present(db, [decided.value], now));
}

function single<Item>([item]: readonly Item[]): Verdict<Item> {
  return item === undefined ? refuse("NOT_FOUND") : accept(item);
}

async function present(db: Queryable, rows: readonly ProposalRow[], now: Instant): Promise<Referral[]> {
  const [rateNow, set] = await Promise.all([
    readReferralRate(db, utcDay(now)),
    db.query<{ proposal_id: bigint; from_day: number }>(
      "SELECT proposal_id, from_day FROM referral_rates WHERE proposal_id = ANY ($1::bigint[])",
      [rows.map((row) => row.proposal_id)],
    ),
  ]);
  const fromDay = new Map(set.map((row) => [row.proposal_id, row.from_day]));
  return rows.map((row) => {
    const day = fromDay.get(row.proposal_id);
    return {
      ...presentProposal(row),
      rate: formatRate(BigInt((JSON.parse(row.body) as Body).rate) as Rate),
      rateNow: formatRate(rateNow),
      fromDay: day === undefined ? null : new Date(Number(startOfUtcDay(day))).toISOString().slice(0, 10),
    };
  });
}
