import type { MicroUsd, Rate } from "@fairtick/domain";
import { TRON_TOKEN } from "@fairtick/test-chain/tron";
import type { ChainSettings } from "../../platform/chain-settings.ts";

/** Settings of the embedded test chain: two confirmations, a minimum of 5.00, may be wiped. */
export function chainSettings(url: string, token: string, change: Partial<ChainSettings> = {}): ChainSettings {
  return {
    chain: "test",
    kind: "evm",
    name: "Test chain",
    url,
    witnessUrl: null,
    walletUrl: null,
    headers: {},
    witnessHeaders: {},
    token,
    confirmations: 2,
    minimum: 5_000_000n as MicroUsd,
    sweepAbove: null,
    rate: 1_000_000n as Rate,
    explorer: null,
    genesis: null,
    startHeight: null,
    mayStartAnew: true,
    ...change,
  };
}

/** Settings of the test TRON node: final when solidified. */
export function tronSettings(url: string, change: Partial<ChainSettings> = {}): ChainSettings {
  const own = { chain: "tron", kind: "tron", name: "TRON", walletUrl: url, confirmations: "finalized" } as const;
  return chainSettings(`${url}/jsonrpc`, TRON_TOKEN, { ...own, mayStartAnew: false, startHeight: 1, ...change });
}
