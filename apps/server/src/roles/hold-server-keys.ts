import { join } from "node:path";
import { formatVerifierKey } from "@fairtick/transparency";
import { openHouseFileKey } from "../features/files/index.ts";
import { fingerprintOf, type HeldKeys, holdKeys } from "../features/house-keys/index.ts";
import { openLogKeyFiles } from "../features/log/index.ts";
import { openVapidKeys } from "../features/push/index.ts";
import { type AcceptanceSigner, openAcceptanceSigner } from "../platform/acceptance-signer.ts";
import type { Config } from "../platform/config.ts";
import type { Context } from "../platform/context.ts";

/** Opens the key that signs batches of orders, named after the log; makes it where it is missing. */
export function openBatchSigner(config: Pick<Config, "dataDir">, logOrigin: string): AcceptanceSigner {
  return openAcceptanceSigner(join(config.dataDir, "acceptance", "server.key"), `${logOrigin}/acceptance`);
}

/**
 * Refuses to run the server with keys that are not this database's: of the log, of accepted batches, of members' files,
 * of messages to browsers, and of deposit addresses. Throws a `ConfigError` that says what to do.
 */
export async function holdServerKeys({ config, databases }: Pick<Context, "config" | "databases">): Promise<void> {
  const logKeys = openLogKeyFiles(config.dataDir, config.logOrigin).map(({ verifier }) => verifier);
  const batches = openBatchSigner(config, logKeys[0]?.name ?? config.logOrigin);
  const held: HeldKeys[] = [
    { name: "log", fingerprints: logKeys.map((key) => fingerprintOf(formatVerifierKey(key))) },
    { name: "acceptance", fingerprints: [fingerprintOf(formatVerifierKey(batches.verifier))] },
    { name: "files", fingerprints: [fingerprintOf(await openHouseFileKey(config.dataDir))] },
    { name: "push", fingerprints: [fingerprintOf(openVapidKeys(config.dataDir).publicKey)] },
  ];
  const { depositXpub, depositTronXpub } = config;
  if (depositXpub !== null) held.push({ name: "deposit addresses", fingerprints: [fingerprintOf(depositXpub)] });
  if (depositTronXpub !== null)
    held.push({ name: "deposit addresses on TRON", fingerprints: [fingerprintOf(depositTronXpub)] });
  await holdKeys(databases.log, config, held);
}
