import { identityFigures, isWrongField, type NewInstrument, termsOfAddition, wrongAddition } from "./add-instrument.ts";
import type { DurationOffer, InstrumentTerms, SessionHours, TradingConfig } from "../market/instrument.ts";
import type { MicroUsd, Rate } from "../money/money.ts";
import { formatMoney, formatRate } from "../money/money-text.ts";
import { accept, refuse, type Verdict } from "../base/refusal.ts";
import { isWholeCents, RATE_ONE } from "../money/rounding.ts";
import type { Instant } from "../base/time.ts";
import { MEMBER_RUNNING_ORDERS_MAX } from "../orders/order-limits.ts";

/** Changes of one instrument. Fields left out stay unchanged; `durations` replaces the whole list. */
export interface InstrumentChange {
  readonly symbol: string;
  readonly suspended?: boolean | undefined;
  readonly sessionHours?: SessionHours | undefined;
  readonly feeRate?: Rate | undefined;
  readonly minStake?: MicroUsd | undefined;
  readonly maxStake?: MicroUsd | undefined;
  readonly exposureShare?: Rate | undefined;
  readonly durations?: readonly DurationOffer[] | undefined;
}

export interface ConfigChange {
  /** An instrument to add to the end of the list; `instruments` may change the terms it starts with. */
  readonly add?: NewInstrument | undefined;
  readonly instruments?: readonly InstrumentChange[] | undefined;
  readonly house?:
    | {
        readonly memberRunningStakeMax?: MicroUsd | undefined;
        readonly memberRunningOrdersMax?: number | undefined;
        readonly totalExposureShare?: Rate | undefined;
      }
    | undefined;
}

/** Bounds of rates and fees. A payout above twice the stake or a fee above a tenth can only be a typing error. */
const PAYOUT_RATE_MAX = 2n * RATE_ONE;
/** Bounds of durations. The log's verifier, /fairness and the promised latest end of an order rely on them. */
export const DURATION_SECONDS_MIN = 30;
export const DURATION_SECONDS_MAX = 3_600;
const FEE_RATE_MAX = RATE_ONE / 10n;
const STAKE_MAX = 1_000_000_000_000n;
const RUNNING_ORDERS_MAX = 10_000;

/**
 * Makes the next version of the configuration, with every figure within its bounds. Refuses INSTRUMENT_UNKNOWN, or
 * FIELD_INVALID with the name of the field that is out of bounds: `instruments` if nothing would change, `symbol` if an
 * added symbol exists already. No version leaves an instrument out, so a symbol never comes to mean another one.
 */
export function changeConfig(
  config: TradingConfig,
  change: ConfigChange,
  next: { readonly version: number; readonly effectiveAt: Instant },
): Verdict<TradingConfig> {
  const changes = new Map((change.instruments ?? []).map((each) => [each.symbol, each] as const));
  const listed = withAddition(config.instruments, change.add);
  if (!listed.ok) return listed;
  for (const symbol of changes.keys()) {
    if (!listed.value.some((terms) => terms.symbol === symbol)) return refuse("INSTRUMENT_UNKNOWN");
  }
  const runningOrdersMax = change.house?.memberRunningOrdersMax ?? config.memberRunningOrdersMax;
  const changed: TradingConfig = {
    ...next,
    instruments: listed.value.map((terms) => changeTerms(terms, changes.get(terms.symbol))),
    memberRunningStakeMax: change.house?.memberRunningStakeMax ?? config.memberRunningStakeMax,
    // A version without the limit stays without it, so that its logged bytes stay the same.
    ...(runningOrdersMax !== undefined && { memberRunningOrdersMax: runningOrdersMax }),
    totalExposureShare: change.house?.totalExposureShare ?? config.totalExposureShare,
  };
  const wrong = wrongConfigField(changed);
  if (wrong !== null) return invalid(wrong);
  return configDifferences(config, changed).length === 0 ? invalid("instruments") : accept(changed);
}

function invalid(field: string): Verdict<never> {
  return refuse("FIELD_INVALID", { field }, { [field]: "FIELD_INVALID" });
}

function changeTerms(terms: InstrumentTerms, change: InstrumentChange | undefined): InstrumentTerms {
  if (change === undefined) return terms;
  return {
    ...terms,
    suspended: change.suspended ?? terms.suspended,
    sessionHours: change.sessionHours ?? terms.sessionHours,
    feeRate: change.feeRate ?? terms.feeRate,
    minStake: change.minStake ?? terms.minStake,
    maxStake: change.maxStake ?? terms.maxStake,
    exposureShare: change.exposureShare ?? terms.exposureShare,
    durations: (change.durations ?? terms.durations).toSorted((one, other) => one.seconds - other.seconds),
  };
}

