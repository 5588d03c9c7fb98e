import { type Config, ConfigError } from "./config.ts";
import { missingScanner } from "./scanner-settings.ts";
import { ADDRESS_HOURS, REST_HOURS, SANDBOX_SECRET } from "./setting-values.ts";
import { sourcesOf, sourceStandIns } from "./source-settings.ts";
import { countStrangers, LIVE_WITNESSES_MIN } from "./witness-settings.ts";

/** Lists in words which settings only a sandbox may have. Empty if the settings are fit for live. */
// oxlint-disable-next-line complexity -- one independent line for each part
export function sandboxParts(config: Config): string[] {
  const parts: string[] = [];
  const sources = sourcesOf(config.marketSources);
  if (sources.has("simulated")) parts.push("MARKET_SOURCES: the simulated market sets its own prices");
  if (sources.has("scripted")) parts.push("MARKET_SOURCES: the scripted source takes prices from a test");
  if (config.beacon?.times) parts.push("EMBEDDED_BEACON: the beacon would be the house's own");
  if (config.mailUrl === null) parts.push("MAIL_URL is not set: mails would go to the developer inbox");
  if (config.smsUrl === null) parts.push("SMS_URL is not set: messages would go to the developer inbox");
  if (config.rateLimitFactor !== 1) parts.push("RATE_LIMIT_FACTOR: rate limits are raised");
  parts.push(...sourceStandIns(config));
  if (config.secret.equals(Buffer.from(SANDBOX_SECRET, "hex")))
    parts.push("FAIRTICK_SECRET is not set: the secret would be the published one of the source code");
  if (config.chains.length === 0) parts.push("CHAIN_URL is not set: the chain would be the embedded test chain");
  if (config.testChain !== null) parts.push("TEST_CHAIN: an embedded test chain's key lies open");
  if (config.chains.some(({ mayStartAnew }) => mayStartAnew)) parts.push("CHAINS: a chain that may start anew");
  const unscanned = missingScanner(config.scanner);
  if (unscanned !== null) parts.push(unscanned);
  const unwatched = missingWitnesses(config);
  if (unwatched !== null) parts.push(unwatched);
  if (config.withdrawalRestHours < REST_HOURS)
    parts.push(`WITHDRAWAL_REST_HOURS is below ${REST_HOURS}: whoever reads a member's mail could withdraw too soon`);
  if (config.withdrawalAddressHours < ADDRESS_HOURS)
    parts.push(
      `WITHDRAWAL_ADDRESS_HOURS is below ${ADDRESS_HOURS}: a new address could be paid before its member hears of it`,
    );
  if (config.crashAt !== null) parts.push("FAIRTICK_CRASH_AT: the process is told to die");
  if (!config.publicUrl.startsWith("https:")) parts.push("PUBLIC_URL is not https");
  if (!config.consoleUrl?.startsWith("https:")) parts.push("CONSOLE_URL is not https");
  return parts;
}

/** Says why a checkpoint could count without enough outside witnesses; null if none could. */
function missingWitnesses(config: Config): string | null {
  const strangers = countStrangers(config);
  if (strangers < LIVE_WITNESSES_MIN)
    return `WITNESSES names ${strangers} outside the house's own hosts, each with a host and a key of its own: without ${LIVE_WITNESSES_MIN} nobody else can tell that two members are shown two logs`;
  const named = config.witnesses.length;
  const required = config.witnessesRequired ?? named;
  // The house's own witnesses, and all but one with the same host or key, may be among those that sign.
  const sure = Math.max(0, required - (named - strangers));
  if (sure >= LIVE_WITNESSES_MIN) return null;
  return `WITNESSES_REQUIRED: of ${required} signatures, only ${sure} would surely be from outside the house's own hosts, and ${LIVE_WITNESSES_MIN} have to be`;
}

/** Throws a `ConfigError` that names every sandbox part of a live deployment. */
export function refuseSandboxPartsInLive(config: Config): void {
  const parts = config.deployment === "live" ? sandboxParts(config) : [];
  if (parts.length > 0)
    throw new ConfigError(`DEPLOYMENT=live refuses sandbox parts:\n${parts.map((part) => `  - ${part}`).join("\n")}`);
}
