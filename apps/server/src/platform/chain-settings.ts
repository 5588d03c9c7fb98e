import { type ChainKind, judgeTronAddress, type MicroUsd, type Rate } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import * as v from "valibot";

export type RequestHeaders = Readonly<Record<string, string>>;

/** A chain that members can deposit from. */
export interface ChainSettings {
  /** Its name in calls and tables: `ethereum`. */
  readonly chain: string;
  readonly kind: ChainKind;
  /** Its name on screens. */
  readonly name: string;
  /** A node's JSON-RPC address. */
  readonly url: string;
  /** A node run by someone else. Nothing is credited unless it confirms it. */
  readonly witnessUrl: string | null;
  /** Address of a TRON node's `/wallet` calls; null for an EVM chain, which takes payments by JSON-RPC. */
  readonly walletUrl: string | null;
  /** Headers for requests to `url` and `walletUrl`, and for those to `witnessUrl`, such as a node provider's key. */
  readonly headers: RequestHeaders;
  readonly witnessHeaders: RequestHeaders;
  /** The token's contract, the only one that counts: `0x` and 40 lowercase digits, on TRON too. */
  readonly token: string;
  /** Number of blocks including the transfer's own, or `finalized` for what the chain itself calls so. */
  readonly confirmations: number | "finalized";
  /** A smaller transfer is stored but not credited. In millionths of the token. */
  readonly minimum: MicroUsd;
  /** Credited deposits at one address are swept from this amount on, in millionths of the token; null sweeps nothing. */
  readonly sweepAbove: MicroUsd | null;
  /** USD for one token. */
  readonly rate: Rate;
  /** `https://etherscan.io/tx/{hash}` */
  readonly explorer: string | null;
  /** The genesis block that the chain must have; null accepts the first one seen. */
  readonly genesis: string | null;
  /** The block to start reading at; null starts at the newest block when the chain is first seen. */
  readonly startHeight: number | null;
  /** Whether it is a test chain that may be wiped. Then another genesis block starts a new instance instead of an alarm. */
  readonly mayStartAnew: boolean;
}

/** The embedded test chain, with a wallet for test deposits. */
export interface TestChainSettings {
  readonly rpc: string;
  readonly chainId: number;
  readonly token: string;
  readonly wallet: { readonly address: string; readonly privateKey: string };
}

const address = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-fA-F]{40}$/, "is to be 0x and 40 hexadecimal digits"),
  v.toLowerCase(),
);
const hash = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-fA-F]{64}$/, "is to be 0x and 64 hexadecimal digits"),
  v.toLowerCase(),
);
const units = v.pipe(
  v.string(),
  v.regex(/^[0-9]{1,9}(?:\.[0-9]{1,6})?$/, "is to be a decimal with at most six places"),
  v.transform((text) => {
    const [whole = "0", part = ""] = text.split(".");
    return BigInt(whole + part.padEnd(6, "0"));
  }),
);
const named = <Kind extends bigint>() => v.transform((value: bigint) => value as Kind);

const tronAddress = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }): string => {
    const judged = judgeTronAddress(dataset.value, (bytes) => nodeHashes.sha256(bytes));
    if (judged.ok) return judged.value;
    addIssue({ message: "is to be a TRON address, T and 33 characters" });
    return NEVER;
  }),
);
/** Headers that may not be set, since the request itself needs them. */
const OURS = new Set(["content-type", "content-length", "host", "connection", "transfer-encoding"]);
const headers = v.record(
  v.pipe(
    v.string(),
    v.regex(/^[A-Za-z0-9-]{1,64}$/, "is to be a header's name"),
    v.check((name) => !OURS.has(name.toLowerCase()), "is a header that cannot be chosen"),
  ),
  v.pipe(v.string(), v.regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,510}[\x21-\x7e])?$/, "is to be a header's value")),
);
const common = {
  chain: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,32}$/, "is to be lower case letters, digits and hyphens")),
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(40)),
  url: v.pipe(v.string(), v.url()),
  witnessUrl: v.optional(v.nullable(v.pipe(v.string(), v.url())), null),
  headers: v.optional(headers, {}),
  witnessHeaders: v.optional(headers, {}),
  minimum: v.optional(v.pipe(units, named<MicroUsd>()), "5"),
  rate: v.optional(
    v.pipe(
      units,
      v.check((rate) => rate > 0n, "is to be more than nothing"),
      named<Rate>(),
    ),
    "1",
  ),
  explorer: v.optional(v.nullable(v.pipe(v.string(), v.url(), v.includes("{hash}"))), null),
  genesis: v.optional(v.nullable(hash), null),
  startHeight: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))), null),
  mayStartAnew: v.optional(v.boolean(), false),
};
const confirmations = v.union([
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)),
  v.literal("finalized"),
]);
const chain = v.variant("kind", [
  v.strictObject({
    ...common,
    kind: v.optional(v.literal("evm"), "evm"),
    walletUrl: v.optional(v.null("is of a chain of TRON alone: on this one payments are handed in by url"), null),
    sweepAbove: v.optional(v.nullable(v.pipe(units, named<MicroUsd>())), null),
    token: address,
    confirmations: v.optional(confirmations, 12),
  }),
  v.strictObject({
    ...common,
    kind: v.literal("tron"),
    walletUrl: v.pipe(
      v.string(),
      v.url(),
      v.transform((text) => text.replace(/\/$/, "")),
    ),
    sweepAbove: v.optional(v.null("is for EVM chains: on TRON nothing is brought in by itself, leave it out"), null),
    token: tronAddress,
    // A solidified block can't be removed any more. That takes about a minute.
    confirmations: v.optional(confirmations, "finalized"),
  }),
]);

