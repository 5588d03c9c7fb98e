import {
  accept,
  formatMoney,
  type Instant,
  type MemberId,
  type MicroUsd,
  quoteWithdrawal,
  type Refusal,
  refuse,
  type Verdict,
  type WithdrawalTerms,
} from "@fairtick/domain";
import type { Output, withdrawMethods, withdrawQuote } from "@fairtick/protocol";
import type { Queryable } from "../../platform/database.ts";
import { readMember } from "../members/index.ts";
import { refuseRegion } from "../regions/index.ts";
import { checkRecipient } from "./judge-recipient.ts";
import type { WithdrawalContext } from "./withdrawal-context.ts";
import { readComingTerms, readWithdrawable, readWithdrawalTerms } from "./withdrawal-terms.ts";
import { readTimes } from "./withdrawal-times.ts";

/** A chain that has not been read for this long is not offered. */
const READ_AGE_MS_MAX = 60_000n;

/**
 * Lists the chains that can be withdrawn to now, with limits, fee and usual duration. Refuses REGION_PRACTICE_ONLY
 * where the region allows only the practice wallet and the member has no real money.
 */
export async function listMethods(
  context: WithdrawalContext,
  memberId: MemberId,
  now: Instant,
): Promise<Verdict<Output<typeof withdrawMethods>>> {
  const refusal = await refuseWithoutRealMoney(context, memberId, now);
  if (refusal !== null) return { ok: false, refusal };
  const { config, databases, signer } = context;
  if (signer === null) return accept([]);
  const rows = await databases.reader.query<{ chain: string }>(
    "SELECT chain FROM chain_instances WHERE ended_at IS NULL AND read_at > $1",
    [now - READ_AGE_MS_MAX],
  );
  const readNow = new Set(rows.map(({ chain }) => chain));
  const times = await readTimes(context);
  const terms = await readWithdrawalTerms(databases.reader);
  const coming = await readComingTerms(databases.reader);
  const { askedToday } = await readWithdrawable(databases.reader, memberId, now);
  const left = terms.dayMax === null || terms.dayMax > askedToday ? (terms.dayMax ?? askedToday) - askedToday : 0n;
  const same = {
    ...shownTerms(terms),
    automaticMax: formatMoney(terms.automaticMax),
    dayLeft: terms.dayMax === null ? null : formatMoney(left as MicroUsd),
    coming: coming === null ? null : { at: Number(coming.effectiveAt), ...shownTerms(coming) },
    times,
    ...(await readWaits(databases.reader, memberId)),
    addressHours: config.withdrawalAddressHours,
  };
  return accept(
    config.chains
      .filter(({ chain }) => readNow.has(chain))
      .map(({ chain, kind, name }) => Object.assign({ chain, kind, name, currency: "USDT" }, same)),
  );
}

function shownTerms({ minimum, maximum, fee, dayMax }: WithdrawalTerms) {
  return {
    minimum: formatMoney(minimum),
    maximum: formatMoney(maximum),
    fee: formatMoney(fee),
    dayMax: dayMax === null ? null : formatMoney(dayMax),
  };
}

/**
 * Returns the fee, the amount that arrives and when it can be paid. Refuses CHAIN_UNKNOWN,
 * WITHDRAWAL_BELOW_MINIMUM[min], WITHDRAWAL_TOO_LARGE[max]; with an address also what `checkRecipient` refuses.
 */
export async function showQuote(
  context: Pick<WithdrawalContext, "config" | "databases" | "signer">,
  memberId: MemberId,
  {
    chain,
    amount,
    address,
  }: { readonly chain: string; readonly amount: MicroUsd; readonly address?: string | undefined },
): Promise<Verdict<Output<typeof withdrawQuote>>> {
  const { config, databases } = context;
  if (!config.chains.some((settings) => settings.chain === chain)) return refuse("CHAIN_UNKNOWN");
  const quote = quoteWithdrawal(await readWithdrawalTerms(databases.reader), amount);
  if (!quote.ok) return quote;
  const recipient = address === undefined ? null : await checkRecipient(context, memberId, { chain, address });
  if (recipient?.ok === false) return recipient;
  const waits = await readWaits(databases.reader, memberId);
  const from = Math.max(waits.restsUntil ?? 0, recipient?.value.usableAt ?? 0);
  return accept({
    fee: formatMoney(quote.value.fee),
    receives: formatMoney(quote.value.receives),
    ...waits,
    paysFrom: from === 0 ? null : from,
  });
}

/**
 * Reads since when the member has frozen withdrawals, and until when they are paused after a password reset. Each is
 * null if it doesn't apply.
 */
async function readWaits(db: Queryable, memberId: MemberId) {
  const [row] = await db.query<{ frozen: bigint | null; until: bigint | null }>(
    "SELECT member_frozen_since($1) AS frozen, withdrawals_rest_until($1) AS until",
    [memberId],
  );
  const time = (at: bigint | null | undefined) => (at === null || at === undefined ? null : Number(at));
  return { frozenSince: time(row?.frozen), restsUntil: time(row?.until) };
}

/**
 * Refuses REGION_PRACTICE_ONLY if the region allows only the practice wallet and the member has no real money. Members
 * with real money can always withdraw it, since a region's rule may change later.
 */
export async function refuseWithoutRealMoney(
  { databases }: WithdrawalContext,
  memberId: MemberId,
  now: Instant,
): Promise<Refusal | null> {
  const member = await readMember(databases.sessions, memberId, now);
  if (member === null) return { error: "NOT_FOUND" };
  const closed = await refuseRegion(databases.sessions, member.region);
  if (closed === null) return null;
  const [row] = await databases.reader.query<{ real: bigint }>(
    "SELECT real_available + real_locked AS real FROM members_money WHERE member_id = $1",
    [memberId],
  );
  return (row?.real ?? 0n) > 0n ? null : closed;
}
