import { formatVerifierKey } from "@fairtick/transparency";
import { openHouseFileKey } from "../features/files/index.ts";
import { fingerprintOf, type HeldKeys, holdKeys } from "../features/house-keys/index.ts";
import { openBatchSigner, openLogKeyFiles } from "../features/log/index.ts";
import { openVapidKeys } from "../features/push/index.ts";
import type { Context } from "../platform/context.ts";
import type { Role } from "../platform/roles.ts";

/** The roles that use each key. Processes without them don't need it. */
const KEYS_OF = {
  log: ["log"],
  acceptance: ["api"],
  files: ["api", "console"],
  push: ["api", "jobs"],
  addresses: ["api", "chain"],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

/**
 * Makes sure that these roles run with the keys that belong to this database: those of the log, of order batches, of
 * members' files, of messages to browsers and of deposit addresses. Throws a `ConfigError` that says what to do.
 */
export async function holdServerKeys({ config, databases }: Pick<Context, "config" | "databases">): Promise<void> {
  const uses = (key: keyof typeof KEYS_OF) => KEYS_OF[key].some((role) => config.roles.has(role));
  const held: HeldKeys[] = [];
  const hold = (name: string, ...fingerprints: string[]) => held.push({ name, fingerprints });
  const logKeys = uses("log") ? openLogKeyFiles(config.dataDir, config.logOrigin).map(({ verifier }) => verifier) : [];
  if (uses("log")) hold("log", ...logKeys.map((key) => fingerprintOf(formatVerifierKey(key))));
  if (uses("acceptance")) {
    const batches = openBatchSigner(config, logKeys[0]?.name ?? config.logOrigin);
    hold("acceptance", fingerprintOf(formatVerifierKey(batches.verifier)));
  }
  if (uses("files")) hold("files", fingerprintOf(await openHouseFileKey(config.dataDir)));
  if (uses("push")) hold("push", fingerprintOf(openVapidKeys(config.dataDir).publicKey));
  const { depositXpub, depositTronXpub } = config;
  if (uses("addresses") && depositXpub !== null) hold("deposit addresses", fingerprintOf(depositXpub));
  if (uses("addresses") && depositTronXpub !== null) hold("deposit addresses on TRON", fingerprintOf(depositTronXpub));
  await holdKeys(databases.log, config, held);
}
