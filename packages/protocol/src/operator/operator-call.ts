import type * as v from "valibot";
import type { FieldErrors, InputSchema, LimitClass } from "../call.ts";

export const OPERATOR_ROLES = ["support", "finance", "compliance", "admin", "auditor"] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/**
 * One call of the back office: `POST {console}/operator/<path>`, JSON both ways, in the same envelope as a member's.
 * Who may make it stands in `OPERATOR_POLICY`, and nowhere else.
 */
export interface OperatorCall<
  Path extends string = string,
  In extends InputSchema = InputSchema,
  Out extends v.GenericSchema = v.GenericSchema,
> {
  readonly path: Path;
  readonly input: In;
  readonly output: Out;
  readonly limit: LimitClass;
  /** Fields that the audit trail must not keep: passwords, codes, tokens. */
  readonly secrets?: readonly string[];
  /** Name of the field that says what the call is about, for the audit trail. */
  readonly subject?: string;
  /** Largest message, where it is more than a form: a bank statement. */
  readonly bodyBytesMax?: number;
  /** Changes nothing and reads nothing: it leaves no row in the audit trail. */
  readonly unrecorded?: true;
  /** `download`: the answer is bytes, not the envelope. `upload`: the message is a form with a file. */
  readonly file?: "download" | "upload";
  readonly summary: string;
  rules?(input: v.InferOutput<In>): FieldErrors | undefined;
}

export type OperatorInput<C extends OperatorCall> = v.InferOutput<C["input"]>;
export type OperatorSent<C extends OperatorCall> = v.InferInput<C["input"]>;
export type OperatorOutput<C extends OperatorCall> = v.InferOutput<C["output"]>;

/**
 * Declares a call of the back office and keeps its exact types.
 * @__NO_SIDE_EFFECTS__
 */
export function defineOperatorCall<const Path extends string, In extends InputSchema, Out extends v.GenericSchema>(
  call: OperatorCall<Path, In, Out>,
): OperatorCall<Path, In, Out> {
  return call;
}
