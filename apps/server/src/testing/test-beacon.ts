import { join } from "node:path";
import { type Clock, toHex } from "@fairtick/domain";
import { openBeaconDoor, openBeaconKey, type RunningBeacon, startBeacon } from "../features/beacon/index.ts";
import type { MarketBeacon } from "../features/market/index.ts";
import type { Config } from "../platform/config.ts";

/** The embedded beacon within a test's process. It can be stopped and started again at its address. */
export interface TestBeacon {
  /** The setting that the start script passes to the family's processes. */
  readonly environment: { readonly EMBEDDED_BEACON: string };
  readonly settings: NonNullable<Config["beacon"]>;
  readonly market: MarketBeacon;
  end(): Promise<void>;
  begin(): Promise<void>;
}

/** @param folder the key's folder; an existing chain continues */
export async function startTestBeacon(folder: string, clock: Clock): Promise<TestBeacon> {
  const key = openBeaconKey(join(folder, "beacon", "chain.json"), clock);
  const { genesis, period, publicKey } = key.chain;
  let running: RunningBeacon | undefined = await startBeacon(key, clock);
  const { url } = running;
  const told = { url, key: toHex(publicKey), genesis: Number(genesis), period: Number(period) };
  return {
    environment: { EMBEDDED_BEACON: JSON.stringify(told) },
    settings: { url, publicKey, times: { genesis, period } },
    market: { chain: key.chain, door: openBeaconDoor(url, key.chain, () => undefined) },
    async end() {
      await running?.close();
      running = undefined;
    },
    async begin() {
      running ??= await startBeacon(key, clock, { port: Number(new URL(url).port) });
    },
  };
}
