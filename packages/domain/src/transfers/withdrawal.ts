import { concatBytes, utf8 } from "../log/bytes.ts";
import { canonicalJson } from "../log/canonical-json.ts";
import type { MicroUsd, Rate } from "../money/money.ts";
import { formatMoney } from "../money/money-text.ts";
import { accept, refuse, type Refusal, type Verdict } from "../base/refusal.ts";
import { divideUp, RATE_ONE } from "../money/rounding.ts";
import type { Instant } from "../base/time.ts";
import { refuseDayLimit, type WithdrawalPolicy, type WithdrawalTerms } from "./withdrawal-terms.ts";

/** The stages of a withdrawal as operators see them. */
export const WITHDRAWAL_STAGES = [
  "requested",
  "review",
  "approved",
  "reserved",
  "signed",
  "broadcast",
  "confirmed",
  "canceled",
  "rejected",
  "reverted",
  "needs_review",
] as const;
export type WithdrawalStage = (typeof WITHDRAWAL_STAGES)[number];

/**
 * Why a payment isn't sent though it is approved: the paying wallet has too little of the token or of the chain's own coin, it
 * is stopped, the signer's limit for 24 hours is reached, or the signer refuses the payment for another reason.
 */
export const PAYOUT_WAITS = ["walletFilling", "payoutsStopped", "payoutLimit", "payoutRefused"] as const;
export type PayoutWait = (typeof PAYOUT_WAITS)[number];

/** The state that a member sees: Processing, Withdrawn or Canceled. */
export type WithdrawalState = "processing" | "withdrawn" | "canceled";

export function withdrawalState(stage: WithdrawalStage): WithdrawalState {
  switch (stage) {
    case "confirmed":
      return "withdrawn";
    case "canceled":
    case "rejected":
    case "reverted":
      return "canceled";
    case "requested":
    case "review":
    case "approved":
    case "reserved":
    case "signed":
    case "broadcast":
    case "needs_review":
      return "processing";
  }
}

/**
 * Returns whether the member may still cancel a withdrawal, which they may until it gets a nonce of the paying wallet.
 * Nothing is signed before that, so approvals don't end it.
 */
export function isCancelable(stage: WithdrawalStage): boolean {
  return isUndecided(stage) || stage === "approved";
}

/** Returns whether a withdrawal still needs approvals. */
export function isUndecided(stage: WithdrawalStage): boolean {
  return stage === "requested" || stage === "review";
}

/** Calculates how much of an amount arrives. Refuses WITHDRAWAL_BELOW_MINIMUM[min], WITHDRAWAL_TOO_LARGE[max]. */
export function quoteWithdrawal(
  { minimum, maximum, fee }: WithdrawalTerms,
  amount: MicroUsd,
): Verdict<{ readonly fee: MicroUsd; readonly receives: MicroUsd }> {
  if (amount < minimum) return refuse("WITHDRAWAL_BELOW_MINIMUM", { min: formatMoney(minimum) });
  if (amount > maximum) return refuse("WITHDRAWAL_TOO_LARGE", { max: formatMoney(maximum) });
  return accept({ fee, receives: (amount - fee) as MicroUsd });
}

/**
 * Quotes a withdrawal and checks that the wallet can pay it. Also refuses WITHDRAWAL_DAY_LIMIT[max,left]. Here
 * WITHDRAWAL_TOO_LARGE[max] shows the most that this wallet could pay out, because the specification has one message
 * for both.
 */
export function judgeWithdrawal(
  terms: WithdrawalTerms,
  money: { readonly available: MicroUsd; readonly askedToday: MicroUsd },
  amount: MicroUsd,
) {
  const { available } = money;
  const maximum = available < terms.maximum ? available : terms.maximum;
  const isBeyond = amount >= terms.minimum && amount > maximum;
  if (isBeyond) return refuse("WITHDRAWAL_TOO_LARGE", { max: formatMoney(maximum) });
  const quote = quoteWithdrawal(terms, amount);
  if (!quote.ok) return quote;
  const limit = refuseDayLimit(terms, money.askedToday, amount);
  return limit === null ? quote : ({ ok: false, refusal: limit } as const);
}

/** Converts USD to millionths of a token, at a rate of USD per whole token, rounded up at the house's cost. */
export function tokenUnits(receives: MicroUsd, rate: Rate): bigint {
  return divideUp(receives * RATE_ONE, rate);
}

/** The signer's own limits in a token's smallest unit. They apply whatever the signer is asked to sign. */
export interface SignerLimits {
  /** Largest payment that it signs. */
  readonly paymentMax: bigint;
  /** A payment above this needs the approvals of two operators. */
  readonly singleMax: bigint;
  /** The most that it signs in any 24 hours. */
  readonly dayMax: bigint;
}

