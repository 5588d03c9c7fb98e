import { DAY_MS, type Instant, startOfUtcDay, utcDay, WALLETS } from "@fairtick/domain";
import type { Fairness } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { countSettled, type TermsCount } from "./count-day.ts";
import { readReserves } from "./read-reserves.ts";
import { countMembers, readService } from "./read-service.ts";
import { sumCounts } from "./sum-counts.ts";

export const FAIRNESS_DAYS = 30;
/** Anybody may ask; the tables are read this often at most. */
const FRESH_MS = 30_000;

export interface FairnessReport {
  read(): Promise<Fairness>;
}

/**
 * The public figures. A day that is over is counted once: settlements bear the moment they were written, so nothing comes
 * to it any more. Whoever asks while they are being read waits for the same answer.
 */
export function openFairness({ databases, clock }: Pick<Context, "databases" | "clock">): FairnessReport {
  const database = databases.reader;
  const finished = new Map<Instant, readonly TermsCount[]>();
  let last: { readonly at: number; readonly answer: Promise<Fairness> } | null = null;

  async function countOf(day: Instant, today: Instant): Promise<readonly TermsCount[]> {
    const known = finished.get(day);
    if (known !== undefined) return known;
    const counts = await countSettled(database, day, (day + DAY_MS) as Instant);
    // A minute into the next day no transaction of yesterday is still on its way.
    if (day < today && clock.now() > day + DAY_MS + 60_000n) finished.set(day, counts);
    return counts;
  }

  async function read(): Promise<Fairness> {
    const now = clock.now();
    const today = startOfUtcDay(utcDay(now));
    const days: { readonly day: Instant; readonly counts: readonly TermsCount[] }[] = [];
    for (let back = FAIRNESS_DAYS - 1; back >= 0; back -= 1) {
      const day = (today - BigInt(back) * DAY_MS) as Instant;
      days.push({ day, counts: await countOf(day, today) });
    }
    const from = (today - BigInt(FAIRNESS_DAYS - 1) * DAY_MS) as Instant;
    for (const day of finished.keys()) if (day < from) finished.delete(day);
    const all = days.flatMap(({ counts }) => counts);
    const members = await countMembers(database, from);
    return {
      asOf: Number(now),
      days: FAIRNESS_DAYS,
      wallets: WALLETS.map((wallet) => {
        const row = members.find((each) => each.wallet === wallet);
        const counts = all.filter((each) => each.wallet === wallet);
        return {
          wallet,
          ...sumCounts(counts),
          members: Number(row?.members ?? 0n),
          membersLost: Number(row?.lost ?? 0n),
        };
      }),
      byDay: days.flatMap(({ day, counts }) =>
        WALLETS.map((wallet) =>
          Object.assign(
            { day: new Date(Number(day)).toISOString().slice(0, 10), wallet },
            sumCounts(counts.filter((each) => each.wallet === wallet)),
          ),
        ),
      ),
      byTerms: [...Map.groupBy(all, termsOf).values()].flatMap((counts) => {
        const [first] = counts;
        if (first === undefined) return [];
        const { wallet, symbol, duration, direction } = first;
        return [{ wallet, symbol, duration, direction, ...sumCounts(counts) }];
      }),
      ...(await readService(database, from, now)),
      ...(await readReserves(database)),
    };
  }

  return {
    read() {
      const at = clock.elapsedMs();
      if (last === null || at - last.at > FRESH_MS) {
        const answer = read();
        last = { at, answer };
        answer.catch(() => {
          last = null;
        });
      }
      return last.answer;
    },
  };
}

function termsOf({ wallet, symbol, duration, direction }: TermsCount): string {
  return [wallet, symbol, duration, direction].join(" ");
}
