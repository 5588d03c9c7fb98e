import { join, resolve } from "node:path";
import type { SupportHours } from "@fairtick/domain";
import * as v from "valibot";
import { beaconEnvironment, beaconOf, type BeaconSettings } from "./beacon-settings.ts";
import { databaseAddress } from "./database-address.ts";
import { type Role, roleList, ROLES } from "./roles.ts";
import {
  chainList,
  type ChainSettings,
  chainsOf,
  chainToken,
  testChain,
  type TestChainSettings,
} from "./chain-settings.ts";
import { pythOf, type PythSettings, sourceEnvironment } from "./source-settings.ts";
import {
  contact,
  hostNames,
  logins,
  number,
  oneOf,
  port,
  REST_HOURS,
  ADDRESS_HOURS,
  SANDBOX_SECRET,
  secret,
  supportHours,
  text,
  url,
  securityContactOf,
  xpub,
} from "./setting-values.ts";
import { scannerEnvironment, scannerOf, type ScannerSettings } from "./scanner-settings.ts";
import { s3Of, type S3Settings } from "./s3-settings.ts";
import { mirrorList, witnessList, type WitnessSetting } from "./witness-settings.ts";

const PROJECT_DIR = resolve(import.meta.dirname, "../../../..");

/** Everything that can be set from outside. This is the only place that reads the environment. */
export interface Config {
  readonly deployment: "sandbox" | "live";
  /** The roles that this process runs; all of them by default. */
  readonly roles: ReadonlySet<Role>;
  readonly host: string;
  /** Port of the member app. 0 takes a free one, which the start prints. */
  readonly port: number;
  readonly metricsPort: number;
  /** Port of the operators' console, which has its own origin. 0 takes a free one. */
  readonly consolePort: number;
  /** Address at which operators reach the console; null if that is where it listens. */
  readonly consoleUrl: string | null;
  /** Logins of the first admins. They are invited if the start finds no operators. */
  readonly consoleFounders: readonly string[];
  /** Address at which members reach the app, without a slash at the end. Used for links in mails and the Origin check. */
  readonly publicUrl: string;
  /** More host names that requests may use, besides those of the two addresses above and this machine's own. */
  readonly allowedHosts: readonly string[];
  /** Where to report a vulnerability: `mailto:` or an address. Null: no security.txt. */
  readonly securityContact: string | null;
  readonly databaseUrl: string;
  /** Port of the embedded PostgreSQL. 0 takes a free one. */
  readonly databasePort: number;
  readonly natsUrl: string | null;
  /** Folder of the embedded database, keys, seeds and stored files, as an absolute path. */
  readonly dataDir: string;
  /** Folder of the public log's files, which the role `log` writes and `api` reads for receipts and old prices; null: in `dataDir`. */
  readonly logFolder: string | null;
  /** Whether this folder's keys replace lost ones that the database knows. */
  readonly adoptDataDir: boolean;
  /** Bucket for members' files; null: a folder in `dataDir`. */
  readonly s3: S3Settings | null;
  /** The virus scanner for members' uploads. */
  readonly scanner: ScannerSettings;
  readonly logLevel: string;
  /** `smtp://user:password@host:port`; null: the sandbox's inbox. */
  readonly mailUrl: string | null;
  readonly mailFrom: string;
  /** The SMS gateway's HTTP address; null: the sandbox's inbox. */
  readonly smsUrl: string | null;
  /** Price sources: `simulated`, `scripted`, `kraken`, or by instrument: `simulated,BTCUSD=kraken+binance`. */
  readonly marketSources: string;
  readonly krakenUrl: string;
  readonly binanceUrl: string;
  readonly pyth: PythSettings;
  /** The beacon that simulated prices are made from; null if there is none. */
  readonly beacon: BeaconSettings | null;
  /** How many fresh sources have to agree for an instrument with several. */
  readonly marketQuorum: number;
  /** `ws://127.0.0.1:port` of the price script for the `scripted` source; sandbox only. */
  readonly marketScriptUrl: string | null;
  /** Whether the simulated market keeps the New York session or is always open for FX. */
  readonly fxHours: "always" | "new-york";
  /** Multiplies every rate limit; above 1 only in a sandbox (tests and benchmarks). */
  readonly rateLimitFactor: number;
  /** How many proxies in front are ours: this many entries at the end of X-Forwarded-For are trusted. */
  readonly trustedProxies: number;
  /** 32 bytes that key the hashes of codes and device marks, so that a stolen database doesn't reveal them. */
  readonly secret: Buffer;
  /** Address of a chain node; null: the sandbox's embedded test chain. */
  readonly chainUrl: string | null;
  /** Chains that members can deposit from; none if no node is named and no test chain runs. */
  readonly chains: readonly ChainSettings[];
  /** The account's extended public key from which deposit addresses are derived; null: no crypto deposits. */
  readonly depositXpub: string | null;
  /** The same as `depositXpub` for addresses on TRON. */
  readonly depositTronXpub: string | null;
  /** The signer's address and secret; null: no withdrawals. */
  readonly signer: SignerAddress | null;
  /** Set by the start script if it started a test chain; sandbox only. */
  readonly testChain: TestChainSettings | null;
  /** Name of the public log: the origin line of its checkpoints. Fixed once the first key is created. */
  readonly logOrigin: string;
  /** Witnesses that cosign a checkpoint before it is published: address and verifier key of each. */
  readonly witnesses: readonly WitnessSetting[];
  /** How many of them have to cosign; null: all. */
  readonly witnessesRequired: number | null;
  /** Addresses that each new checkpoint is posted to. */
  readonly checkpointMirrors: readonly string[];
  /** Office hours of customer service. */
  readonly supportHours: SupportHours;
  /** How many days a remittance waits for its transfer. Members see when it ends. */
  readonly remittanceDays: number;
  /** How many hours withdrawals wait after a member resets a password with a code. 0: not at all. */
  readonly withdrawalRestHours: number;
  /** How many hours a new withdrawal address waits if its member has no second factor. */
  readonly withdrawalAddressHours: number;
  /** Whether a new deposit requires a verified identity. A withdrawal never does. */
  readonly identityBeforeDeposit: boolean;
  /** Where this process dies in a test of restarts (`crash-point.ts`). */
  readonly crashAt: string | null;
}

