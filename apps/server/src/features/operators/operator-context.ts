import type { IdSource } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";

/** What the verbs of the back office are handed besides. */
export interface OperatorContext extends Pick<Context, "config" | "databases" | "clock" | "bus" | "log"> {
  readonly ids: IdSource;
  /** Where browsers reach the console; known once it listens. */
  readonly consoleUrl: () => string;
}
