import type { Tick } from "@fairtick/domain";
import type { LogEntryOf } from "./log-entry.ts";

const MINUTE_MS = 60_000n;

/** Returns whether the ticks match the entry: in number, in the first tick's number, and all within its minute. */
export function isMinuteOf(entry: LogEntryOf<"ticks">, ticks: readonly Tick[]): boolean {
  const [first, last] = [ticks[0], ticks.at(-1)];
  return (
    ticks.length === entry.count &&
    first?.seq === BigInt(entry.from) &&
    first.time >= entry.time &&
    last !== undefined &&
    last.time < entry.time + MINUTE_MS
  );
}
