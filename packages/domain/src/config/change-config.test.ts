import { describe, expect, it } from "vitest";
import { changeConfig, type ConfigChange, configDifferences } from "./change-config.ts";
import { firstTradingConfig } from "./first-config.ts";
import type { MicroUsd, Rate } from "../money/money.ts";
import type { Instant } from "../base/time.ts";

const first = firstTradingConfig(1_000n as Instant);
const next = { version: 2, effectiveAt: 2_000n as Instant };
const usd = (dollars: number) => (BigInt(dollars) * 1_000_000n) as MicroUsd;
const rate = (millionths: number) => BigInt(millionths) as Rate;
const offer = (seconds: number, millionths: number) => ({ seconds, payoutRate: rate(millionths) });
const eur = (change: object): ConfigChange => ({ instruments: [{ symbol: "EURUSD", ...change }] });

describe("the next version", () => {
  it("changes what was asked for and keeps the rest", () => {
    const changed = changeConfig(first, eur({ durations: [offer(60, 700_000), offer(30, 820_000)] }), next);
    if (!changed.ok) throw new Error(changed.refusal.error);
    expect(changed.value).toMatchObject(next);
    const [terms] = changed.value.instruments;
    expect(terms?.durations).toEqual([offer(30, 820_000), offer(60, 700_000)]);
    expect(changed.value.instruments.slice(1)).toEqual(first.instruments.slice(1));
    const said = configDifferences(first, changed.value);
    expect(said).toContainEqual({ what: "EURUSD 60 s payoutRate", before: "0.85", after: "0.70" });
    expect(said).toContainEqual({ what: "EURUSD 3600 s payoutRate", before: "0.90", after: "–" });
    expect(said).toHaveLength(6);
  });

  it.each<[string, ConfigChange, string]>([
    ["a change without effect", eur({ suspended: false }), "instruments"],
    ["a fee above a tenth", eur({ feeRate: rate(100_001) }), "feeRate"],
    ["a minimum stake of zero", eur({ minStake: usd(0) }), "minStake"],
    ["a minimum stake above the maximum", eur({ minStake: usd(1_001) }), "minStake"],
    ["a part of a cent", eur({ maxStake: 1_000_001n as MicroUsd }), "maxStake"],
    ["an exposure share of zero", eur({ exposureShare: rate(0) }), "exposureShare"],
    ["an exposure share above the pool", eur({ exposureShare: rate(1_000_001) }), "exposureShare"],
    ["a duration twice", eur({ durations: [offer(60, 800_000), offer(60, 850_000)] }), "durations"],
    ["a duration below half a minute", eur({ durations: [offer(29, 800_000)] }), "durations"],
    ["a duration above an hour", eur({ durations: [offer(3_601, 800_000)] }), "durations"],
    ["a payout of zero", eur({ durations: [offer(60, 0)] }), "durations"],
    ["a payout above twice the stake", eur({ durations: [offer(60, 2_000_001)] }), "durations"],
    ["a limit of zero on running stakes", { house: { memberRunningStakeMax: usd(0) } }, "memberRunningStakeMax"],
    ["a limit of zero on running orders", { house: { memberRunningOrdersMax: 0 } }, "memberRunningOrdersMax"],
    ["too many running orders", { house: { memberRunningOrdersMax: 10_001 } }, "memberRunningOrdersMax"],
    ["a total exposure above the pool", { house: { totalExposureShare: rate(1_000_001) } }, "totalExposureShare"],
  ])("refuses %s", (_what, change, field) => {
    expect(changeConfig(first, change, next)).toMatchObject({ refusal: { error: "FIELD_INVALID", params: { field } } });
  });

  it("changes the limit on running orders, and shows the default for a version that did not state one", () => {
    const { memberRunningOrdersMax: _max, ...old } = first;
    const changed = changeConfig(old, { house: { memberRunningOrdersMax: 150 } }, next);
    if (!changed.ok) throw new Error(changed.refusal.error);
    expect(configDifferences(old, changed.value)).toEqual([
      { what: "memberRunningOrdersMax", before: "200", after: "150" },
    ]);
    // A limit that already applies is not a change.
    expect(changeConfig(old, { house: { memberRunningOrdersMax: 200 } }, next)).toMatchObject({ ok: false });
    expect(changeConfig(old, eur({ suspended: true }), next)).not.toHaveProperty("value.memberRunningOrdersMax");
  });

  it("refuses an instrument that does not exist", () => {
    const change = { instruments: [{ symbol: "NOPE", suspended: true }] };
    expect(changeConfig(first, change, next)).toMatchObject({ refusal: { error: "INSTRUMENT_UNKNOWN" } });
  });
});
