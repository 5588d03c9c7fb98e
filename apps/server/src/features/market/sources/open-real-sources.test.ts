import { firstTradingConfig, type Instant } from "@fairtick/domain";
import { quoteAgreement } from "@fairtick/transparency";
import { describe, expect, it } from "vitest";
import { planRealMarket } from "./open-real-sources.ts";

const { instruments } = firstTradingConfig(0n as Instant);

describe("sources that must agree", () => {
  it("may differ by exactly as much as verifiers of their signed quotes allow", () => {
    const plan = new Map(instruments.map(({ symbol }) => [symbol, ["kraken", "pyth"] as const]));
    const market = planRealMarket(instruments, plan, 2);
    const signed = [...market.signed.values()];
    expect(signed.length).toBeGreaterThan(0);
    const agreed = new Map(market.instruments.map(({ symbol, agreement }) => [symbol, agreement]));
    expect(signed.map(({ symbol, confMax }) => [symbol, quoteAgreement(confMax)])).toEqual(
      signed.map(({ symbol }) => [symbol, agreed.get(symbol)]),
    );
    expect(new Set(agreed.values()).size).toBe(2);
  });
});
