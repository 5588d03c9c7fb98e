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

/** What the commitments of given-up seeds are written down as. */
const SEEDS = "seeds";

/** Opens the key that signs slot heads; makes it where it is missing. */
export function openSlotSigner({ dataDir, logOrigin }: Pick<Config, "dataDir" | "logOrigin">): AcceptanceSigner {
  return openAcceptanceSigner(join(dataDir, "market", "slots.key"), `${logOrigin}/slots`);
}

/** Opens the folder of the simulated market's seeds. */
export function openSeeds({ dataDir }: Pick<Config, "dataDir">): SeedVault {
  return openSeedVault(join(dataDir, "market"));
}

/**
 * Refuses to run the market with another data folder than the one it began with: its slot key or its embedded beacon is another
 * one, or a seed is missing of an epoch that the database holds a commitment of. With `ADOPT_DATA_DIR` the missing seeds are written down as
 * given up, and are not asked for again. Throws a `ConfigError`.
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

/** The chain that opened epochs wait for; one that somebody else runs has no key here to lose. */
function embeddedBeacon({ beacon }: Pick<Config, "beacon">): HeldKeys[] {
  if (beacon === null || beacon.times === null) return [];
  return [{ name: "beacon", fingerprints: [fingerprintOf(toHex(beacon.publicKey))] }];
}

/** Epochs that were committed to and not revealed, whose seed the vault has not and nobody gave up. */
async function missingSeeds(database: Database, vault: SeedVault): Promise<readonly EpochRow[]> {
  const givenUp = await readGivenUp(database, SEEDS);
  const waiting = (await readEpochs(database)).filter((row) => row.seed === null);
  return waiting.filter(({ epoch, params_hash, commit }) => {
    if (givenUp.has(toHex(commit))) return false;
    const seed = vault.read(epoch);
    return seed === null || !equalBytes(sm1Commit(nodeHashes, epoch, seed, params_hash), commit);
  });
}