/**
 * Refuses FIELD_INVALID with the name of the figure of the terms that exceeds the signer's limits; null if the limits
 * cover the terms at a chain's rate. Otherwise members could request a withdrawal, and operators approve it under the
 * terms, that the signer would never pay.
 */
export function refuseBeyondSigner(
  { fee, maximum, singleMax }: WithdrawalPolicy,
  limits: SignerLimits,
  rate: Rate,
): Refusal | null {
  const units = (amount: MicroUsd) => tokenUnits((amount - fee) as MicroUsd, rate);
  const largestBySingle = singleMax < maximum ? singleMax : maximum;
  const most = limits.paymentMax < limits.dayMax ? limits.paymentMax : limits.dayMax;
  if (units(maximum) > most) return invalid("maximum");
  return units(largestBySingle) > limits.singleMax ? invalid("singleMax") : null;
}

function invalid(field: string): Refusal {
  return { error: "FIELD_INVALID", params: { field }, fields: { [field]: "FIELD_INVALID" } };
}

/** Forms of addresses on other chains, recognised so that a member learns what they mixed up. */
const OTHER_CHAINS: readonly RegExp[] = [
  /^0x[0-9a-fA-F]{64}$/,
  /^(?:bc1|tb1|ltc1)[02-9ac-hj-np-z]{20,80}$/i,
  // Bitcoin, TRON, Solana and XRP use base 58 without 0, O, I and l.
  /^[1-9A-HJ-NP-Za-km-z]{26,48}$/,
];

/** Returns whether a text looks like a wallet address on any chain. */
export function hasFormOfAnyChain(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text) || OTHER_CHAINS.some((form) => form.test(text));
}

export type Keccak256 = (bytes: Uint8Array) => Uint8Array;

/**
 * Reads an EVM address in lower case. Refuses ADDRESS_OTHER_CHAIN, ADDRESS_INVALID (also for the zero address), or
 * ADDRESS_CHECKSUM if its mixed capitals don't match EIP-55.
 */
export function judgeEvmAddress(text: string, keccak256: Keccak256): Verdict<string> {
  const digits = /^0x([0-9a-fA-F]{40})$/.exec(text)?.[1];
  if (digits === undefined) {
    return refuse(hasFormOfAnyChain(text) ? "ADDRESS_OTHER_CHAIN" : "ADDRESS_INVALID");
  }
  const small = digits.toLowerCase();
  if (/^0+$/.test(small)) return refuse("ADDRESS_INVALID");
  const mixed = digits !== small && digits !== digits.toUpperCase();
  if (mixed && withChecksum(small, keccak256) !== digits) return refuse("ADDRESS_CHECKSUM");
  return accept(`0x${small}`);
}

/** Writes the 40 digits with the capitals of EIP-55. */
function withChecksum(digits: string, keccak256: Keccak256): string {
  const hash = keccak256(utf8(digits));
  return Array.from(digits, (digit, place) => {
    const byte = hash[place >> 1] ?? 0;
    const half = place % 2 === 0 ? byte >> 4 : byte & 15;
    return half >= 8 ? digit.toUpperCase() : digit;
  }).join("");
}

/** Exactly one payment. Approvals are given for it, and it is all that the signer signs. */
export interface Payment {
  /** The withdrawal's number. */
  readonly id: string;
  /** EVM chain id; TRON's JSON-RPC has one too. */
  readonly chain: bigint;
  /** Hash of the chain's first block, because two new test chains have the same id. */
  readonly genesis: string;
  readonly token: string;
  readonly to: string;
  /** Amount in the token's smallest unit. */
  readonly amount: bigint;
  readonly expiry: Instant;
}

/** Encodes the bytes of a payment that approvals sign. Their SHA-256 is the payment's digest. */
export function paymentStatement(payment: Payment): Uint8Array {
  const { id, chain, genesis, token, to, amount, expiry } = payment;
  return concatBytes(utf8("WD1\0"), utf8(canonicalJson({ id, chain, genesis, token, to, amount, expiry })));
}

/** An operator's public key, in the form that a colleague signs when it is enrolled. */
export interface KeyEnrolment {
  readonly operator: string;
  /** A P-256 key, 65 bytes uncompressed, in base64url. */
  readonly publicKey: string;
}

export function keyStatement({ operator, publicKey }: KeyEnrolment): Uint8Array {
  return concatBytes(utf8("WK1\0"), utf8(canonicalJson({ operator, publicKey })));
}
