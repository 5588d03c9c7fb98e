import { judgeTronAddress } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import * as v from "valibot";

/** A node that the signer itself runs or has chosen. */
export interface SignerNode {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const units = v.pipe(
  v.string(),
  v.regex(/^[0-9]{1,18}$/),
  v.transform((text) => BigInt(text)),
);
const place = {
  chain: v.pipe(
    v.string(),
    v.regex(/^[0-9]{1,20}$/),
    v.transform((text) => BigInt(text)),
  ),
  genesis: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/)),
  /** Confirmed by a person who has checked: amounts are millionths of the token, so it must have six decimals. */
  decimals: v.optional(v.literal(6, "decimals can be 6 alone: amounts are counted in millionths of a token")),
};
const tronToken = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }): string => {
    const judged = judgeTronAddress(dataset.value, (bytes) => nodeHashes.sha256(bytes));
    if (judged.ok) return judged.value;
    addIssue({ message: "is to be a TRON address" });
    return NEVER;
  }),
);
const url = v.pipe(v.string(), v.url());
/** A node by its address alone, or with headers that are sent with every request, such as its provider's key. */
const node = v.union([
  v.pipe(
    url,
    v.transform((text): SignerNode => ({ url: text, headers: {} })),
  ),
  v.strictObject({
    url,
    headers: v.record(
      v.pipe(
        v.string(),
        v.regex(
          /^(?!(?:content-type|content-length|host|connection|transfer-encoding)$)[A-Za-z0-9-]{1,64}$/i,
          "headers of nodes have names that can be chosen",
        ),
      ),
      v.pipe(
        v.string(),
        v.regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,510}[\x21-\x7e])?$/, "headers of nodes have values of one line"),
      ),
    ),
  }),
]);
const nodes = v.array(node);
const chain = v.variant("kind", [
  v.strictObject({
    ...place,
    kind: v.optional(v.literal("evm"), "evm"),
    token: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}$/)),
    /** The signer's own JSON-RPC nodes, which are asked for the token's decimals at the start. */
    nodes: v.optional(nodes, []),
  }),
  v.strictObject({
    ...place,
    kind: v.literal("tron"),
    token: tronToken,
    /**
     * The signer's own HTTP nodes. All must report that an expired transaction was never included before another one is
     * signed.
     */
    nodes: v.pipe(nodes, v.minLength(1)),
  }),
]);
export type SignerChain = v.InferOutput<typeof chain>;
export type TronSignerChain = Extract<SignerChain, { kind: "tron" }>;

/**
 * Limits that apply to everything the signer is asked to do, from `SIGNER_RULES`, as JSON. Amounts are millionths of
 * the token. Unknown names are refused, because a misspelt limit would otherwise have no effect.
 */
const rules = v.strictObject({
  /** The only chains for which it signs, and the one contract that it calls on each. */
  chains: v.array(chain),
  /** Largest payment, whoever approves it. */
  paymentMax: v.optional(units, "50000000000"),
  dayMax: v.optional(units, "500000000000"),
  /** Limits of a payment and of a day up to which no operator's signature is needed. */
  automaticMax: v.optional(units, "500000000"),
  automaticDayMax: v.optional(units, "20000000000"),
  /** Payments above this need two operators. */
  singleMax: v.optional(units, "5000000000"),
  /** Largest fee per gas, in wei. Without this bound, gas could empty the wallet. */
  feePerGasMax: v.optional(units, "500000000000"),
  gas: v.optional(units, "120000"),
  /** The most that one transaction on TRON may burn, in millionths of a TRX. */
  feeLimitMax: v.optional(units, "100000000"),
  /** The most gas money for one deposit address, and for all of them in 24 hours, in wei. */
  topUpMax: v.optional(units, "20000000000000000"),
  topUpDayMax: v.optional(units, "500000000000000000"),
  /**
   * Trusts a key without a colleague's signature as long as no colleague has a key. For sandboxes, and for the first
   * key of a live deployment.
   */
  trustFirstKey: v.optional(v.boolean(), false),
});
export type SignerRules = v.InferOutput<typeof rules>;

export interface SignerSettings {
  readonly port: number;
  /** Secret that callers must know. */
  readonly secret: string;
  readonly folder: string;
  readonly rules: SignerRules;
}

export function parseRules(text: string): SignerRules {
  return v.parse(rules, JSON.parse(text));
}

/** Reads the signer's settings from the environment. Throws an `Error` that names what is wrong. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SignerSettings {
  const { SIGNER_PORT = "0", SIGNER_SECRET = "", SIGNER_FOLDER = "", SIGNER_RULES = "" } = env;
  if (!/^[0-9]{1,5}$/.test(SIGNER_PORT)) throw new Error("SIGNER_PORT must be a port.");
  if (SIGNER_SECRET.length < 32) throw new Error("SIGNER_SECRET must have at least 32 characters.");
  if (SIGNER_FOLDER === "") throw new Error("SIGNER_FOLDER must name the folder of the seed and the journal.");
  let read: SignerRules;
  try {
    read = parseRules(SIGNER_RULES);
  } catch (error) {
    throw new Error(`SIGNER_RULES is not understood: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  return { port: Number(SIGNER_PORT), secret: SIGNER_SECRET, folder: SIGNER_FOLDER, rules: read };
}
