import type { IdSource } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Messenger } from "../../platform/messenger.ts";

/** What the verbs about sessions need in addition. */
export interface SessionContext extends Context {
  /** Ids for members, sessions and starting balances. The node number belongs to this process alone. */
  readonly ids: IdSource;
  readonly messenger: Messenger;
}
