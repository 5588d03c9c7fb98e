import {
  canonicalJson,
  type InstrumentTerms,
  type Instant,
  type MicroUsd,
  type Points,
  type Rate,
  type TradingConfig,
} from "@fairtick/domain";
import * as v from "valibot";

/** Converts a configuration to the stored form: canonical JSON, whose bytes are hashed into the public log. */
export function configToJson({ memberRunningOrdersMax, ...config }: TradingConfig): string {
  return canonicalJson({
    ...config,
    ...(memberRunningOrdersMax !== undefined && { memberRunningOrdersMax }),
    instruments: config.instruments.map(({ title, titles, prices, ...terms }) => ({
      ...terms,
      durations: terms.durations.map((offer) => ({ ...offer })),
      // Left out if an instrument has none, so that the first version keeps the bytes that were logged.
      ...(title !== undefined && { title }),
      ...(titles !== undefined && { titles }),
      ...(prices !== undefined && { prices: { ...prices } }),
    })),
  });
}

const whole = v.pipe(v.number(), v.safeInteger());
const units = v.pipe(
  whole,
  v.transform((value) => BigInt(value)),
);

const prices = v.variant("source", [
  v.object({
    source: v.literal("simulated"),
    anchor: units,
    sigma: units,
    jump: whole,
    spread: units,
    pull: whole,
    switches: v.tuple([whole, whole, whole, whole]),
  }),
  v.object({ source: v.literal("outside"), names: v.record(v.string(), v.string()) }),
]);

const instrument = v.object({
  symbol: v.string(),
  name: v.string(),
  kind: v.picklist(["fx", "crypto"]),
  decimals: whole,
  sessionHours: v.picklist(["always", "fx-new-york"]),
  suspended: v.boolean(),
  feeRate: units,
  minStake: units,
  maxStake: units,
  durations: v.array(v.object({ seconds: whole, payoutRate: units })),
  exposureShare: units,
  staleExitMs: units,
  title: v.optional(v.string()),
  titles: v.optional(v.record(v.string(), v.string())),
  prices: v.optional(prices),
});

const config = v.object({
  version: whole,
  effectiveAt: units,
  instruments: v.array(instrument),
  memberRunningStakeMax: units,
  memberRunningOrdersMax: v.optional(whole),
  totalExposureShare: units,
});

/** Parses a stored configuration. Throws if it isn't one. */
export function configFromJson(text: string): TradingConfig {
  const read = v.parse(config, JSON.parse(text));
  return {
    version: read.version,
    effectiveAt: read.effectiveAt as Instant,
    instruments: read.instruments.map(({ title, titles, prices: made, ...terms }): InstrumentTerms => ({
      ...terms,
      feeRate: terms.feeRate as Rate,
      minStake: terms.minStake as MicroUsd,
      maxStake: terms.maxStake as MicroUsd,
      durations: terms.durations.map((offer) => ({ seconds: offer.seconds, payoutRate: offer.payoutRate as Rate })),
      exposureShare: terms.exposureShare as Rate,
      ...(title !== undefined && { title }),
      ...(titles !== undefined && { titles }),
      ...(made !== undefined && {
        prices: made.source === "outside" ? made : { ...made, anchor: made.anchor as Points },
      }),
    })),
    memberRunningStakeMax: read.memberRunningStakeMax as MicroUsd,
    ...(read.memberRunningOrdersMax !== undefined && { memberRunningOrdersMax: read.memberRunningOrdersMax }),
    totalExposureShare: read.totalExposureShare as Rate,
  };
}
