import { join } from "node:path";
import { formatVerifierKey } from "@fairtick/transparency";
import { type AcceptanceSigner, openAcceptanceSigner } from "../../platform/acceptance-signer.ts";
import type { Config } from "../../platform/config.ts";
import { openLogKeyFiles } from "./log-keys.ts";

/** Opens the key that signs batches of orders, named after the log; makes it where it is missing. */
export function openBatchSigner(config: Pick<Config, "dataDir">, logOrigin: string): AcceptanceSigner {
  return openAcceptanceSigner(join(config.dataDir, "acceptance", "server.key"), `${logOrigin}/acceptance`);
}

/** What a witness that keeps a board is told: the key under which this deployment accepts orders, made where it is missing. */
export function acceptanceVerifierKey(config: Pick<Config, "dataDir" | "logOrigin">): string {
  const [first] = openLogKeyFiles(config.dataDir, config.logOrigin);
  return formatVerifierKey(openBatchSigner(config, first?.verifier.name ?? config.logOrigin).verifier);
}