export interface SignerAddress {
  readonly url: string;
  readonly secret: string;
}

const environment = v.object({
  DEPLOYMENT: v.optional(oneOf(["sandbox", "live"]), "sandbox"),
  ROLES: v.optional(roleList, ROLES.join(",")),
  HOST: v.optional(text, "127.0.0.1"),
  PORT: v.optional(port, "8080"),
  METRICS_PORT: v.optional(port, "0"),
  PUBLIC_URL: v.optional(url),
  ALLOWED_HOSTS: v.optional(hostNames),
  SECURITY_CONTACT: v.optional(contact),
  CONSOLE_PORT: v.optional(port, "8081"),
  CONSOLE_URL: v.optional(url),
  CONSOLE_FOUNDERS: v.optional(logins),
  DATABASE_URL: databaseAddress,
  DATABASE_PORT: v.optional(port, "0"),
  NATS_URL: v.optional(url),
  DATA_DIR: v.optional(text, ".data"),
  LOG_FOLDER: v.optional(text),
  ADOPT_DATA_DIR: v.optional(oneOf(["yes", "no"]), "no"),
  S3_URL: v.optional(url),
  S3_REGION: v.optional(text, "auto"),
  S3_ACCESS_KEY: v.optional(text),
  S3_SECRET_KEY: v.optional(text),
  ...scannerEnvironment,
  LOG_LEVEL: v.optional(oneOf(["trace", "debug", "info", "warn", "error", "fatal", "silent"]), "info"),
  MAIL_URL: v.optional(url),
  MAIL_FROM: v.optional(text, "Fairtick <no-reply@fairtick.example>"),
  SMS_URL: v.optional(url),
  MARKET_SOURCES: v.optional(text, "simulated"),
  ...sourceEnvironment,
  ...beaconEnvironment,
  MARKET_QUORUM: v.optional(number(2, 9), "2"),
  MARKET_SCRIPT_URL: v.optional(url),
  FX_HOURS: v.optional(oneOf(["always", "new-york"]), "always"),
  TRUSTED_PROXIES: v.optional(number(0, 9), "0"),
  FAIRTICK_SECRET: v.optional(secret, SANDBOX_SECRET),
  CHAIN_URL: v.optional(url),
  CHAIN_TOKEN: v.optional(chainToken),
  CHAINS: v.optional(chainList),
  DEPOSIT_XPUB: v.optional(xpub),
  DEPOSIT_TRON_XPUB: v.optional(xpub),
  SIGNER_URL: v.optional(url),
  SIGNER_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, "is to have at least 32 characters"))),
  TEST_CHAIN: v.optional(testChain),
  LOG_ORIGIN: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9.:/_-]{1,200}$/, "is to be a name like host/log"))),
  WITNESSES: v.optional(witnessList),
  WITNESSES_REQUIRED: v.optional(number(1, 99)),
  CHECKPOINT_MIRRORS: v.optional(mirrorList),
  SUPPORT_HOURS: v.optional(supportHours, "Mon-Fri 08:00-20:00"),
  REMITTANCE_DAYS: v.optional(number(1, 365), "14"),
  WITHDRAWAL_REST_HOURS: v.optional(number(0, 720), String(REST_HOURS)),
  WITHDRAWAL_ADDRESS_HOURS: v.optional(number(0, 720)),
  IDENTITY_BEFORE_DEPOSIT: v.optional(oneOf(["yes", "no"])),
  FAIRTICK_CRASH_AT: v.optional(text),
  RATE_LIMIT_FACTOR: v.optional(number(1, 999_999), "1"),
});

