import type { IdSource } from "@fairtick/domain";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import type { Context } from "../../platform/context.ts";
import type { ChainNode } from "./node.ts";

/** What the watcher of one chain needs. */
export interface WatchParts extends Pick<Context, "databases" | "clock" | "log" | "bus"> {
  readonly settings: ChainSettings;
  readonly node: ChainNode;
  /** Another node, which has to agree before anything is credited; null if none is configured. */
  readonly witness: ChainNode | null;
  /** Source of ids for deposits and transfers. */
  readonly ids: IdSource;
}
