import type * as v from "valibot";
import type { Call, InputSchema } from "../call.ts";

export const OPERATOR_ROLES = ["support", "finance", "compliance", "admin", "auditor"] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/**
 * A call of the back office's edge: `POST {console}/operator/<path>`, sent as JSON. Who may make it stands in
 * `OPERATOR_POLICY`, and nowhere else. None may be sent again without asking: each leaves a row in the audit trail.
 */
export interface OperatorCall<
  Path extends string = string,
  In extends InputSchema = InputSchema,
  Out extends v.GenericSchema = v.GenericSchema,
> extends Call<Path, In, Out> {
  /** Fields that the audit trail must not keep: passwords, codes, tokens. */
  readonly secrets?: readonly string[];
  /** Name of the field that says what the call is about, for the audit trail. */
  readonly subject?: string;
  /** Largest message, where it is more than a form: a bank statement. */
  readonly bodyBytesMax?: number;
  /** Neither changes nor reads anything about a member, so it leaves no row in the audit trail. */
  readonly unrecorded?: true;
}

/**
 * Declares a call of the back office and keeps its exact types.
 * @__NO_SIDE_EFFECTS__
 */
export function defineOperatorCall<const Path extends string, In extends InputSchema, Out extends v.GenericSchema>(
  call: OperatorCall<Path, In, Out>,
): OperatorCall<Path, In, Out> {
  return call;
}
