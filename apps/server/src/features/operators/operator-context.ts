import type { IdSource } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Messenger } from "../../platform/messenger.ts";

/** What the verbs of the console need in addition. */
export interface OperatorContext extends Pick<Context, "config" | "databases" | "clock" | "bus" | "log"> {
  readonly ids: IdSource;
  /** Sends mails and SMS to members. */
  readonly messenger: Messenger;
  /** Address at which browsers reach the console; known once it listens. */
  readonly consoleUrl: () => string;
}
