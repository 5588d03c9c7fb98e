import { DAY_MS, type Instant, utcDay, WALLETS } from "@fairtick/domain";
import type { Fairness, FairnessDay } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { countSettled, FAIRNESS_DAYS, type TermsCount } from "./count-settled.ts";
import { readReserves } from "./read-reserves.ts";
import { countMembers, readService } from "./read-service.ts";
import { countUnrevealed, readStanding } from "./read-standing.ts";
import { sumCounts, type Sums } from "./sum-counts.ts";

/** How long an answer is used again. The pages are public, so the tables must not be read for each request. */
const FRESH_MS = 30_000;

export interface FairnessReport {
  read(): Promise<Fairness>;
  /** Returns one day's figures by instrument and duration; null if the day isn't covered. `day`: 2026-11-21. */
  readDay(day: string): Promise<FairnessDay | null>;
}

interface Reading {
  readonly now: Instant;
  readonly counts: readonly TermsCount[];
  readonly fairness: Fairness;
}

/**
 * Opens the public fairness figures. `verifier` is the SHA-256 of the verifier that the house distributes. Requests that come
 * while the figures are being read share one answer.
 */
export function openFairness(
  { databases, clock }: Pick<Context, "databases" | "clock">,
  verifier: string | null = null,
): FairnessReport {
  const database = databases.reader;
  let last: { readonly at: number; readonly answer: Promise<Reading> } | null = null;

  function reading(): Promise<Reading> {
    const at = clock.elapsedMs();
    if (last === null || at - last.at > FRESH_MS) {
      const answer = readFigures(database, clock.now(), verifier);
      last = { at, answer };
      answer.catch(() => {
        last = null;
      });
    }
    return last.answer;
  }

  return {
    async read() {
      const { fairness } = await reading();
      return fairness;
    },
    async readDay(text) {
      const { now, counts } = await reading();
      const day = daysBefore(now).find((each) => textOf(each) === text);
      if (day === undefined) return null;
      const mine = counts.filter((each) => each.day === day);
      return {
        asOf: Number(now),
        day: text,
        cells: grouped(mine, ({ wallet, symbol, duration }) => ({ wallet, symbol, duration })),
      };
    },
  };
}

async function readFigures(database: Queryable, now: Instant, verifier: string | null): Promise<Reading> {
  const counts = await countSettled(database, now);
  const members = await countMembers(database, now);
  const sealed = await countUnrevealed(database, now);
  const fairness = {
    asOf: Number(now),
    days: FAIRNESS_DAYS,
    wallets: WALLETS.map((wallet) => {
      const row = members.find((each) => each.wallet === wallet);
      const closed = sealed.find((each) => each.wallet === wallet);
      return {
        wallet,
        ...sumCounts(counts.filter((each) => each.wallet === wallet)),
        members: Number(row?.members ?? 0n),
        membersLost: Number(row?.lost ?? 0n),
        unrevealed: Number(closed?.unrevealed ?? 0n),
        unrevealedVoided: Number(closed?.voided ?? 0n),
      };
    }),
    byDay: sumsByDay(counts, now),
    byTerms: grouped(counts, ({ wallet, symbol, duration, direction }) => ({ wallet, symbol, duration, direction })),
    ...(await readService(database, now)),
    ...(await readStanding(database, now)),
    verifier,
    ...(await readReserves(database)),
  };
  return { now, counts, fairness };
}

function sumsByDay(counts: readonly TermsCount[], now: Instant) {
  const ofDay = Map.groupBy(counts, ({ day }) => day);
  return daysBefore(now).flatMap((day) => {
    const ofWallet = Map.groupBy(ofDay.get(day) ?? [], ({ wallet }) => wallet);
    return WALLETS.map((wallet) => Object.assign({ day: textOf(day), wallet }, sumCounts(ofWallet.get(wallet) ?? [])));
  });
}

/** Adds up the counts that have the same terms. The groups are in order of first appearance. */
function grouped<Terms extends object>(
  counts: readonly TermsCount[],
  termsOf: (count: TermsCount) => Terms,
): (Terms & Sums)[] {
  const groups = Map.groupBy(counts, (count) => Object.values(termsOf(count)).join(" "));
  return [...groups.values()].flatMap((each) =>
    each[0] === undefined ? [] : [{ ...termsOf(each[0]), ...sumCounts(each) }],
  );
}

/** Returns the covered UTC days (days since 1970), oldest first. */
function daysBefore(now: Instant): bigint[] {
  return Array.from({ length: FAIRNESS_DAYS }, (_, index) => BigInt(utcDay(now) - FAIRNESS_DAYS + 1 + index));
}

function textOf(day: bigint): string {
  return new Date(Number(day * DAY_MS)).toISOString().slice(0, 10);
}
