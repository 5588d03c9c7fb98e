import { jumpsPerDay, type Points, parsePrice, type Rate, sigmaOfVolatility, usualMove } from "@fairtick/domain";
import type { configPropose, Sent } from "@fairtick/protocol/operator";

type Addition = NonNullable<Sent<typeof configPropose>["add"]>;

/** The form for a new product. All fields are texts as typed. */
export interface AddDraft {
  readonly name: string;
  /** When empty, the name without its slash. */
  readonly symbol: string;
  readonly title: string;
  /** One per line: `de = Litecoin`. */
  readonly titles: string;
  readonly kind: Addition["kind"];
  readonly decimals: string;
  /** Whether the operator typed the decimals. Until then they follow the price. */
  readonly isDecimalsTyped: boolean;
  readonly termsOf: string;
  readonly source: Addition["prices"]["source"];
  readonly anchor: string;
  /** Percent per year. */
  readonly volatility: string;
  readonly spread: string;
  /** Average number per day. */
  readonly jumpsADay: string;
  /** The product's name at each price source, by source. */
  readonly names: Readonly<Record<string, string>>;
}

/** A product in force, as far as a new one can copy from it. */
interface Model {
  readonly symbol: string;
  readonly kind: AddDraft["kind"];
}

/** Figures that products of each kind usually have. */
const USUAL = {
  crypto: { volatility: "60", jumpsADay: "47" },
  fx: { volatility: "8", jumpsADay: "13" },
} as const;

/**
 * How many of its smallest steps the price typically has to move in 30 seconds; otherwise the server refuses the
 * product.
 */
const STEPS_MIN = 50;
const [DECIMALS_USUAL, DECIMALS_MAX] = [2, 8];

export function emptyAddition(source: AddDraft["source"], models: readonly Model[]): AddDraft {
  return {
    name: "",
    symbol: "",
    title: "",
    titles: "",
    kind: "crypto",
    decimals: String(DECIMALS_USUAL),
    isDecimalsTyped: false,
    termsOf: modelFor("crypto", models),
    source,
    anchor: "",
    ...USUAL.crypto,
    spread: "",
    names: {},
  };
}

/** Returns the first product of a kind, or of any kind where there is none. */
function modelFor(kind: AddDraft["kind"], models: readonly Model[]): string {
  return (models.find((each) => each.kind === kind) ?? models[0])?.symbol ?? "";
}

/**
 * Applies a change to the draft. Fields that the operator hasn't typed follow it: the decimals follow the price, so
 * that the form doesn't propose what its own check refuses; the copied terms and the usual figures follow the kind.
 */
export function changeDraft(draft: AddDraft, change: Partial<AddDraft>, models: readonly Model[]): AddDraft {
  const next = { ...draft, ...(change.kind !== undefined && followKind(draft, change.kind, models)), ...change };
  if (change.decimals !== undefined) return { ...next, isDecimalsTyped: true };
  return next.isDecimalsTyped ? next : { ...next, decimals: fewestDecimals(next) ?? next.decimals };
}

function followKind(draft: AddDraft, kind: AddDraft["kind"], models: readonly Model[]): Partial<AddDraft> {
  if (kind === draft.kind) return {};
  const usual = USUAL[draft.kind];
  return {
    termsOf: modelFor(kind, models),
    ...(draft.volatility === usual.volatility && { volatility: USUAL[kind].volatility }),
    ...(draft.jumpsADay === usual.jumpsADay && { jumpsADay: USUAL[kind].jumpsADay }),
  };
}

/**
 * Returns the fewest decimals, at least two, with which the price moves by enough steps; null if there are none or it
 * is unknown.
 */
function fewestDecimals(draft: AddDraft): string | null {
  for (let decimals = DECIMALS_USUAL; decimals <= DECIMALS_MAX; decimals++) {
    const tried = { ...draft, decimals: String(decimals) };
    if ((usualSteps(tried) ?? 0) >= STEPS_MIN && placesOf(draft.spread) <= decimals) return tried.decimals;
  }
  return null;
}

/** Rule for each field, shown when the form or the server refuses it. */
export const ADD_RULES: Readonly<Record<string, string>> = {
  symbol: "Use 3 to 16 capital letters and digits. A symbol can’t be reused, even after a product ends.",
  name: "Use capital letters, digits and at most one slash, such as LTC/USD. No other product may have the name.",
  title: "Use 2 to 60 characters.",
  titles: "Write one title per line, starting with a language code: de = Litecoin.",
  decimals:
    "Use 0 to 8. The price should typically move by at least 50 of its smallest steps in 30 seconds; with fewer decimals, too many orders tie.",
  termsOf: "Choose a product to copy the terms from.",
  anchor: "Enter a price above zero, with no more decimals than above.",
  volatility: "Enter 1 to 300 per cent.",
  spread: "Enter up to 1% of the starting price, with no more decimals than above.",
  jump: "Enter 0 to 1,727.",
  source: "This price source isn’t set up here.",
  names: "Enter the product’s name at the sources: at least as many as must agree, and none that another product uses.",
};

