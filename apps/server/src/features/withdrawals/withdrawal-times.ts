import type { Clock } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";

const TIMES_MS = 30n * 86_400_000n;
/** Of fewer paid ones nothing is said. */
const TIMES_MIN = 5;
/** So long what was counted is shown: a month's figures change no faster. */
const FRESH_MS = 5 * 60_000;

export interface WithdrawalTimes {
  readonly halfMs: number;
  readonly mostMs: number;
  readonly count: number;
}

type TimesContext = { readonly databases: Pick<Context["databases"], "reader">; readonly clock: Clock };

/** By the process's database: what was counted last, or is being counted. */
const counted = new WeakMap<object, { readonly at: number; readonly times: Promise<WithdrawalTimes | null> }>();

/**
 * How long payments of the last 30 days took from request to confirmation, over all members; null of too few. Every opening of
 * the screen asks, and all withdrawals of a month are gone through for it: counted once in five minutes, however many ask.
 */
export function readTimes(context: TimesContext): Promise<WithdrawalTimes | null> {
  const { databases, clock } = context;
  const last = counted.get(databases.reader);
  const now = clock.elapsedMs();
  if (last !== undefined && now - last.at < FRESH_MS) return last.times;
  const times = countTimes(context);
  counted.set(databases.reader, { at: now, times });
  times.catch(() => counted.delete(databases.reader));
  return times;
}

async function countTimes({ databases, clock }: TimesContext): Promise<WithdrawalTimes | null> {
  const [row] = await databases.reader.query<{ half: number | null; most: number | null; count: bigint }>(
    `SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY (stage_at - created_at)::double precision) AS half,
       percentile_disc(0.95) WITHIN GROUP (ORDER BY (stage_at - created_at)::double precision) AS most, count(*) AS count
     FROM withdrawals WHERE stage = 'confirmed' AND stage_at > $1`,
    [clock.now() - TIMES_MS],
  );
  if (row === undefined || row.half === null || row.most === null || row.count < TIMES_MIN) return null;
  return { halfMs: Math.round(row.half), mostMs: Math.round(row.most), count: Number(row.count) };
}
