import { concatBytes, utf8 } from "../log/bytes.ts";
import { canonicalJson } from "../log/canonical-json.ts";
import type { MicroUsd, Rate } from "../money/money.ts";
import { formatMoney } from "../money/money-text.ts";
import { accept, refuse, type Refusal, type Verdict } from "../base/refusal.ts";
import { divideUp, RATE_ONE } from "../money/rounding.ts";
import type { Instant } from "../base/time.ts";
import { refuseDayLimit, type WithdrawalPolicy, type WithdrawalTerms } from "./withdrawal-terms.ts";

/** The steps of a withdrawal as operators see them. */
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

/** What a member is shown: Processing, Withdrawn, Canceled. */
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

/** Says whether the member may still cancel a withdrawal: they may while nobody has approved it. */
export function isCancelable(stage: WithdrawalStage, approvals: number): boolean {
  return isUndecided(stage) && approvals === 0;
}

/** Says whether a withdrawal still waits for its approval to be complete. */
export function isUndecided(stage: WithdrawalStage): boolean {
  return stage === "requested" || stage === "review";
}

/** Calculates what arrives of an amount. Refuses WITHDRAWAL_BELOW_MINIMUM[min], WITHDRAWAL_TOO_LARGE[max]. */
export function quoteWithdrawal(
  { minimum, maximum, fee }: WithdrawalTerms,
  amount: MicroUsd,
): Verdict<{ readonly fee: MicroUsd; readonly receives: MicroUsd }> {
  if (amount < minimum) return refuse("WITHDRAWAL_BELOW_MINIMUM", { min: formatMoney(minimum) });
  if (amount > maximum) return refuse("WITHDRAWAL_TOO_LARGE", { max: formatMoney(maximum) });
  return accept({ fee, receives: (amount - fee) as MicroUsd });
}

/**
 * Quotes a withdrawal and checks that the wallet can pay it. Refuses WITHDRAWAL_DAY_LIMIT[max,left] as well. Here
 * WITHDRAWAL_TOO_LARGE[max] names what this wallet could pay out: the specification has one message for both.
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

/** Converts USD into millionths of a token, at a rate of USD for a whole token; rounded up at the house's cost. */
export function tokenUnits(receives: MicroUsd, rate: Rate): bigint {
  return divideUp(receives * RATE_ONE, rate);
}

/** The signer's own limits, in a token's smallest unit. It keeps to them whatever it is asked to sign. */
export interface SignerLimits {
  /** It never signs a payment above this. */
  readonly paymentMax: bigint;
  /** A payment above this needs the approvals of two operators. */
  readonly singleMax: bigint;
  /** The most that it signs within 24 hours. */
  readonly dayMax: bigint;
}

/**
 * Refuses FIELD_INVALID naming the figure of the terms that goes beyond the signer's limits: members could then ask for a
 * withdrawal, and operators approve it as the terms say, that the signer would never pay. Null where its limits cover the
 * terms at a chain's rate.
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

/** What addresses of other chains look like. They are recognised so that a member learns what they mixed up. */
const OTHER_CHAINS: readonly RegExp[] = [
  /^0x[0-9a-fA-F]{64}$/,
  /^(?:bc1|tb1|ltc1)[02-9ac-hj-np-z]{20,80}$/i,
  // Bitcoin, TRON, Solana, XRP: base 58 without 0, O, I and l.
  /^[1-9A-HJ-NP-Za-km-z]{26,48}$/,
];

/** Says whether a text looks like a wallet's address on any chain. */
export function hasFormOfAnyChain(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text) || OTHER_CHAINS.some((form) => form.test(text));
}

export type Keccak256 = (bytes: Uint8Array) => Uint8Array;

/**
 * Reads an EVM address, in lower case. Refuses ADDRESS_OTHER_CHAIN, ADDRESS_INVALID (the zero address too) and
 * ADDRESS_CHECKSUM where capitals and small letters mix in another way than EIP-55 says.
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

/** Exactly one payment: approvals are given for it, and the signer signs it and nothing else. */
export interface Payment {
  /** The withdrawal's number. */
  readonly id: string;
  /** EVM chain id; TRON's JSON-RPC has one too. */
  readonly chain: bigint;
  /** Hash of its first block: two fresh test chains have the same id. */
  readonly genesis: string;
  readonly token: string;
  readonly to: string;
  /** In the token's smallest unit. */
  readonly amount: bigint;
  readonly expiry: Instant;
}

/** Encodes the bytes whose SHA-256 is a payment's digest; an approval is a signature over them. */
export function paymentStatement(payment: Payment): Uint8Array {
  const { id, chain, genesis, token, to, amount, expiry } = payment;
  return concatBytes(utf8("WD1\0"), utf8(canonicalJson({ id, chain, genesis, token, to, amount, expiry })));
}

/** An operator's public key, as a colleague signs it when it is enrolled. */
export interface KeyEnrolment {
  readonly operator: string;
  /** P-256, 65 bytes uncompressed, base64url. */
  readonly publicKey: string;
}

export function keyStatement({ operator, publicKey }: KeyEnrolment): Uint8Array {
  return concatBytes(utf8("WK1\0"), utf8(canonicalJson({ operator, publicKey })));
}
