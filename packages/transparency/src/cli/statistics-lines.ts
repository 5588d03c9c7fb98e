import type { BySide, ListedChanges, LoggedChange, LogStatistics, MissingBatches } from "../log-statistics.ts";
import { compareWins, isBeyond, type Share, type WinCount, winShare } from "../win-rates.ts";

/** The most ranges of missing batch numbers that are printed. */
const STRETCHES_MAX = 5;

/** Formats the statistics as lines of a report, leaving out lines with nothing to count. */
export function statisticsLines(statistics: LogStatistics): string[] {
  const { wins, tied, unrevealed, winsBySide, voids, refusals, missingBatches, batches } = statistics;
  const { rounds, changes, changed, pauses } = statistics;
  const settled = `outcomes: ${winText(wins)} (up ${winText(winsBySide.up)}, down ${winText(winsBySide.down)}), ${tied} tied, ${unrevealed} never revealed`;
  return [
    ...(wins.decided + tied + unrevealed > 0 ? [settled] : []),
    ...listLine("voided", [...voids], ([reason, sides]) => `${reason} ${sidesText(sides)}`),
    ...listLine("refused", [...refusals], ([reason, count]) => `${reason} ${count}`),
    ...openedLines(statistics),
    ...missingLine(missingBatches, batches),
    ...(rounds.missing > 0 ? [`beacon: ${rounds.missing} of ${rounds.shown} rounds never came, says the house`] : []),
    ...listLine("changes", [...changes], ([what, count]) => `${what} ${count}`),
    ...[...changed].flatMap(([kind, listed]) => changedLines(kind, listed)),
    ...listLine("pauses", [...pauses], ([part, { count, ms }]) => `${part} ${count} (${secondsText(ms)})`),
  ];
}

function listLine<Item>(name: string, items: readonly Item[], textOf: (item: Item) => string): string[] {
  return items.length === 0 ? [] : [`${name}: ${items.map(textOf).join(", ")}`];
}

function sidesText(sides: BySide): string {
  const parts = (["up", "down", "sealed"] as const).flatMap((side) =>
    sides[side] === undefined ? [] : [`${sides[side]} ${side}`],
  );
  return `(${parts.join(", ")})`;
}

/** Compares how often opened refusals and accepted orders won, since the house must not refuse winning orders. */
function openedLines({ wins, opened }: LogStatistics): string[] {
  if (opened === null) return [];
  const difference = compareWins(wins, opened);
  const verdict = isBeyond(difference, 0) ? "more than chance explains" : "no more than chance explains";
  const wrong = opened.wrong === 0 ? "" : `; ${opened.wrong} openings make no refusal of this log`;
  return [
    `opened refusals: ${opened.found}, of which ${winText(opened)}, against ${winText(wins)} of the accepted: ` +
      `the difference lies between ${spanText(difference)} (99 %), ${verdict}${wrong}`,
  ];
}

function missingLine(missing: readonly MissingBatches[], batches: number): string[] {
  if (missing.length === 0) return [];
  const count = missing.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const shown = missing
    .slice(0, STRETCHES_MAX)
    .map(({ from, to }) => (from === to ? String(from) : `${from} to ${to}`));
  const more = missing.length > STRETCHES_MAX ? ` and ${missing.length - STRETCHES_MAX} more` : "";
  return [`batch numbers: ${count} of ${batches + count} are not in the log: ${shown.join(", ")}${more}`];
}

/** Lists the changes of a kind, in the form of findings. */
function changedLines(kind: string, { first, more }: ListedChanges): string[] {
  const lines = first.map((one) => `change  ${kind} at entry ${one.index}: ${changeText(one)}`);
  return more === 0 ? lines : [...lines, `change  ${kind}: ${more} more`];
}

/** Says what changes, and when it takes effect, or when it was logged if the entry doesn't say. */
function changeText({ entry, loggedAfter }: LoggedChange): string {
  switch (entry.kind) {
    case "config":
      return `version ${entry.version} takes effect at ${timeText(entry.effectiveAt)}`;
    case "policy":
      return `version ${entry.version} of ${entry.name} takes effect at ${timeText(entry.effectiveAt)}`;
    case "source":
      return `${entry.symbol} comes from ${entry.source} from ${timeText(entry.since)} on`;
    case "params.pyth":
      return `terms of signed quotes take effect at ${timeText(entry.since)}`;
    case "params":
      return `terms of simulated prices were logged ${loggedAfter === 0n ? "first of all" : `after ${timeText(loggedAfter)}`}`;
  }
}

function winText(count: WinCount): string {
  return count.decided === 0 ? "none decided" : `${percent(winShare(count).share)} won of ${count.decided}`;
}

function spanText({ from, to }: Share): string {
  return `${percent(from)} and ${percent(to)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function timeText(at: bigint): string {
  const time = new Date(Number(at));
  // A log may hold moments beyond all calendars.
  return Number.isNaN(time.getTime()) ? String(at) : time.toISOString();
}

function secondsText(ms: bigint): string {
  return `${(Number(ms) / 1_000).toFixed(1)} s`;
}
