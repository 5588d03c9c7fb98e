import type * as v from "valibot";
import type { Call, InputSchema } from "../call.ts";

export const OPERATOR_ROLES = ["support", "finance", "compliance", "admin", "auditor"] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/**
 * A call of the back office's edge: `POST {console}/operator/<path>`, sent as JSON. `OPERATOR_POLICY` alone says who
 * may make it. Clients never retry a call automatically, because each leaves a row in the audit trail.
 */
export interface OperatorCall<
  Path extends string = string,
  In extends InputSchema = InputSchema,
  Out extends v.GenericSchema = v.GenericSchema,
> extends Call<Path, In, Out> {
  /** Fields that the audit trail must not keep: passwords, codes, tokens. */
  readonly secrets?: readonly string[];
  /** Name of the field that the audit trail records as the call's subject. */
  readonly subject?: string;
  /** Maximum size of the body in bytes, for calls larger than a form, such as a bank statement. */
  readonly bodyBytesMax?: number;
  /** Set for calls that neither change nor read a member's data, and so leave no row in the audit trail. */
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