function withAddition(
  instruments: readonly InstrumentTerms[],
  wish: NewInstrument | undefined,
): Verdict<readonly InstrumentTerms[]> {
  if (wish === undefined) return accept(instruments);
  const like = instruments.find(({ symbol }) => symbol === wish.termsOf);
  if (like === undefined) return invalid("termsOf");
  const terms = termsOfAddition(wish, like);
  return isWrongField(terms) ? invalid(terms.wrong) : accept([...instruments, terms]);
}

/** Returns the name of the first figure of a configuration that is out of bounds; null if none is. */
export function wrongConfigField(config: TradingConfig): string | null {
  if (config.memberRunningStakeMax <= 0n || config.memberRunningStakeMax > STAKE_MAX) return "memberRunningStakeMax";
  const { memberRunningOrdersMax: ordersMax = MEMBER_RUNNING_ORDERS_MAX } = config;
  if (!Number.isSafeInteger(ordersMax) || ordersMax < 1 || ordersMax > RUNNING_ORDERS_MAX)
    return "memberRunningOrdersMax";
  if (!isShare(config.totalExposureShare)) return "totalExposureShare";
  const wrongs = config.instruments.map((terms) => wrongAddition(terms, config.instruments) ?? wrongTermsField(terms));
  return wrongs.find((wrong) => wrong !== null) ?? null;
}

function wrongTermsField(terms: InstrumentTerms): string | null {
  const { feeRate, minStake, maxStake, exposureShare, durations } = terms;
  if (feeRate > FEE_RATE_MAX) return "feeRate";
  if (minStake <= 0n || minStake > maxStake || !isWholeCents(minStake)) return "minStake";
  if (maxStake > STAKE_MAX || !isWholeCents(maxStake)) return "maxStake";
  if (!isShare(exposureShare)) return "exposureShare";
  const isDouble = new Set(durations.map(({ seconds }) => seconds)).size !== durations.length;
  return isDouble || !durations.every(isWithinBounds) ? "durations" : null;
}

function isWithinBounds({ seconds, payoutRate }: InstrumentTerms["durations"][number]): boolean {
  const isUsualLength = seconds >= DURATION_SECONDS_MIN && seconds <= DURATION_SECONDS_MAX;
  return isUsualLength && payoutRate > 0n && payoutRate <= PAYOUT_RATE_MAX;
}

function isShare(rate: Rate): boolean {
  return rate > 0n && rate <= RATE_ONE;
}

/** One figure that differs, named as in the calls: `EURUSD 60 s payoutRate`, `0.85`, `0.80`. */
export interface ConfigDifference {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

const NONE = "–";

/** Lists the differences between two versions, for the second person and the audit trail. */
export function configDifferences(before: TradingConfig, after: TradingConfig): ConfigDifference[] {
  const house = differences("", houseFigures(before), houseFigures(after));
  const instruments = after.instruments.flatMap((terms) => {
    const old = before.instruments.find(({ symbol }) => symbol === terms.symbol);
    return differences(`${terms.symbol} `, old === undefined ? new Map() : termFigures(old), termFigures(terms));
  });
  return [...house, ...instruments];
}

function differences(
  prefix: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ConfigDifference[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].flatMap((name) => {
    const [old, now] = [before.get(name) ?? NONE, after.get(name) ?? NONE];
    return old === now ? [] : [{ what: prefix + name, before: old, after: now }];
  });
}

function houseFigures(config: TradingConfig): Map<string, string> {
  return new Map([
    ["memberRunningStakeMax", formatMoney(config.memberRunningStakeMax)],
    ["memberRunningOrdersMax", String(config.memberRunningOrdersMax ?? MEMBER_RUNNING_ORDERS_MAX)],
    ["totalExposureShare", formatRate(config.totalExposureShare)],
  ]);
}

function termFigures(terms: InstrumentTerms): Map<string, string> {
  return new Map([
    ...identityFigures(terms),
    ["suspended", terms.suspended ? "yes" : "no"],
    ["sessionHours", terms.sessionHours],
    ["feeRate", formatRate(terms.feeRate)],
    ["minStake", formatMoney(terms.minStake)],
    ["maxStake", formatMoney(terms.maxStake)],
    ["exposureShare", formatRate(terms.exposureShare)],
    ...terms.durations.map(({ seconds, payoutRate }) => [`${seconds} s payoutRate`, formatRate(payoutRate)] as const),
  ]);
}
