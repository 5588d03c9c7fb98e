import { judgeTronAddress } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import * as v from "valibot";

/** A node of the signer's own. */
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
  /** Said by a person who has looked: amounts are millionths of the token, so that it has six decimals. */
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
/** By its address alone, or with headers that go with every request to it: the key that its provider gave. */
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
    /** JSON-RPC, of the signer's own: asked at the start for the token's decimals. */
    nodes: v.optional(nodes, []),
  }),
  v.strictObject({
    ...place,
    kind: v.literal("tron"),
    token: tronToken,
    /** Nodes of the signer's own, HTTP: all have to show that an expired transaction was never taken before another is signed. */
    nodes: v.pipe(nodes, v.minLength(1)),
  }),
]);
export type SignerChain = v.InferOutput<typeof chain>;
export type TronSignerChain = Extract<SignerChain, { kind: "tron" }>;

/**
 * What the signer allows whatever it is asked: `SIGNER_RULES`, JSON. Amounts in the token's millionths. A name that it does not know is
 * refused: a limit that is misspelt would else be none.
 */
const rules = v.strictObject({
  /** The only chains that it signs for, and the one contract of each that it calls. */
  chains: v.array(chain),
  /** Above it never, whoever agrees. */
  paymentMax: v.optional(units, "50000000000"),
  dayMax: v.optional(units, "500000000000"),
  /** To these without an operator's signature. */
  automaticMax: v.optional(units, "500000000"),
  automaticDayMax: v.optional(units, "20000000000"),
  /** Above it two operators. */
  singleMax: v.optional(units, "5000000000"),
  /** Wei; a fee above it empties the wallet by its gas. */
  feePerGasMax: v.optional(units, "500000000000"),
  gas: v.optional(units, "120000"),
  /** Millionths of a TRX that one transaction on TRON may burn. */
  feeLimitMax: v.optional(units, "100000000"),
  /** Wei that one deposit address, and all in 24 hours, may be given for gas. */
  topUpMax: v.optional(units, "20000000000000000"),
  topUpDayMax: v.optional(units, "500000000000000000"),
  /** For a sandbox, and for the first key of a live deployment: a key is believed without a colleague's signature while no colleague has one. */
  trustFirstKey: v.optional(v.boolean(), false),
});
export type SignerRules = v.InferOutput<typeof rules>;

export interface SignerSettings {
  readonly port: number;
  /** Whoever calls has to know it. */
  readonly secret: string;
  readonly folder: string;
  readonly rules: SignerRules;
}

export function parseRules(text: string): SignerRules {
  return v.parse(rules, JSON.parse(text));
}

/** Reads the signer's environment. Throws an `Error` that names what is wrong. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SignerSettings {
  const { SIGNER_PORT = "0", SIGNER_SECRET = "", SIGNER_FOLDER = "", SIGNER_RULES = "" } = env;
  if (!/^[0-9]{1,5}$/.test(SIGNER_PORT)) throw new Error("SIGNER_PORT is to be a port.");
  if (SIGNER_SECRET.length < 32) throw new Error("SIGNER_SECRET is to have at least 32 characters.");
  if (SIGNER_FOLDER === "") throw new Error("SIGNER_FOLDER is to name the folder of the seed and the journal.");
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
