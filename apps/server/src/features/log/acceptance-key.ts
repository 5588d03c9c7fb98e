import { join } from "node:path";
import { formatVerifierKey } from "@fairtick/transparency";
import { type AcceptanceSigner, openAcceptanceSigner } from "../../platform/acceptance-signer.ts";
import type { Config } from "../../platform/config.ts";
import { openLogKeyFiles } from "./log-keys.ts";

/** Opens the key that signs batches of orders, or creates it. Its name comes from the log's origin. */
export function openBatchSigner(config: Pick<Config, "dataDir">, logOrigin: string): AcceptanceSigner {
  return openAcceptanceSigner(join(config.dataDir, "acceptance", "server.key"), `${logOrigin}/acceptance`);
}

/** Returns the public key by which this deployment accepts orders, for witnesses that keep a board. Creates the key if needed. */
export function acceptanceVerifierKey(config: Pick<Config, "dataDir" | "logOrigin">): string {
  const [first] = openLogKeyFiles(config.dataDir, config.logOrigin);
  return formatVerifierKey(openBatchSigner(config, first?.verifier.name ?? config.logOrigin).verifier);
}
