import { equalBytes } from "@fairtick/domain";
import { type BeaconChain, chainFault } from "@fairtick/transparency";
import { type Config, ConfigError } from "../../platform/config.ts";
import type { Context } from "../../platform/context.ts";
import type { Database } from "../../platform/database.ts";
import { openBeaconDoor, readBeaconChain } from "../beacon/index.ts";
import type { MarketBeacon } from "./round-keeper.ts";
import { readParamsEntry } from "./sm1-params.ts";

const ASK_MS = 5_000;

/**
 * Returns the beacon of this deployment; null if the settings name none. The schedule of a chain's rounds comes from
 * the params in use that name its key, so that it never changes. The first time it comes from the chain itself, which has to be
 * reachable then. Throws `ConfigError` for a chain that verifiers would refuse.
 */
export function openMarketBeacon({
  config,
  databases,
  log,
}: Pick<Context, "config" | "databases" | "log">): () => Promise<MarketBeacon | null> {
  const named: Config["beacon"] = config.beacon;
  let opened: MarketBeacon | undefined;
  return async () => {
    if (named === null) return null;
    if (opened === undefined) {
      const chain = (await knownChain(databases.market, named.publicKey)) ?? (await askChain(named));
      const strange = chainFault(chain);
      if (strange !== null) throw new ConfigError(`BEACON_URL: ${strange}.`);
      const door = openBeaconDoor(named.url, chain, (round, cause) => {
        log.debug({ err: cause, round: round.toString() }, "a round of the beacon could not be fetched");
      });
      opened = { chain, door };
    }
    return opened;
  };
}

async function knownChain(database: Database, publicKey: Uint8Array): Promise<BeaconChain | null> {
  const rows = await database.query<{ entry: string }>("SELECT entry FROM sm1_params");
  const chains = rows.flatMap(({ entry }) => readParamsEntry(entry).beacon ?? []);
  return chains.find((chain) => equalBytes(chain.publicKey, publicKey)) ?? null;
}

function askChain({ url, publicKey, times }: NonNullable<Config["beacon"]>): Promise<BeaconChain> {
  if (times !== null) return Promise.resolve({ ...times, publicKey });
  return readBeaconChain(url, publicKey, AbortSignal.timeout(ASK_MS));
}
