import type { ErrorName } from "@fairtick/domain";
import type * as v from "valibot";

export type FieldErrors = Readonly<Record<string, ErrorName>>;
export type InputSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** How often a call may be made: the figures stand in one table of the server's edge. */
export type LimitClass = "read" | "write" | "order" | "signIn" | "code" | "heavy";

/**
 * One call, whoever makes it: a POST to `<path>` below its edge's prefix, answered in the envelope. Server, clients,
 * OpenAPI and fuzz tests derive everything from this object. What members' and operators' calls have besides (who may
 * make them, what is kept of them) stands in `MemberCall` and `OperatorCall`.
 */
export interface Call<
  Path extends string = string,
  In extends InputSchema = InputSchema,
  Out extends v.GenericSchema = v.GenericSchema,
> {
  /** `order/place`; never renamed. */
  readonly path: Path;
  /** From the fields as sent to the values that rules take. */
  readonly input: In;
  /** What `data` holds in the envelope: JSON as it stands on the wire. */
  readonly output: Out;
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
/** The fields as they are sent in JSON. In a form they are text: see `Fields`. */
export type Sent<C extends Call> = v.InferInput<C["input"]>;

/** The calls among a module's exports. */
export function callsAmong(exported: object): readonly Call[] {
  return Object.values<unknown>({ ...exported }).filter(isCall);
}

function isCall(value: unknown): value is Call {
  return typeof value === "object" && value !== null && "path" in value && "input" in value && "output" in value;
}
