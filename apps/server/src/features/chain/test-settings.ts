import type { MicroUsd, Rate } from "@fairtick/domain";
import type { ChainSettings } from "../../platform/chain-settings.ts";

/** The embedded test chain's settings, for tests: two confirmations, 5.00 at least, may be wiped. */
export function chainSettings(url: string, token: string, change: Partial<ChainSettings> = {}): ChainSettings {
  return {
    chain: "test",
    name: "Test chain",
    url,
    witnessUrl: null,
    token,
    confirmations: 2,
    minimum: 5_000_000n as MicroUsd,
    rate: 1_000_000n as Rate,
    explorer: null,
    genesis: null,
    startHeight: null,
    mayStartAnew: true,
    ...change,
  };
}
