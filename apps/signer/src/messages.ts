/** Messages between the server and the signer, as JSON with integers as digits. */
import type { Instant, Payment } from "@fairtick/domain";
import * as v from "valibot";

const digits = v.pipe(
  v.string(),
  v.regex(/^(?:0|[1-9][0-9]{0,77})$/),
  v.transform((text) => BigInt(text)),
);
const small = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1e9));
const hash = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/));
const address = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}$/));
const keyId = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const signature = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{86}$/));
const operator = v.pipe(v.string(), v.regex(/^[a-z0-9_-]{1,64}$/));

const payment: v.GenericSchema<unknown, Payment> = v.pipe(
  v.object({
    id: v.pipe(v.string(), v.regex(/^[a-z0-9_]{1,64}$/)),
    chain: digits,
    genesis: hash,
    token: address,
    to: address,
    amount: digits,
    expiry: digits,
  }),
  v.transform((given): Payment => ({ ...given, expiry: given.expiry as Instant })),
);

export const authorizeMessage = v.object({
  payment,
  approvals: v.pipe(v.array(v.object({ keyId, signature })), v.maxLength(10)),
});
export type AuthorizeMessage = v.InferOutput<typeof authorizeMessage>;

/** Retracts the authorization of a payment that was never signed. `final` says that its withdrawal has ended. */
export const retractMessage = v.object({ payment, final: v.optional(v.boolean()) });
export type RetractMessage = v.InferOutput<typeof retractMessage>;

const attempt = { payment, nonce: small, attempt: v.pipe(small, v.minValue(1)) };
const evmTerms = v.object({ maxFee: digits, priorityFee: digits });
/** Terms of a TRON transaction, which refers to a recent block and has an expiration instead of a nonce. */
const tronTerms = v.object({
  feeLimit: digits,
  block: v.object({ height: digits, hash }),
  expiration: digits,
});
export type EvmTerms = v.InferOutput<typeof evmTerms>;
export type TronTerms = v.InferOutput<typeof tronTerms>;

export const signMessage = v.union([
  v.object({ ...attempt, ...evmTerms.entries }),
  v.object({ ...attempt, tron: tronTerms }),
]);
export type SignMessage = v.InferOutput<typeof signMessage>;

/**
 * Moves a deposit to the paying wallet: first coins for its gas, then its tokens. The signer derives both destinations
 * itself and is never told an address.
 */
export const sweepMessage = v.object({
  id: v.pipe(v.string(), v.regex(/^swp_[a-z0-9]{1,32}$/)),
  chain: digits,
  genesis: hash,
  token: address,
  step: v.picklist(["gas", "collect"]),
  child: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 31 - 1)),
  /** Amount in wei for gas, or in the token's smallest unit. */
  amount: digits,
  nonce: small,
  attempt: v.pipe(small, v.minValue(1)),
  ...evmTerms.entries,
});
export type SweepMessage = v.InferOutput<typeof sweepMessage>;

export const enrolMessage = v.object({
  operator,
  publicKey: v.pipe(v.string(), v.regex(/^B[A-Za-z0-9_-]{86}$/)),
  approval: v.nullable(v.object({ keyId, signature })),
});
export type EnrolMessage = v.InferOutput<typeof enrolMessage>;

export const revokeMessage = v.object({ keyId, by: operator });
export type RevokeMessage = v.InferOutput<typeof revokeMessage>;

/** Reason for which the signer refuses, as a stable name. The answer also has a sentence for the log. */
export type SignerRefusal =
  /** The amount exceeds what the signer pays automatically, so operators must sign. */
  | "NEEDS_APPROVALS"
  | "DAY_LIMIT"
  | "PAYMENT_LIMIT"
  | "EXPIRED"
  | "NOT_ALLOWED"
  | "OTHER_PAYMENT"
  | "OTHER_NONCE"
  | "NOT_AUTHORIZED"
  /** The withdrawal was canceled or rejected, so it is never authorized again. */
  | "ENDED"
  /** It can't be retracted, because it was signed and its bytes may have been sent. */
  | "SIGNED"
  | "FEE"
  /** TRON only: the transaction would be valid for too long, or not at all. */
  | "EXPIRATION"
  /** TRON only: an earlier transaction may still be included, or a node doesn't confirm that it wasn't. */
  | "MAY_BE_PAID"
  | "KEY";

export type SignerAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: SignerRefusal; readonly detail: string };

export interface SignedTransaction {
  readonly raw: string;
  readonly hash: string;
  /** On TRON, the fee limit; `priorityFee` is then 0. */
  readonly maxFee: string;
  readonly priorityFee: string;
}

export interface SignerState {
  readonly address: string;
  /** Address of the paying wallet on TRON, as `0x` and 40 digits. */
  readonly tronAddress: string;
  /** Address of the wallet that pays for gas at deposit addresses. */
  readonly gasAddress: string;
  readonly keys: readonly { readonly keyId: string; readonly operator: string }[];
  /** Total of the last 24 hours, in millionths of the token. */
  readonly spentToday: string;
  readonly dayMax: string;
  /** Largest payment, and the amount above which a payment needs two operators. */
  readonly paymentMax: string;
  readonly singleMax: string;
  readonly automaticToday: string;
  readonly automaticDayMax: string;
  readonly alarms: readonly { readonly at: number; readonly text: string }[];
}