/** Thrown for wrong settings. The message has one sentence for each of them. */
export class ConfigError extends Error {}

/** Reads the settings from an environment. Throws `ConfigError` that names every wrong one. */
// oxlint-disable-next-line complexity, max-lines-per-function -- one line a setting; what branches is a default
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const read = v.safeParse(environment, given);
  if (!read.success) {
    const sentences = read.issues.map((issue) => `${v.getDotPath(issue) ?? "The environment"} ${issue.message}.`);
    throw new ConfigError(sentences.join("\n"));
  }
  const settings = read.output;
  const s3 = s3Of(settings);
  if (typeof s3 === "string") throw new ConfigError(s3);
  const chains = chainsOf(settings);
  if (typeof chains === "string") throw new ConfigError(chains);
  const beacon = beaconOf(settings);
  if (typeof beacon === "string") throw new ConfigError(beacon);
  return {
    deployment: settings.DEPLOYMENT,
    roles: settings.ROLES,
    host: settings.HOST,
    port: settings.PORT,
    metricsPort: settings.METRICS_PORT,
    consolePort: settings.CONSOLE_PORT,
    consoleUrl: settings.CONSOLE_URL?.replace(/\/$/, "") ?? null,
    consoleFounders: settings.CONSOLE_FOUNDERS?.split(",") ?? [],
    publicUrl: (settings.PUBLIC_URL ?? ownUrl(settings.HOST, settings.PORT)).replace(/\/$/, ""),
    allowedHosts: settings.ALLOWED_HOSTS?.split(",") ?? [],
    securityContact: securityContactOf(settings),
    databaseUrl: settings.DATABASE_URL,
    databasePort: settings.DATABASE_PORT,
    natsUrl: settings.NATS_URL ?? null,
    dataDir: resolve(PROJECT_DIR, settings.DATA_DIR),
    logFolder: settings.LOG_FOLDER === undefined ? null : resolve(PROJECT_DIR, settings.LOG_FOLDER),
    adoptDataDir: settings.ADOPT_DATA_DIR === "yes",
    s3,
    scanner: scannerOf(settings),
    logLevel: settings.LOG_LEVEL,
    mailUrl: settings.MAIL_URL ?? null,
    mailFrom: settings.MAIL_FROM,
    smsUrl: settings.SMS_URL ?? null,
    marketSources: settings.MARKET_SOURCES,
    krakenUrl: settings.KRAKEN_URL,
    binanceUrl: settings.BINANCE_URL,
    pyth: pythOf(settings),
    beacon,
    marketQuorum: settings.MARKET_QUORUM,
    marketScriptUrl: settings.MARKET_SCRIPT_URL ?? null,
    fxHours: settings.FX_HOURS,
    rateLimitFactor: settings.RATE_LIMIT_FACTOR,
    trustedProxies: settings.TRUSTED_PROXIES,
    secret: Buffer.from(settings.FAIRTICK_SECRET, "hex"),
    chainUrl: settings.CHAIN_URL ?? null,
    chains,
    depositXpub: settings.DEPOSIT_XPUB ?? null,
    depositTronXpub: settings.DEPOSIT_TRON_XPUB ?? null,
    signer: signerOf(settings),
    testChain: settings.TEST_CHAIN ?? null,
    logOrigin: settings.LOG_ORIGIN ?? `${hostOf(settings.PUBLIC_URL ?? ownUrl(settings.HOST, settings.PORT))}/log`,
    witnesses: settings.WITNESSES ?? [],
    witnessesRequired: witnessesRequired(settings),
    checkpointMirrors: settings.CHECKPOINT_MIRRORS ?? [],
    supportHours: settings.SUPPORT_HOURS,
    remittanceDays: settings.REMITTANCE_DAYS,
    withdrawalRestHours: settings.WITHDRAWAL_REST_HOURS,
    // A sandbox pays at once. Its screens say that a live service doesn't.
    withdrawalAddressHours: settings.WITHDRAWAL_ADDRESS_HOURS ?? (settings.DEPLOYMENT === "live" ? ADDRESS_HOURS : 0),
    identityBeforeDeposit:
      (settings.IDENTITY_BEFORE_DEPOSIT ?? (settings.DEPLOYMENT === "live" ? "yes" : "no")) === "yes",
    crashAt: settings.FAIRTICK_CRASH_AT ?? null,
  };
}

