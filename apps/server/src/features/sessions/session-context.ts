import type { IdSource } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Messenger } from "../../platform/messenger.ts";

/** What the verbs about sessions are handed besides. */
export interface SessionContext extends Context {
  /** Of members, sessions and starting issues; its node is this process's alone. */
  readonly ids: IdSource;
  readonly messenger: Messenger;
}
