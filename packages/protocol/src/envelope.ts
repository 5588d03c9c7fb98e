import type { ErrorName } from "@fairtick/domain";
import * as v from "valibot";
import { errorName } from "./shapes.ts";

/** `data` of a failure. */
export const failure = v.object({
  error: errorName,
  /** Field name → what is wrong with it, in the caller's language. */
  fields: v.optional(v.record(v.string(), v.string())),
  params: v.optional(v.record(v.string(), v.union([v.string(), v.number()]))),
  /** For a refused order: the signed refusal, as docs/verification.md describes it. */
  refusal: v.optional(
    v.object({
      reason: errorName,
      at: v.number(),
      batchNo: v.string(),
      place: v.number(),
      count: v.number(),
      accepted: v.number(),
      path: v.array(v.string()),
      nonce: v.string(),
      root: v.string(),
      signature: v.string(),
      key: v.string(),
    }),
  ),
});
export type Failure = v.InferOutput<typeof failure>;

/** Every JSON answer. `code` equals the HTTP status for 4xx and 5xx; `msg` is in the caller's language. */
export interface Envelope<Data> {
  readonly code: number;
  readonly msg: string;
  readonly data: Data;
}

export const envelope = v.object({ code: v.number(), msg: v.string(), data: v.unknown() });

/** The HTTP status of each error. Names that aren't listed are refusals by rules, with status 422. */
const STATUS: Partial<Record<ErrorName, number>> = {
  FIELD_MISSING: 400,
  FIELD_REPEATED: 400,
  FIELD_TOO_LONG: 400,
  FIELD_INVALID: 400,
  LOGIN_REQUIRED: 401,
  SESSION_EXPIRED: 401,
  REGION_BLOCKED: 403,
  REGION_PRACTICE_ONLY: 403,
  REGION_NOT_OFFERED: 403,
  SUSPENDED: 403,
  EXCLUDED: 403,
  CLOSED: 403,
  FORBIDDEN: 403,
  IDENTITY_REQUIRED: 403,
  IDENTITY_PENDING: 403,
  NOT_FOUND: 404,
  INSTRUMENT_UNKNOWN: 404,
  CARD_UNKNOWN: 404,
  CHAIN_UNKNOWN: 404,
  ALREADY_REGISTERED: 409,
  QUOTE_CHANGED: 409,
  CLIENT_ID_REUSED: 409,
  WITHDRAWAL_NOT_CANCELABLE: 409,
  CONFLICT: 409,
  REVEAL_LATE: 409,
  FILE_TOO_LARGE: 413,
  TOO_MANY_TRIES: 429,
  RATE_LIMITED: 429,
  SERVER_ERROR: 500,
  ADDRESS_ALTERED: 503,
  LOG_BEHIND: 503,
  NOT_NOW: 503,
};

export function statusOf(error: ErrorName): number {
  return STATUS[error] ?? 422;
}