function witnessesRequired({ WITNESSES, WITNESSES_REQUIRED }: v.InferOutput<typeof environment>): number | null {
  const named = WITNESSES?.length ?? 0;
  if (WITNESSES_REQUIRED !== undefined && WITNESSES_REQUIRED > named)
    throw new ConfigError(`WITNESSES_REQUIRED is ${WITNESSES_REQUIRED}, but WITNESSES names ${named}.`);
  return WITNESSES_REQUIRED ?? null;
}

function signerOf({ SIGNER_URL, SIGNER_SECRET }: v.InferOutput<typeof environment>): SignerAddress | null {
  if (SIGNER_URL === undefined) return null;
  if (SIGNER_SECRET === undefined)
    throw new ConfigError("SIGNER_URL names a signer: SIGNER_SECRET must be its secret.");
  return { url: SIGNER_URL.replace(/\/$/, ""), secret: SIGNER_SECRET };
}

/** Returns the absolute path of the folder with the public log's files. */
export function publicLogFolder({
  dataDir,
  logFolder = null,
}: Pick<Config, "dataDir"> & Partial<Pick<Config, "logFolder">>): string {
  return logFolder ?? join(dataDir, "log", "public");
}

/** Returns the address at which a browser on this machine reaches a server that listens on `host`. */
export function ownUrl(host: string, port: number): string {
  const everywhere = host === "0.0.0.0" || host === "::";
  return `http://${everywhere ? "127.0.0.1" : host}:${port}`;
}

function hostOf(address: string): string {
  return new URL(address).host;
}
