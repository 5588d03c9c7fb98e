import {
  accept,
  expiryOf,
  formatMoney,
  formatRate,
  type Instant,
  type MemberId,
  type MicroUsd,
  type Points,
  quote,
  refuse,
  type Verdict,
  type Wallet,
} from "@fairtick/domain";
import type { orderQuote, Output } from "@fairtick/protocol";
import type { OrderReading } from "./read-orders.ts";

export interface QuoteInput {
  readonly wallet: Wallet;
  readonly symbol: string;
  readonly stake: MicroUsd;
  readonly duration: number;
}

/**
 * Calculates what an order would pay and cost now. `available` is set for members only. Refuses INSTRUMENT_UNKNOWN,
 * DURATION_NOT_OFFERED, STAKE_BELOW_MINIMUM, STAKE_ABOVE_MAXIMUM.
 */
export async function quoteOrder(
  { databases, configs }: OrderReading,
  memberId: MemberId | null,
  input: QuoteInput,
  now: Instant,
): Promise<Verdict<Output<typeof orderQuote>>> {
  const terms = configs.current(now).instruments.find(({ symbol }) => symbol === input.symbol);
  if (terms === undefined) return refuse("INSTRUMENT_UNKNOWN");
  const quoted = quote(terms, input.duration, input.stake);
  if (!quoted.ok) return quoted;
  const { payoutRate, payout, fee, feeRate, profitIfWon, cost, breakEven } = quoted.value;
  const entryNow = { seq: 0n, time: now, price: 1n as Points };
  const available = memberId === null ? undefined : await readAvailable(databases, memberId, input.wallet);
  return accept({
    payoutRate: formatRate(payoutRate),
    payout: formatMoney(payout),
    fee: formatMoney(fee),
    feeRate: formatRate(feeRate),
    profit: formatMoney(profitIfWon),
    cost: formatMoney(cost),
    breakEven: formatRate(breakEven),
    minStake: formatMoney(terms.minStake),
    maxStake: formatMoney(terms.maxStake),
    ...(available !== undefined && { available: formatMoney(available) }),
    expiresAt: Number(expiryOf(entryNow, input.duration)),
  });
}

async function readAvailable(
  databases: OrderReading["databases"],
  memberId: MemberId,
  wallet: Wallet,
): Promise<MicroUsd | undefined> {
  const [row] = await databases.reader.query<{ practice: bigint; real: bigint }>(
    "SELECT practice_available AS practice, real_available AS real FROM members_money WHERE member_id = $1",
    [memberId],
  );
  return row?.[wallet] as MicroUsd | undefined;
}
