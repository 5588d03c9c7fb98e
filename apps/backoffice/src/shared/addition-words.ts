import type { PolicyVersion } from "@fairtick/protocol/operator";
import { money, percent } from "./format.ts";

export type Difference = PolicyVersion["differences"][number];

/** An instrument that a version adds: its name, and every figure in words. */
export interface Addition {
  readonly symbol: string;
  readonly name: string;
  readonly simulated: boolean;
  readonly figures: readonly (readonly [label: string, value: string])[];
}

const LABELS: Readonly<Record<string, string>> = {
  name: "Name",
  title: "Title in English",
  kind: "Kind",
  decimals: "Decimal places of its price",
  staleExit: "Void if the exit price is older than",
  prices: "Prices",
  anchor: "Starting price",
  volatility: "Volatility a year",
  sigma: "The same as the log has it (sigma)",
  spread: "Spread",
  jump: "Chance of a jump at a tick",
  pull: "Pull back to the starting price",
  switches: "Chances of calm and storm, of 2³²",
  suspended: "Suspended",
  sessionHours: "Session",
  feeRate: "Fee",
  minStake: "Minimum stake, USD",
  maxStake: "Maximum stake, USD",
  exposureShare: "Share of the pool",
};
const VALUES: Readonly<Record<string, string>> = {
  fx: "Currency or metal",
  crypto: "Digital asset",
  simulated: "Simulated by the house",
  always: "Always open",
  "fx-new-york": "New York FX week",
};
const RATES = new Set(["volatility", "feeRate", "exposureShare"]);
const SUMS = new Set(["minStake", "maxStake"]);

/** Takes apart what a version adds and what it changes. An addition is known by its decimals, which never change. */
export function splitAdditions(differences: readonly Difference[]): {
  readonly additions: readonly Addition[];
  readonly changes: readonly Difference[];
} {
  const symbols = differences.flatMap(({ what, before }) => {
    const symbol = /^([A-Z0-9]{3,16}) decimals$/.exec(what)?.[1];
    return symbol !== undefined && before === "–" ? [symbol] : [];
  });
  const partOf = ({ what }: Difference) => symbols.find((symbol) => what.startsWith(`${symbol} `));
  const additions = symbols.map((symbol): Addition => {
    const own = differences
      .filter((each) => partOf(each) === symbol)
      .map(({ what, after }) => [what.slice(symbol.length + 1), after] as const);
    return {
      symbol,
      name: own.find(([what]) => what === "name")?.[1] ?? symbol,
      simulated: own.some(([what, after]) => what === "prices" && after === "simulated"),
      figures: own.map(([what, after]) => [labelOf(what), valueOf(what, after)] as const),
    };
  });
  return { additions, changes: differences.filter((each) => partOf(each) === undefined) };
}

/** What a version does, in a line of a list. */
export function sayChanges(differences: readonly Difference[]): string {
  const { additions, changes } = splitAdditions(differences);
  return [...additions.map(({ name }) => `Adds ${name}`), ...changes.map(({ what }) => what)].join(", ");
}

function labelOf(what: string): string {
  const known = LABELS[what];
  if (known !== undefined) return known;
  const [, seconds] = /^([0-9]+) s payoutRate$/.exec(what) ?? [];
  if (seconds !== undefined) return `Payout rate for ${seconds} s`;
  const [, kind, of] = /^(title|prices) (\S+)$/.exec(what) ?? [];
  if (kind === "title") return `Title in ${of}`;
  return kind === "prices" ? `Its name at ${of}` : what;
}

function valueOf(what: string, after: string): string {
  if (RATES.has(what) || what.endsWith(" payoutRate")) return percent(after);
  if (SUMS.has(what)) return money(after);
  if (what === "pull") return `1 part in 2^${after} a tick`;
  return what === "kind" || what === "prices" || what === "sessionHours" ? (VALUES[after] ?? after) : after;
}