const json = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }): unknown => {
    try {
      return JSON.parse(dataset.value);
    } catch {
      addIssue({ message: "is to be JSON" });
      return NEVER;
    }
  }),
);

/** Parses `CHAINS`, a list with each chain once. */
export const chainList: v.GenericSchema<string, ChainSettings[]> = v.pipe(
  json,
  v.array(chain),
  v.check((chains) => new Set(chains.map(({ chain }) => chain)).size === chains.length, "names a chain twice"),
  v.check(
    (chains) => chains.every((one) => one.witnessUrl !== null || Object.keys(one.witnessHeaders).length === 0),
    "has witnessHeaders of a chain without a witnessUrl: name the node that they are for",
  ),
  v.check(
    (chains) => chains.every(({ genesis, mayStartAnew }) => genesis === null || !mayStartAnew),
    "has a chain that may start anew from one genesis block alone: leave genesis or mayStartAnew out",
  ),
);

/** Parses `TEST_CHAIN`, which the start script sets. */
export const testChain: v.GenericSchema<string, TestChainSettings> = v.pipe(
  json,
  v.strictObject({
    rpc: v.pipe(v.string(), v.url()),
    chainId: v.pipe(v.number(), v.integer()),
    token: address,
    wallet: v.strictObject({ address, privateKey: hash }),
  }),
);

export const chainToken = address;

/** The environment's settings about chains and the signer, each parsed separately. */
interface GivenChains {
  readonly DEPLOYMENT: string;
  readonly CHAIN_URL?: string | undefined;
  readonly CHAIN_TOKEN?: string | undefined;
  readonly CHAINS?: readonly ChainSettings[] | undefined;
  readonly DEPOSIT_TRON_XPUB?: string | undefined;
  readonly SIGNER_URL?: string | undefined;
  readonly SIGNER_SECRET?: string | undefined;
}

/** Returns the chains: `CHAINS` names several, `CHAIN_URL` with `CHAIN_TOKEN` one. A sentence if a given setting would have no effect. */
export function chainsOf(given: GivenChains): readonly ChainSettings[] | string {
  const { CHAIN_URL: url, CHAIN_TOKEN: token, CHAINS: named } = given;
  if (url !== undefined && token === undefined)
    return "CHAIN_URL names a node: CHAIN_TOKEN is to name the USDT contract there (0x and 40 digits).";
  if (named !== undefined && (url !== undefined || token !== undefined))
    return "CHAINS names the chains: leave CHAIN_URL and CHAIN_TOKEN out, or put that chain into CHAINS.";
  if (url === undefined && token !== undefined)
    return "CHAIN_TOKEN names a contract: CHAIN_URL is to name a node of its chain.";
  const single = url === undefined ? [] : [v.parse(chain, { chain: "evm", name: "EVM", url, token })];
  const chains = named ?? single;
  return unheeded(given, chains) ?? chains;
}

/** Returns a sentence about a setting that has no effect; null if there is none. A sandbox's start adds its own signer. */
function unheeded(given: GivenChains, chains: readonly ChainSettings[]): string | null {
  if (given.SIGNER_SECRET !== undefined && given.SIGNER_URL === undefined)
    return "SIGNER_SECRET is a signer's: SIGNER_URL is to say where it answers.";
  if (given.DEPOSIT_TRON_XPUB !== undefined && !chains.some(({ kind }) => kind === "tron"))
    return "DEPOSIT_TRON_XPUB is for a chain of TRON, and CHAINS names none.";
  const swept = chains.find(({ sweepAbove }) => sweepAbove !== null);
  return given.DEPLOYMENT === "live" && given.SIGNER_URL === undefined && swept !== undefined
    ? `CHAINS has sweepAbove of "${swept.chain}": SIGNER_URL is to name the signer that would bring deposits in.`
    : null;
}
