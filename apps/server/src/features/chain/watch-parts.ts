import type { IdSource } from "@fairtick/domain";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import type { Context } from "../../platform/context.ts";
import type { ChainNode } from "./node.ts";

/** What the watcher of one chain needs. */
export interface WatchParts extends Pick<Context, "databases" | "clock" | "log" | "bus"> {
  readonly settings: ChainSettings;
  readonly node: ChainNode;
  /** Another node that is asked before anything is credited. */
  readonly witness: ChainNode | null;
  /** Ids of deposits and transfers. */
  readonly ids: IdSource;
}
