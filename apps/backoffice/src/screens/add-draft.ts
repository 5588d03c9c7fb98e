import { jumpsPerDay, type Points, parsePrice, type Rate, sigmaOfVolatility, usualMove } from "@fairtick/domain";
import type { configPropose, Sent } from "@fairtick/protocol/operator";

type Addition = NonNullable<Sent<typeof configPropose>["add"]>;

/** An instrument that is to be added, as it stands in the form: texts, as typed. */
export interface AddDraft {
  readonly name: string;
  /** Empty: the name without its slash. */
  readonly symbol: string;
  readonly title: string;
  /** `de = Litecoin`, a line each. */
  readonly titles: string;
  readonly kind: Addition["kind"];
  readonly decimals: string;
  readonly termsOf: string;
  readonly source: Addition["prices"]["source"];
  readonly anchor: string;
  /** A year, in per cent. */
  readonly volatility: string;
  readonly spread: string;
  /** On average. */
  readonly jumpsADay: string;
  /** Source → its own name for it. */
  readonly names: Readonly<Record<string, string>>;
}

export function emptyAddition(source: AddDraft["source"], termsOf: string): AddDraft {
  return {
    name: "",
    symbol: "",
    title: "",
    titles: "",
    kind: "crypto",
    decimals: "2",
    termsOf,
    source,
    anchor: "",
    volatility: "60",
    spread: "",
    jumpsADay: "47",
    names: {},
  };
}

/** What each field takes; shown where the form or the server refuses it. */
export const ADD_RULES: Readonly<Record<string, string>> = {
  symbol: "3 to 16 capital letters and digits that no product has had. A symbol is never used again.",
  name: "Capital letters and digits with at most one slash, such as LTC/USD, that no other product has.",
  title: "2 to 60 characters.",
  titles: "Lines such as: de = Litecoin. Each starts with the code of one of the app’s languages.",
  decimals:
    "0 to 8, and so many that the price usually moves by 50 of its smallest steps in 30 seconds. With fewer, too many orders tie.",
  termsOf: "Choose a product whose terms this one starts with.",
  anchor: "A price above zero, written with no more decimal places than given above.",
  volatility: "1 to 300 per cent a year.",
  spread: "0 to 1 % of the starting price, with no more decimal places than given above.",
  jump: "0 to 1,727 a day.",
  source: "This deployment has no such price source.",
  names:
    "Each source’s own name for the product; at least one, at least as many as must agree, and none that another product has.",
};

export type ReadAddition =
  | { readonly ok: true; readonly add: Addition }
  | { readonly ok: false; readonly fields: readonly string[] };

/** What the form asks for, as the call takes it; or the fields that cannot be read as what they are. */
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

function readCount(text: string): number | null {
  return /^[0-9]$/.test(text.trim()) ? Number(text.trim()) : null;
}

function readDecimal(text: string): string | null {
  const plain = text.trim().replaceAll(",", "");
  return /^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,10})?$/.test(plain) ? plain : null;
}

/** `80` and `12.5` per cent are `0.80` and `0.125` as calls say a rate; null for more than four places, or 1,000 and more. */
export function rateOfPercent(text: string): string | null {
  const parts = /^([0-9]{1,3})(?:\.([0-9]{1,4}))?$/.exec(text.trim());
  if (parts?.[1] === undefined) return null;
  const digits = parts[1].padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}${parts[2] ?? ""}`;
}

/** Null where a line is none of `de = Litecoin`, or a language stands twice. */
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

/** How many smallest steps the price usually moves in 30 seconds; null while the figures cannot be read. */
export function usualSteps(draft: AddDraft): number | null {
  const read = readPrices(draft);
  const decimals = readCount(draft.decimals);
  if (Array.isArray(read) || read.source !== "simulated" || decimals === null) return null;
  const anchor: Points | null = parsePrice(read.anchor, decimals);
  if (anchor === null) return null;
  const millionths = BigInt(Math.round(Number(read.volatility) * 1_000_000)) as Rate;
  return Math.round(usualMove({ anchor, sigma: sigmaOfVolatility(millionths) }));
}
