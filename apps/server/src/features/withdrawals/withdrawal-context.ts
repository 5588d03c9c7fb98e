import type { IdSource } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Messenger } from "../../platform/messenger.ts";
import type { SignerDoor } from "../signer/index.ts";

/** What the verbs about withdrawals need. */
export interface WithdrawalContext extends Pick<Context, "databases" | "config" | "clock" | "bus" | "log"> {
  readonly ids: IdSource;
  readonly messenger: Messenger;
  /** Null if no signer is configured. Then there are no withdrawals. */
  readonly signer: SignerDoor | null;
}
