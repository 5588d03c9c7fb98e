import { join } from "node:path";
import { equalBytes, sm1Commit } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { formatVerifierKey } from "@fairtick/transparency";
import { type AcceptanceSigner, openAcceptanceSigner } from "../../platform/acceptance-signer.ts";
import { type Config, ConfigError } from "../../platform/config.ts";
import type { Database } from "../../platform/database.ts";
import { fingerprintOf, holdKeys } from "../house-keys/index.ts";
import { openSeedVault, type SeedVault } from "./seed-vault.ts";
import { readEpochs } from "./sm1-rows.ts";

/** Opens the key that signs slot heads; makes it where it is missing. */
export function openSlotSigner({ dataDir, logOrigin }: Pick<Config, "dataDir" | "logOrigin">): AcceptanceSigner {
  return openAcceptanceSigner(join(dataDir, "market", "slots.key"), `${logOrigin}/slots`);
}

/** Opens the folder of the simulated market's seeds. */
export function openSeeds({ dataDir }: Pick<Config, "dataDir">): SeedVault {
  return openSeedVault(join(dataDir, "market"));
}

/**
 * Refuses to run the market with another data folder than the one it began with: its slot key is another one, or it has
 * none of the seeds that the database holds commitments of. Throws a `ConfigError`.
 */
export async function holdMarketKeys(
  database: Database,
  config: Pick<Config, "dataDir" | "logOrigin" | "adoptDataDir">,
): Promise<void> {
  const slots = fingerprintOf(formatVerifierKey(openSlotSigner(config).verifier));
  await holdKeys(database, config, [{ name: "slots", fingerprints: [slots] }]);
  if (config.adoptDataDir || (await holdsSeeds(database, openSeeds(config)))) return;
  throw new ConfigError(
    `The data folder ${config.dataDir} holds none of the seeds that the simulated market's prices are made of. ` +
      `Restore its folder "market" from the newest backup. If the seeds are lost for good, start once with ADOPT_DATA_DIR=yes: ` +
      `running orders whose prices cannot be made any more are refunded.`,
  );
}

/** Whether the vault has the seed of at least one epoch that was committed to and not revealed, or there is none. */
async function holdsSeeds(database: Database, vault: SeedVault): Promise<boolean> {
  const waiting = (await readEpochs(database)).filter((row) => row.seed === null);
  if (waiting.length === 0) return true;
  return waiting.some(({ epoch, params_hash, commit }) => {
    const seed = vault.read(epoch);
    return seed !== null && equalBytes(sm1Commit(nodeHashes, epoch, seed, params_hash), commit);
  });
}
