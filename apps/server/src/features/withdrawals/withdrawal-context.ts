import type { IdSource } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Messenger } from "../../platform/messenger.ts";
import type { SignerDoor } from "../signer/index.ts";

/** What the verbs about withdrawals are handed. */
export interface WithdrawalContext extends Pick<Context, "databases" | "config" | "clock" | "bus" | "log"> {
  readonly ids: IdSource;
  readonly messenger: Messenger;
  /** null where no signer is named: then there are no withdrawals. */
  readonly signer: SignerDoor | null;
}
