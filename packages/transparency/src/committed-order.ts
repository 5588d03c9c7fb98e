import { calculateQuote, utf8, type MicroUsd, type Points, type Rate, type TradingConfig } from "@fairtick/domain";
import {
  count,
  instant,
  listOf,
  nullOr,
  oneOf,
  parseCanonical,
  pick,
  record,
  ShapeError,
  symbol,
  text,
  whole,
} from "./shape.ts";

/** The agreed terms, as their JSON says them (`orderJson` in domain). */
export interface CommittedOrder {
  readonly orderNo: string;
  readonly symbol: string;
  readonly wallet: "practice" | "real";
  readonly direction: "up" | "down";
  readonly durationSeconds: number;
  readonly stake: MicroUsd;
  readonly fee: MicroUsd;
  readonly payoutRate: Rate;
  readonly profitIfWon: MicroUsd;
  readonly limitPrice: Points | null;
  readonly configVersion: number;
}

const orderFields = record({
  clientOrderId: text,
  configVersion: count,
  direction: oneOf("up", "down"),
  duration: count,
  fee: whole,
  limitPrice: nullOr(whole),
  member: text,
  orderNo: text,
  payoutRate: whole,
  profit: whole,
  stake: whole,
  symbol,
  v: oneOf(1),
  wallet: oneOf("practice", "real"),
});

/** Null for a text that is not an order's canonical JSON. */
export function parseCommittedOrder(json: string): CommittedOrder | null {
  return orNull(() => {
    const read = orderFields(parseCanonical(utf8(json)), "order");
    return {
      ...read,
      durationSeconds: read.duration,
      stake: read.stake as MicroUsd,
      fee: read.fee as MicroUsd,
      payoutRate: read.payoutRate as Rate,
      profitIfWon: read.profit as MicroUsd,
      limitPrice: read.limitPrice as Points | null,
    };
  });
}

/** What a verifier needs of a configuration. */
export interface ConfigTerms {
  readonly version: TradingConfig["version"];
  readonly effectiveAt: TradingConfig["effectiveAt"];
  readonly instruments: readonly InstrumentRules[];
}

export interface InstrumentRules {
  readonly symbol: string;
  readonly feeRate: Rate;
  readonly staleExitMs: bigint;
  readonly durations: readonly { readonly seconds: number; readonly payoutRate: Rate }[];
}

// Only these fields are rules of settling; the hash in the log binds all the others too.
const configFields = pick({
  version: count,
  effectiveAt: instant,
  instruments: listOf(
    pick({
      symbol,
      feeRate: whole,
      staleExitMs: whole,
      durations: listOf(pick({ seconds: count, payoutRate: whole })),
    }),
  ),
});

/** Null for a text that is not a configuration's canonical JSON. */
export function parseConfigTerms(body: string): ConfigTerms | null {
  return orNull(() => {
    const { version, effectiveAt, instruments } = configFields(parseCanonical(utf8(body)), "config");
    return {
      version,
      effectiveAt,
      instruments: instruments.map((rules) => ({
        symbol: rules.symbol,
        staleExitMs: rules.staleExitMs,
        feeRate: rules.feeRate as Rate,
        durations: rules.durations.map(({ seconds, payoutRate }) => ({ seconds, payoutRate: payoutRate as Rate })),
      })),
    };
  });
}

export function findRules(config: ConfigTerms, symbolWanted: string): InstrumentRules | null {
  return config.instruments.find((rules) => rules.symbol === symbolWanted) ?? null;
}

/** Whether rate, fee and profit are those that the configuration gives for this stake and duration. */
export function termsFollow(order: CommittedOrder, rules: InstrumentRules): boolean {
  const offer = rules.durations.find((each) => each.seconds === order.durationSeconds);
  if (offer === undefined) return false;
  const quote = calculateQuote(rules, offer, order.stake);
  return quote.payoutRate === order.payoutRate && quote.fee === order.fee && quote.profitIfWon === order.profitIfWon;
}

function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ShapeError) return null;
    throw error;
  }
}
