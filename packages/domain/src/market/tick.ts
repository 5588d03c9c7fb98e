import type { Points } from "./price.ts";
import type { Instant } from "../base/time.ts";

/** One price of an instrument. `seq` and `time` both strictly increase per instrument. */
export interface Tick {
  readonly seq: bigint;
  readonly time: Instant;
  readonly price: Points;
}
