import * as v from "valibot";

/** Everything that can be set from outside. This is the only place that reads the environment. */
export interface Config {
  readonly deployment: "sandbox" | "live";
  readonly host: string;
  /** 0 takes a free port; the start prints which. */
  readonly port: number;
  readonly metricsPort: number;
  /** Where members reach the app, without a slash at the end: links in mails, Origin check. */
  readonly publicUrl: string;
  readonly databaseUrl: string;
  readonly natsUrl: string | null;
  /** Folder of keys, seeds and files that are kept. */
  readonly dataDir: string;
  readonly logLevel: string;
  /** smtp://user:password@host:port; null: the sandbox's inbox. */
  readonly mailUrl: string | null;
  readonly mailFrom: string;
  /** The SMS gateway's HTTP address; null: the sandbox's inbox. */
  readonly smsUrl: string | null;
  /** `simulated`, `kraken`, `scripted`, or by instrument: `simulated,BTCUSD=kraken`. */
  readonly marketSources: string;
  readonly krakenUrl: string;
  /** Whether the simulated market keeps the New York session or is always open for FX. */
  readonly fxHours: "always" | "new-york";
  /** Multiplies every rate limit; above 1 only in a sandbox (tests and benchmarks). */
  readonly rateLimitFactor: number;
}

const port = v.pipe(v.string(), v.regex(/^[0-9]{1,5}$/), v.transform(Number), v.maxValue(65_535));
const text = v.pipe(v.string(), v.minLength(1));
const url = v.pipe(v.string(), v.url());

const environment = v.object({
  DEPLOYMENT: v.optional(v.picklist(["sandbox", "live"]), "sandbox"),
  HOST: v.optional(text, "127.0.0.1"),
  PORT: v.optional(port, "8080"),
  METRICS_PORT: v.optional(port, "0"),
  PUBLIC_URL: v.optional(url),
  DATABASE_URL: url,
  NATS_URL: v.optional(url),
  DATA_DIR: v.optional(text, ".data"),
  LOG_LEVEL: v.optional(v.picklist(["trace", "debug", "info", "warn", "error", "fatal", "silent"]), "info"),
  MAIL_URL: v.optional(url),
  MAIL_FROM: v.optional(text, "Fairtick <no-reply@fairtick.example>"),
  SMS_URL: v.optional(url),
  MARKET_SOURCES: v.optional(text, "simulated"),
  KRAKEN_URL: v.optional(url, "wss://ws.kraken.com/v2"),
  FX_HOURS: v.optional(v.picklist(["always", "new-york"]), "always"),
  RATE_LIMIT_FACTOR: v.optional(v.pipe(v.string(), v.regex(/^[0-9]{1,6}$/), v.transform(Number), v.minValue(1)), "1"),
});

/** A setting is wrong: one sentence for each, naming it. */
export class ConfigError extends Error {}

/** Reads the settings from an environment. Throws `ConfigError` that names every wrong one. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const read = v.safeParse(environment, given);
  if (!read.success) {
    const sentences = read.issues.map((issue) => `${v.getDotPath(issue) ?? "environment"}: ${issue.message}.`);
    throw new ConfigError(sentences.join("\n"));
  }
  const settings = read.output;
  return {
    deployment: settings.DEPLOYMENT,
    host: settings.HOST,
    port: settings.PORT,
    metricsPort: settings.METRICS_PORT,
    publicUrl: (settings.PUBLIC_URL ?? `http://${settings.HOST}:${settings.PORT}`).replace(/\/$/, ""),
    databaseUrl: settings.DATABASE_URL,
    natsUrl: settings.NATS_URL ?? null,
    dataDir: settings.DATA_DIR,
    logLevel: settings.LOG_LEVEL,
    mailUrl: settings.MAIL_URL ?? null,
    mailFrom: settings.MAIL_FROM,
    smsUrl: settings.SMS_URL ?? null,
    marketSources: settings.MARKET_SOURCES,
    krakenUrl: settings.KRAKEN_URL,
    fxHours: settings.FX_HOURS,
    rateLimitFactor: settings.RATE_LIMIT_FACTOR,
  };
}

/** What only a sandbox may use, in words; empty when the settings are fit for live. */
export function sandboxParts(config: Config): string[] {
  const parts: string[] = [];
  const sources = new Set(config.marketSources.split(",").map((part) => part.split("=").at(-1)?.trim()));
  if (sources.has("simulated")) parts.push("MARKET_SOURCES: the simulated market sets its own prices");
  if (sources.has("scripted")) parts.push("MARKET_SOURCES: the scripted source takes prices from a test");
  if (config.mailUrl === null) parts.push("MAIL_URL is not set: mails would go to the developer inbox");
  if (config.smsUrl === null) parts.push("SMS_URL is not set: messages would go to the developer inbox");
  if (config.rateLimitFactor !== 1) parts.push("RATE_LIMIT_FACTOR: rate limits are raised");
  if (!config.publicUrl.startsWith("https:")) parts.push("PUBLIC_URL is not https");
  return parts;
}

/** `live` with a sandbox part in it refuses to start and names each. */
export function refuseSandboxPartsInLive(config: Config): void {
  const parts = config.deployment === "live" ? sandboxParts(config) : [];
  if (parts.length > 0)
    throw new ConfigError(`DEPLOYMENT=live refuses sandbox parts:\n${parts.map((part) => `  - ${part}`).join("\n")}`);
}