export type ReadAddition =
  | { readonly ok: true; readonly add: Addition }
  | { readonly ok: false; readonly fields: readonly string[] };

/** Reads the form into the call's input, or returns the names of the fields that are not valid. */
export function readAddition(draft: AddDraft): ReadAddition {
  const { kind, termsOf } = draft;
  const name = draft.name.trim().toUpperCase();
  const symbol = draft.symbol.trim().toUpperCase() || name.replace("/", "");
  const title = draft.title.trim();
  const decimals = readCount(draft.decimals);
  const titles = readTitles(draft.titles);
  const prices = readPrices(draft);
  const wrong = [
    name === "" && "name",
    !/^[A-Z0-9]{3,16}$/.test(symbol) && "symbol",
    title === "" && "title",
    titles === null && "titles",
    decimals === null && "decimals",
    ...(Array.isArray(prices) ? prices : []),
  ].filter((field) => typeof field === "string");
  if (wrong.length > 0 || decimals === null || titles === null || Array.isArray(prices))
    return { ok: false, fields: wrong };
  const said = Object.keys(titles).length > 0 ? { titles } : {};
  return { ok: true, add: { symbol, name, title, ...said, kind, decimals, termsOf, prices } };
}

function readPrices(draft: AddDraft): Addition["prices"] | string[] {
  if (draft.source === "outside") {
    const names = Object.entries(draft.names).flatMap(([source, name]): [string, string][] =>
      name.trim() === "" ? [] : [[source, name.trim()]],
    );
    return names.length === 0 ? ["names"] : { source: "outside", names: Object.fromEntries(names) };
  }
  const [anchor, spread] = [readDecimal(draft.anchor), readDecimal(draft.spread)];
  const volatility = rateOfPercent(draft.volatility);
  const jumps = readDecimal(draft.jumpsADay);
  const jump = jumps === null ? null : Math.round(Number(jumps) / jumpsPerDay(1));
  if (anchor === null || spread === null || volatility === null || jump === null || jump > 65_535) {
    const isWrong = { anchor: anchor === null, volatility: volatility === null, spread: spread === null, jump: true };
    isWrong.jump = jump === null || jump > 65_535;
    return Object.entries(isWrong).flatMap(([field, wrong]) => (wrong ? [field] : []));
  }
  return { source: "simulated", anchor, volatility, spread, jump };
}

function placesOf(text: string): number {
  return text.trim().split(".")[1]?.length ?? 0;
}

function readCount(text: string): number | null {
  return /^[0-9]$/.test(text.trim()) ? Number(text.trim()) : null;
}

function readDecimal(text: string): string | null {
  const plain = text.trim().replaceAll(",", "");
  return /^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,10})?$/.test(plain) ? plain : null;
}

/** Converts percent to a rate: `80` → `0.80`, `12.5` → `0.125`. Null above 999 or with more than four decimals. */
export function rateOfPercent(text: string): string | null {
  const parts = /^([0-9]{1,3})(?:\.([0-9]{1,4}))?$/.exec(text.trim());
  if (parts?.[1] === undefined) return null;
  const digits = parts[1].padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}${parts[2] ?? ""}`;
}

/** Reads titles by language. Null when a line isn't like `de = Litecoin` or a language occurs twice. */
function readTitles(text: string): Record<string, string> | null {
  const titles: Record<string, string> = {};
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const parts = /^\s*([a-z]{2,3})\s*=\s*(.*\S)\s*$/.exec(line);
    if (parts?.[1] === undefined || parts[2] === undefined || Object.hasOwn(titles, parts[1])) return null;
    titles[parts[1]] = parts[2];
  }
  return titles;
}

/** Returns the typical move in 30 seconds, in smallest price steps; null while the form is incomplete. */
export function usualSteps(draft: AddDraft): number | null {
  const decimals = readCount(draft.decimals);
  const [price, volatility] = [readDecimal(draft.anchor), rateOfPercent(draft.volatility)];
  if (draft.source !== "simulated" || decimals === null || price === null || volatility === null) return null;
  const anchor: Points | null = parsePrice(price, decimals);
  if (anchor === null) return null;
  const millionths = BigInt(Math.round(Number(volatility) * 1_000_000)) as Rate;
  // Rounded down: 49.8 steps are refused and must not be shown as 50.
  return Math.floor(usualMove({ anchor, sigma: sigmaOfVolatility(millionths) }));
}
