import type { LogEntryOf } from "./log-entry.ts";

/**
 * How far a signed quote may go back if `params.pyth` doesn't say, in ms. Former houses forgot the order of quotes when
 * they restarted: they took quotes that were up to 5,000 old on arrival and used them for up to 2,000.
 */
export const BACK_MS_MAX = 7_000;

type Params = LogEntryOf<"params.pyth">;

/** A signed quote's place in time. */
export interface QuoteMoment {
  /** Seconds since 1970. */
  readonly publishTime: bigint;
  /** Number of the slot whose root the guardians signed. It orders the quotes of one second. */
  readonly slot: bigint;
}

/** Returns how far quotes under these params may go back, in ms. */
export function backMaxOf({ backMax }: Params): number {
  return Math.min(backMax ?? BACK_MS_MAX, BACK_MS_MAX);
}

/** Notes each symbol's newest signed quote, and finds quotes that go back behind it. */
export interface QuoteOrder {
  /**
   * Returns what is wrong with the time of a tick's signed quote, in English; null for nothing. Expects the ticks of a
   * symbol in their order, and only quotes that hold otherwise.
   */
  faultOf(symbol: string, moment: QuoteMoment, params: Params): string | null;
}

export function createQuoteOrder(): QuoteOrder {
  const newest = new Map<string, QuoteMoment & { readonly params: Params }>();
  return {
    faultOf(symbol, moment, params) {
      const before = newest.get(symbol);
      if (before === undefined || isLater(moment, before)) {
        newest.set(symbol, { ...moment, params });
        return null;
      }
      const isBack =
        moment.publishTime === before.publishTime
          ? // Other guardians may sign for another chain, whose slots have other numbers.
            params.backMax !== undefined && params === before.params && moment.slot < before.slot
          : (before.publishTime - moment.publishTime) * 1000n > BigInt(backMaxOf(params));
      return isBack ? "the signed price is older than that of an earlier tick" : null;
    },
  };
}

function isLater(moment: QuoteMoment, before: QuoteMoment): boolean {
  return (
    moment.publishTime > before.publishTime || (moment.publishTime === before.publishTime && moment.slot >= before.slot)
  );
}
