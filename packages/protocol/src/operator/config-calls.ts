import { DURATION_SECONDS_MAX, DURATION_SECONDS_MIN, type DurationOffer } from "@fairtick/domain";
import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { decideInput, person, proposal, reason } from "./operator-fields.ts";

/** A duration and its payout rate, as sent. */
export interface SentOffer {
  readonly seconds: number;
  readonly payoutRate: string;
}
const offer: v.GenericSchema<SentOffer, DurationOffer> = v.object({
  seconds: v.pipe(v.number(), v.integer(), v.minValue(DURATION_SECONDS_MIN), v.maxValue(DURATION_SECONDS_MAX)),
  payoutRate: f.rate,
});

/** Changes of one instrument. Fields left out stay unchanged; `durations` replaces the whole list. */
export const instrumentChange = v.object({
  symbol: f.symbol,
  suspended: v.optional(v.boolean()),
  sessionHours: v.optional(v.picklist(["always", "fx-new-york"])),
  feeRate: v.optional(f.rate),
  minStake: v.optional(f.usd),
  maxStake: v.optional(f.usd),
  exposureShare: v.optional(f.rate),
  durations: v.optional(v.pipe(v.array(offer), v.minLength(1), v.maxLength(20))),
});
export const houseChange = v.object({
  memberRunningStakeMax: v.optional(f.usd),
  memberRunningOrdersMax: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  totalExposureShare: v.optional(f.rate),
});

const simulatedPrices = v.object({
  source: v.literal("simulated"),
  anchor: f.price,
  /** Yearly volatility: 0.80 is 80 %. */
  volatility: f.rate,
  spread: f.price,
  /** Probability of a jump at each tick, in 65,536ths. */
  jump: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535)),
});
const outsidePrices = v.object({
  source: v.literal("outside"),
  /** Price source → its name for the instrument, such as `LTC/USD`, `LTCUSDT` or the id of Pyth's feed. */
  names: v.record(f.line(20), f.line(70)),
});

/** An instrument to add. None of these fields can be changed later. Its terms start as a copy of those of `termsOf`. */
export const newInstrument = v.object({
  symbol: f.symbol,
  name: f.line(21),
  /** Title in English. */
  title: f.line(60),
  titles: v.optional(v.record(f.language, f.line(60))),
  kind: v.picklist(["fx", "crypto"]),
  decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8)),
  termsOf: f.symbol,
  prices: v.variant("source", [simulatedPrices, outsidePrices]),
});

const wireTerms = v.object({
  symbol: s.text,
  name: s.text,
  decimals: s.count,
  kind: v.picklist(["fx", "crypto"]),
  suspended: v.boolean(),
  sessionHours: v.picklist(["always", "fx-new-york"]),
  feeRate: s.rateText,
  minStake: s.money,
  maxStake: s.money,
  exposureShare: s.rateText,
  durations: v.array(v.object({ seconds: s.count, payoutRate: s.rateText })),
});
export const configVersion = v.object({
  version: s.count,
  effectiveAt: s.time,
  state: v.picklist(["past", "current", "coming"]),
  instruments: v.array(wireTerms),
  memberRunningStakeMax: s.money,
  memberRunningOrdersMax: s.count,
  totalExposureShare: s.rateText,
});
export type ConfigVersion = v.InferOutput<typeof configVersion>;

export const configDifference = v.object({ what: s.text, before: s.text, after: s.text });
export const configProposal = v.object({
  ...proposal,
  /** Number of the version that it would create or has created. */
  version: s.count,
  /** Null means as soon as it is approved. */
  effectiveAt: v.nullable(s.time),
  differences: v.array(configDifference),
  /** Values it changes that others have changed since it was made. If there are any, it can no longer be approved. */
  overtaken: v.array(configDifference),
  /** Whether its date has passed or isn't later than the newest version's, so that it can no longer be approved. */
  late: v.boolean(),
});
export type ConfigProposal = v.InferOutput<typeof configProposal>;

export const configList = defineOperatorCall({
  path: "config/list",
  summary: "Lists versions of the configuration, newest first, and proposals.",
  input: v.object({}),
  output: v.object({
    versions: v.array(
      v.object({ ...configVersion.entries, differences: v.array(configDifference), approvedBy: v.nullable(person) }),
    ),
    proposals: v.array(configProposal),
    /** Which kinds of prices an added instrument can have: simulated, and the outside sources available. */
    offered: v.object({ simulated: v.boolean(), outside: v.array(s.text) }),
  }),
  limit: "read",
});

export const configPropose = defineOperatorCall({
  path: "config/propose",
  summary: "Proposes the next version, which may add an instrument. It applies to new orders from its date on.",
  input: v.object({
    /** An instrument that doesn't exist yet; `instruments` may change the terms it starts with. */
    add: v.optional(newInstrument),
    instruments: v.optional(v.pipe(v.array(instrumentChange), v.maxLength(100))),
    house: v.optional(houseChange),
    effectiveAt: v.optional(f.instant),
    reason,
  }),
  output: configProposal,
  limit: "write",
});

export const configApprove = defineOperatorCall({
  path: "config/approve",
  summary: "Approves a version. It goes into the public log and then takes effect.",
  input: decideInput,
  output: configProposal,
  limit: "write",
  subject: "proposalId",
});

export const configReject = defineOperatorCall({
  path: "config/reject",
  summary: "Rejects a version, or cancels the operator's own proposal.",
  input: decideInput,
  output: configProposal,
  limit: "write",
  subject: "proposalId",
});

export const configProposeAgain = defineOperatorCall({
  path: "config/proposeAgain",
  summary: "Proposes the changes of a waiting proposal over the newest version; the old proposal is rejected.",
  input: decideInput,
  output: configProposal,
  limit: "write",
  subject: "proposalId",
});
