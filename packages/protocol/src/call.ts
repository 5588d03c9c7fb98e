import type { ErrorName } from "@fairtick/domain";
import type * as v from "valibot";

export type FieldErrors = Readonly<Record<string, ErrorName>>;
export type InputSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** Rate-limit class of a call. The server keeps the figures of all classes in one table. */
export type LimitClass = "read" | "write" | "order" | "signIn" | "code" | "heavy";

/**
 * A call of either edge: a POST to `<path>` under the edge's prefix, answered in the envelope. Server, clients, OpenAPI and fuzz
 * tests derive everything from this object. `MemberCall` and `OperatorCall` add who may make it and what is recorded.
 */
export interface Call<
  Path extends string = string,
  In extends InputSchema = InputSchema,
  Out extends v.GenericSchema = v.GenericSchema,
> {
  /** Such as `order/place`; never renamed. */
  readonly path: Path;
  /** Converts the fields as sent to the values that rules take. */
  readonly input: In;
  /** Schema of `data` in the envelope, in its JSON form. */
  readonly output: Out;
  readonly limit: LimitClass;
  /** `upload`: multipart/form-data with one `file`. `download`: the answer is bytes, not the envelope. */
  readonly file?: "upload" | "download";
  /**
   * Whether its answers are compressed for clients that accept it. Only for long ones without anything secret: the
   * length of a compressed answer tells about its content.
   */
  readonly compressed?: true;
  /** One line for the reference page. */
  readonly summary: string;
  /** Checks conditions between fields, once each field is valid. */
  rules?(input: v.InferOutput<In>): FieldErrors | undefined;
}

/** The values that the handler receives. */
export type Input<C extends Call> = v.InferOutput<C["input"]>;
/** The type of `data` in the envelope. */
export type Output<C extends Call> = v.InferOutput<C["output"]>;
/** The fields as they are sent in JSON. In a form they are text: see `Fields`. */
export type Sent<C extends Call> = v.InferInput<C["input"]>;

/** Collects the calls among a module's exports. */
export function callsAmong(exported: object): readonly Call[] {
  return Object.values<unknown>({ ...exported }).filter(isCall);
}

function isCall(value: unknown): value is Call {
  return typeof value === "object" && value !== null && "path" in value && "input" in value && "output" in value;
}
