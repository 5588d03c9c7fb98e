import type { ErrorName } from "@fairtick/domain";
import type * as v from "valibot";

export type FieldErrors = Readonly<Record<string, ErrorName>>;
export type InputSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** How often a call may be made: the figures stand in one table of the server's edge. */
export type LimitClass = "read" | "write" | "order" | "signIn" | "code" | "heavy";

/** One call: `POST {base}/client/<path>`. Everything about it is derived from this object. */
export interface Call<
  Path extends string = string,
  In extends InputSchema = InputSchema,
  Out extends v.GenericSchema = v.GenericSchema,
  Access extends "public" | "member" = "public" | "member",
> {
  /** `order/place`; never renamed. */
  readonly path: Path;
  /** `public` calls take a good token into account and ignore a bad one. */
  readonly access: Access;
  /** From the form's text to the values that rules take. */
  readonly input: In;
  /** What `data` holds in the envelope: JSON as it stands on the wire. */
  readonly output: Out;
  /** The same message sent twice has the effect of one, so that a client may send it again after a failure. */
  readonly idempotent: boolean;
  readonly limit: LimitClass;
  /** `upload`: multipart/form-data with one `file`. `download`: the answer is bytes, not the envelope. */
  readonly file?: "upload" | "download";
  /** One line for the reference page. */
  readonly summary: string;
  /** What the fields owe each other, once each is right by itself. */
  rules?(input: v.InferOutput<In>): FieldErrors | undefined;
}

/** What the handler gets. */
export type Input<C extends Call> = v.InferOutput<C["input"]>;
/** What stands in `data`. */
export type Output<C extends Call> = v.InferOutput<C["output"]>;

/** What a caller hands in: the schema's text, or a plain value whose text it is. */
export type Fields<C extends Call> = {
  [Name in keyof v.InferInput<C["input"]>]: Sendable<v.InferInput<C["input"]>[Name]>;
};
type Sendable<Value> = string extends Value ? Value | number | bigint | boolean : Value | BooleanIfFlag<Value>;
type BooleanIfFlag<Value> = "true" extends Value ? boolean : never;

/**
 * Declares a call and keeps its exact types.
 * @__NO_SIDE_EFFECTS__
 */
export function defineCall<
  const Path extends string,
  In extends InputSchema,
  Out extends v.GenericSchema,
  const Access extends "public" | "member",
>(call: Call<Path, In, Out, Access>): Call<Path, In, Out, Access> {
  return call;
}
