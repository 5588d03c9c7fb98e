import { join } from "node:path";
import { equalBytes, sm1Commit, toHex } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { formatVerifierKey } from "@fairtick/transparency";
import { type AcceptanceSigner, openAcceptanceSigner } from "../../platform/acceptance-signer.ts";
import { type Config, ConfigError } from "../../platform/config.ts";
import type { Database } from "../../platform/database.ts";
import { fingerprintOf, giveUpKeys, type HeldKeys, holdKeys, readGivenUp } from "../house-keys/index.ts";
import { openSeedVault, type SeedVault } from "./seed-vault.ts";
import { type EpochRow, readEpochs } from "./sm1-rows.ts";

/** The name under which given-up seeds are recorded. */
const SEEDS = "seeds";

/** Opens the key that signs slot heads, or creates it. */
export function openSlotSigner({ dataDir, logOrigin }: Pick<Config, "dataDir" | "logOrigin">): AcceptanceSigner {
  return openAcceptanceSigner(join(dataDir, "market", "slots.key"), `${logOrigin}/slots`);
}

/** Opens the folder of the simulated market's seeds. */
export function openSeeds({ dataDir }: Pick<Config, "dataDir">): SeedVault {
  return openSeedVault(join(dataDir, "market"));
}

/**
 * Makes sure that the market runs with the data folder it started with. Throws a `ConfigError` if the slot key or the embedded
 * beacon is a different one, or if the seed of an epoch is missing that the database has a commitment for. With
 * `ADOPT_DATA_DIR`, the missing seeds are recorded as given up and never required again.
 */
export async function holdMarketKeys(
  database: Database,
  config: Pick<Config, "dataDir" | "logOrigin" | "adoptDataDir" | "beacon">,
): Promise<void> {
  const slots = fingerprintOf(formatVerifierKey(openSlotSigner(config).verifier));
  await holdKeys(database, config, [{ name: "slots", fingerprints: [slots] }, ...embeddedBeacon(config)]);
  const missing = await missingSeeds(database, openSeeds(config));
  if (missing.length === 0) return;
  if (config.adoptDataDir) {
    const commits = missing.map(({ commit }) => toHex(commit));
    await giveUpKeys(database, { name: SEEDS, fingerprints: commits });
    return;
  }
  const epochs = missing.map(({ epoch }) => epoch.toString()).join(", ");
  throw new ConfigError(
    `The data folder ${config.dataDir} lacks seeds that the simulated market's prices are made of (epoch ${epochs}). ` +
      `Restore its folder "market" from the newest backup. If the seeds are lost for good, start once with ADOPT_DATA_DIR=yes: ` +
      `running orders whose prices cannot be made any more are refunded.`,
  );
}

/** Returns the embedded beacon's key, which is in the data folder. A beacon that someone else runs has no key here. */
function embeddedBeacon({ beacon }: Pick<Config, "beacon">): HeldKeys[] {
  if (beacon === null || beacon.times === null) return [];
  return [{ name: "beacon", fingerprints: [fingerprintOf(toHex(beacon.publicKey))] }];
}

/** Finds epochs that are committed but not revealed, and whose seeds are neither in the vault nor given up. */
async function missingSeeds(database: Database, vault: SeedVault): Promise<readonly EpochRow[]> {
  const givenUp = await readGivenUp(database, SEEDS);
  const waiting = (await readEpochs(database)).filter((row) => row.seed === null);
  return waiting.filter(({ epoch, params_hash, commit }) => {
    if (givenUp.has(toHex(commit))) return false;
    const seed = vault.read(epoch);
    return seed === null || !equalBytes(sm1Commit(nodeHashes, epoch, seed, params_hash), commit);
  });
}
