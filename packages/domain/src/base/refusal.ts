/**
 * The error catalogue, with one stable name per check. Rules and calls return these names. `packages/i18n` makes the
 * texts that people read from a name and its parameters.
 */
export const ERROR_NAMES = [
  "LOGIN_REQUIRED",
  "SESSION_EXPIRED",
  "BAD_CREDENTIALS",
  "BAD_CODE",
  "CODE_EXPIRED",
  "TOO_MANY_TRIES",
  "RATE_LIMITED",
  "ALREADY_REGISTERED",
  "TERMS_NOT_ACCEPTED",
  "PASSWORDS_DIFFER",
  "PASSWORD_TOO_SHORT",
  "PASSWORD_COMMON",
  "WRONG_PASSWORD",
  "REGION_BLOCKED",
  "REGION_PRACTICE_ONLY",
  "REGION_NOT_OFFERED",
  "UNDER_AGE",
  "TRADE_PASSWORD_NOT_SET",
  "TRADE_PASSWORD_WRONG",
  "TRADE_PASSWORD_LOCKED",
  "SECOND_FACTOR_REQUIRED",
  "SECOND_FACTOR_WRONG",
  "SUSPENDED",
  "EXCLUDED",
  "CLOSED",
  "INSTRUMENT_UNKNOWN",
  "INSTRUMENT_CLOSED",
  "INSTRUMENT_SUSPENDED",
  "PRICE_STALE",
  "DURATION_NOT_OFFERED",
  "STAKE_BELOW_MINIMUM",
  "STAKE_ABOVE_MAXIMUM",
  "MEMBER_LIMIT",
  "EXPOSURE_LIMIT",
  "INSUFFICIENT_BALANCE",
  "QUOTE_CHANGED",
  "CLIENT_ID_REUSED",
  "DEVICE_UNKNOWN",
  "DEVICES_FULL",
  "SIGNATURE_WRONG",
  "SEEN_UNKNOWN",
  "LATE",
  "REVEAL_WRONG",
  "REVEAL_LATE",
  "LOG_BEHIND",
  "FILE_TOO_LARGE",
  "FILE_TYPE",
  "FILE_BROKEN",
  "FILE_INFECTED",
  "SAME_PICTURE",
  "CARD_UNKNOWN",
  "DEPOSIT_BELOW_MINIMUM",
  "RECEIPT_MISSING",
  "CHAIN_UNKNOWN",
  "ADDRESS_ALTERED",
  "ADDRESS_INVALID",
  "ADDRESS_CHECKSUM",
  "ADDRESS_OTHER_CHAIN",
  "ADDRESS_IS_OURS",
  "WITHDRAWAL_BELOW_MINIMUM",
  "WITHDRAWAL_TOO_LARGE",
  "WITHDRAWAL_DAY_LIMIT",
  "WITHDRAWAL_NOT_CANCELABLE",
  "IDENTITY_REQUIRED",
  "IDENTITY_PENDING",
  "FIELD_MISSING",
  "FIELD_REPEATED",
  "FIELD_TOO_LONG",
  "FIELD_INVALID",
  "NAME_RESERVED",
  "REFILL_NOT_NEEDED",
  "NOT_FOUND",
  "FORBIDDEN",
  "CONFLICT",
  "SERVER_ERROR",
  "NOT_NOW",
] as const;

export type ErrorName = (typeof ERROR_NAMES)[number];

/** An expected refusal as a value: a name from the catalogue and the figures that its message shows. */
export interface Refusal<Name extends ErrorName = ErrorName> {
  readonly error: Name;
  readonly params?: Readonly<Record<string, string | number>>;
  /** Field name → what is wrong with the field, as a name from the catalogue. */
  readonly fields?: Readonly<Record<string, ErrorName>>;
  /** For a refused order whose refusal is stored: the signed proof, so that the house can't deny it later. */
  readonly proof?: RefusalProof;
}

/**
 * A signed refusal's place among its batch's commitments. Hashes and nonces are hexadecimal, the signature is base64.
 */
export interface RefusalProof {
  readonly reason: ErrorName;
  /** When the batch was judged, in ms since 1970 UTC. */
  readonly at: number;
  readonly batchNo: string;
  readonly place: number;
  readonly count: number;
  readonly accepted: number;
  readonly path: readonly string[];
  readonly nonce: string;
  readonly root: string;
  readonly signature: string;
  readonly key: string;
}

/** The result of a rule or verb: the value, or the reason why it was refused. */
export type Verdict<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: Refusal };

export function accept<Value>(value: Value): Verdict<Value> {
  return { ok: true, value };
}

export function refuse(error: ErrorName, params?: Refusal["params"], fields?: Refusal["fields"]): Verdict<never> {
  return { ok: false, refusal: { error, ...(params && { params }), ...(fields && { fields }) } };
}
