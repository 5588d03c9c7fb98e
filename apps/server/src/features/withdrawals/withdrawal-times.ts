import type { Clock } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";

const TIMES_MS = 30n * 86_400_000n;
/** With fewer payments than this, no times are shown. */
const TIMES_MIN = 5;
/** How long the figures are reused, in ms. A month's figures change slowly. */
const FRESH_MS = 5 * 60_000;

export interface WithdrawalTimes {
  readonly halfMs: number;
  readonly mostMs: number;
  readonly count: number;
}

type TimesContext = { readonly databases: Pick<Context["databases"], "reader">; readonly clock: Clock };

/** For each database, the last result or the one being counted. */
const counted = new WeakMap<object, { readonly at: number; readonly times: Promise<WithdrawalTimes | null> }>();

/**
 * Reads how long payments of the last 30 days took from request to confirmation, over all members; null if there were
 * too few. It is counted at most every five minutes, since counting reads all withdrawals of a month and each opening
 * of the screen asks for it.
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
