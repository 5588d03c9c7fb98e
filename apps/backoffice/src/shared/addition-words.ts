import type { PolicyVersion } from "@fairtick/protocol/operator";
import { money, percent } from "./format.ts";

export type Difference = PolicyVersion["differences"][number];

/** A product that a version adds, with its terms as labels and values. */
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
  volatility: "Annual volatility",
  sigma: "Sigma in the log",
  spread: "Spread",
  jump: "Jump probability per tick",
  pull: "Pull towards the starting price",
  switches: "Odds of calm and storm, out of 2³²",
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

/** Separates added products from changed terms. Only an added product has a difference in decimals, which never change. */
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

/** Sums up a version in one line. */
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
  return kind === "prices" ? `Name at ${of}` : what;
}

function valueOf(what: string, after: string): string {
  if (RATES.has(what) || what.endsWith(" payoutRate")) return percent(after);
  if (SUMS.has(what)) return money(after);
  if (what === "pull") return `1 part in 2^${after} per tick`;
  return what === "kind" || what === "prices" || what === "sessionHours" ? (VALUES[after] ?? after) : after;
}
