import {
  divideDown,
  type IdSource,
  type Instant,
  type MemberId,
  type MicroUsd,
  RATE_ONE,
  roundUpToCent,
  startOfUtcDay,
  transferMovement,
} from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { arrayText } from "../../platform/lane.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";
import { LOCK_MEMBERS, writeTransfer } from "../ledger/index.ts";
import { readReferralRate } from "./read-invites.ts";

export type ReferralContext = Pick<Context, "databases" | "bus"> & { readonly ids: IdSource };

/** A day's rewards are paid this long after its end, when all its settlements have been committed. */
const SETTLED_AFTER_MS = 600_000n;

interface FeesRow {
  readonly inviter_id: MemberId;
  readonly member_id: bigint;
  readonly fees: bigint;
}

/** Pays the rewards of all days that have ended and aren't paid yet. Returns how many transfers were made. */
export async function payReferrals(context: ReferralContext, now: Instant): Promise<number> {
  const { databases } = context;
  const [known] = await databases.money.query<{ day: number | null }>(
    "SELECT coalesce((SELECT max(day) + 1 FROM referral_days), (SELECT min(from_day) FROM referral_rates)) AS day",
  );
  if (known === undefined || known.day === null) return 0;
  let paid = 0;
  for (let day = known.day; startOfUtcDay(day + 1) + SETTLED_AFTER_MS <= now; day += 1) {
    paid += await payDay(context, day);
    await databases.money.query("INSERT INTO referral_days (day, paid_at) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
      day,
      now,
    ]);
  }
  return paid;
}

/** Pays a day's rewards: one transfer for each inviter, and only once even if it runs again. Closed accounts get nothing. */
async function payDay(context: ReferralContext, day: number): Promise<number> {
  const { databases, bus, ids } = context;
  const rate = await readReferralRate(databases.money, day);
  if (rate === 0n) return 0;
  const rows = await databases.reader.query<FeesRow>(
    `SELECT i.member_id AS inviter_id, m.member_id, sum(o.fee)::bigint AS fees
     FROM settlements s
     JOIN members m ON m.member_id = s.member_id AND m.invited_by IS NOT NULL
     JOIN members i ON i.member_id = m.invited_by AND i.standing <> 'closed'
     JOIN orders o ON o.member_id = s.member_id AND o.order_id = s.order_id
     WHERE s.settled_at >= $1 AND s.settled_at < $2 AND s.outcome IN ('won', 'lost') AND o.wallet = 'real' AND o.fee > 0
     GROUP BY i.member_id, m.member_id ORDER BY i.member_id, m.member_id`,
    [startOfUtcDay(day), startOfUtcDay(day + 1)],
  );
  const paid: MemberId[] = [];
  for (const [inviterId, people] of Map.groupBy(rows, (row) => row.inviter_id)) {
    const shares = people
      .map(({ member_id, fees }) => ({ memberId: member_id, fees, share: divideDown(fees * rate, RATE_ONE) }))
      .filter(({ share }) => share > 0n);
    const amount = roundUpToCent(shares.reduce((sum, { share }) => sum + share, 0n) as MicroUsd);
    if (amount === 0n) continue;
    const written = await databases.money.transaction(async (transaction) => {
      await transaction.query(LOCK_MEMBERS.text, [arrayText([inviterId])]);
      const isNew = await writeTransfer(transaction, {
        transferId: ids.next(),
        wallet: "real",
        movement: transferMovement({ kind: "referral", amount }),
        idempotencyKey: `referral:${inviterId}:${day}`,
        remark: "referral",
        member: { memberId: inviterId },
      });
      if (!isNew) return false;
      await transaction.query(
        `INSERT INTO referral_shares (day, member_id, inviter_id, fees, share)
         SELECT $1, s.member_id, $2, s.fees, s.share FROM unnest($3::bigint[], $4::bigint[], $5::bigint[]) AS s(member_id, fees, share)`,
        [
          day,
          inviterId,
          arrayText(shares.map(({ memberId }) => memberId)),
          arrayText(shares.map(({ fees }) => fees)),
          arrayText(shares.map(({ share }) => share)),
        ],
      );
      return true;
    });
    if (written) paid.push(inviterId);
  }
  if (paid.length > 0) bus.publish("accounts", { members: paid });
  return paid.length;
}

const EVERY_MS = 60_000;

/** Checks every minute whether a day has to be paid, until stopped. */
export function startReferrals(context: ReferralContext & Pick<Context, "clock" | "log">): Rounds {
  const { log, clock } = context;
  const failed = "rewards for invitations could not be paid; the next round tries again";
  return startRounds({ log, everyMs: EVERY_MS, failed }, async () => {
    const paid = await payReferrals(context, clock.now());
    if (paid > 0) log.info({ paid }, "rewards for invitations were paid");
  });
}
