import { dayIn, type HoursSpan, type Instant, parseHours } from "@fairtick/domain";

export interface HoursLine {
  /** First and last day of each run of days; 0 is Monday. */
  readonly days: readonly (readonly [number, number])[];
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 86_400_000;
/** Monday, 5 January 1970. */
const FIRST_MONDAY = 4 * DAY_MS;

/**
 * Converts hours written in UTC to a time zone, for the current week, merging days with the same times. Null if the
 * text isn't valid hours.
 */
export function localHours(text: string, now: number, timeZone: string): readonly HoursLine[] | "always" | null {
  const spans = parseHours(text);
  if (spans === null || spans === "always") return spans;
  const week = now - ((((now - FIRST_MONDAY) % (7 * DAY_MS)) + 7 * DAY_MS) % (7 * DAY_MS));
  const at = ({ day }: HoursSpan, minute: number) => week + day * DAY_MS + minute * 60_000;
  const lines = Map.groupBy(spans, ({ from, to }) => `${from}-${to}`);
  return Array.from(lines.values(), (those) => {
    const [first] = those;
    const days = those.map((span) => weekdayOf(at(span, span.from), timeZone));
    return { days: runsOf(days), from: first ? at(first, first.from) : 0, to: first ? at(first, first.to) : 0 };
  });
}

function weekdayOf(at: number, timeZone: string): number {
  const day = dayIn(timeZone, BigInt(at) as Instant) ?? "";
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** Groups days into runs: `[0, 1, 2, 5]` gives `[[0, 2], [5, 5]]`. */
function runsOf(days: readonly number[]): (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const day of days.toSorted((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === day - 1) last[1] = day;
    else runs.push([day, day]);
  }
  return runs;
}
