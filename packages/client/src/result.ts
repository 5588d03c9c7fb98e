import type { ErrorName } from "@fairtick/domain";
import type { Envelope, Failure } from "@fairtick/protocol";

/**
 * A call's failure.
 * `refused`: the server refused the call or failed; `msg` is in the caller's language.
 * `unauthorized`: 401, the caller isn't logged in, or no longer is.
 * `network`: no readable answer came. `timeout`: no answer came within 60 s. Either way the call may have taken effect.
 */
export interface CallFailure {
  readonly kind: "refused" | "unauthorized" | "network" | "timeout";
  /** HTTP status; 0 without an answer. `network` has it if an answer came that can't be read. */
  readonly code: number;
  /** Null if the server sent no message. */
  readonly msg: string | null;
  readonly error: ErrorName | null;
  /** Field name → text in the caller's language. */
  readonly fields: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string | number>>;
  /** The signed refusal, unchanged; only for an order that was judged and refused. */
  readonly refusal?: Failure["refusal"];
}

export type CallResult<Value> =
  | { readonly ok: true; readonly value: Value; readonly envelope: Envelope<Value> }
  | { readonly ok: false; readonly failure: CallFailure };

export function failed(kind: "network" | "timeout", code = 0): { readonly ok: false; readonly failure: CallFailure } {
  return { ok: false, failure: { kind, code, msg: null, error: null, fields: {}, params: {} } };
}

/** Reads an answer's text. Anything other than the envelope counts as no readable answer. */
export function readEnvelope<Value>(text: string): CallResult<Value> {
  let envelope: unknown;
  try {
    envelope = JSON.parse(text);
  } catch {
    return failed("network");
  }
  if (!isRecord(envelope) || typeof envelope["code"] !== "number") return failed("network");
  const { code } = envelope;
  const msg = typeof envelope["msg"] === "string" && envelope["msg"] !== "" ? envelope["msg"] : null;
  if (code === 200) {
    // Not validated again: the server's answer follows the schema from which the type is derived.
    const value = envelope["data"] as Value;
    return { ok: true, value, envelope: { code, msg: msg ?? "", data: value } };
  }
  const data = isRecord(envelope["data"]) ? envelope["data"] : {};
  return {
    ok: false,
    failure: {
      kind: code === 401 ? "unauthorized" : "refused",
      code,
      msg,
      error: typeof data["error"] === "string" ? (data["error"] as ErrorName) : null,
      fields: isRecord(data["fields"]) ? (data["fields"] as Record<string, string>) : {},
      params: isRecord(data["params"]) ? (data["params"] as Record<string, string | number>) : {},
      ...(isRecord(data["refusal"]) && { refusal: data["refusal"] as NonNullable<Failure["refusal"]> }),
    },
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
