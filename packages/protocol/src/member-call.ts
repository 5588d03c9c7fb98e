import type * as v from "valibot";
import type { Call, InputSchema, Sent } from "./call.ts";

/** A call of the members' edge: `POST {base}/client/<path>`, sent as a form. */
export interface MemberCall<
  Path extends string = string,
  In extends InputSchema = InputSchema,
  Out extends v.GenericSchema = v.GenericSchema,
  Access extends "public" | "member" = "public" | "member",
> extends Call<Path, In, Out> {
  /** `public`: a valid token is used, an invalid one ignored. */
  readonly access: Access;
  /** Whether sending the same message twice has the same effect as sending it once, so that a client may retry it. */
  readonly idempotent: boolean;
}

/** The fields that a caller passes: the text that the schema takes, or a plain value that is converted to it. */
export type Fields<C extends Call> = { [Name in keyof Sent<C>]: Sendable<Sent<C>[Name]> };
type Sendable<Value> = string extends Value ? Value | number | bigint | boolean : Value | BooleanIfFlag<Value>;
type BooleanIfFlag<Value> = "true" extends Value ? boolean : never;

/**
 * Declares a member call and keeps its exact types.
 * @__NO_SIDE_EFFECTS__
 */
export function defineCall<
  const Path extends string,
  In extends InputSchema,
  Out extends v.GenericSchema,
  const Access extends "public" | "member",
>(call: MemberCall<Path, In, Out, Access>): MemberCall<Path, In, Out, Access> {
  return call;
}
