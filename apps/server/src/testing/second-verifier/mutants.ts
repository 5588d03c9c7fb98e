import { canonicalJson, type Canonical } from "@fairtick/domain";

/** A receipt with a single thing changed, and what was changed. */
export interface Mutant {
  readonly what: string;
  readonly make: () => unknown;
}

type Path = readonly (string | number)[];
interface Change {
  readonly name: string;
  readonly make: (value: unknown) => unknown;
}

/** Makes `make` leave the field or element out. */
const GONE = Symbol("gone");

const NUMBERS: readonly Change[] = [
  { name: "one more", make: (value) => Number(value) + 1 },
  { name: "zero", make: (value) => (value === 0 ? 1 : 0) },
];
const TEXTS: readonly Change[] = [
  { name: "another first character", make: (value) => swapped(String(value), 0) },
  { name: "another character in the middle", make: (value) => swapped(String(value), String(value).length >> 1) },
  { name: "the last character left out", make: (value) => (value === "" ? "0" : String(value).slice(0, -1)) },
];
const ANY: readonly Change[] = [
  { name: "null", make: () => null },
  { name: "left out", make: () => GONE },
];
const LISTS: readonly Change[] = [{ name: "empty", make: () => [] }];
const NULLS: readonly Change[] = [
  { name: "zero in place of null", make: () => 0 },
  { name: "left out", make: () => GONE },
];

/**
 * Yields every receipt that a single change makes: to each field, and to each field in the JSON texts within a receipt,
 * which are written canonically again. The receipts and their order are always the same.
 */
export function* mutantsOf(receipt: unknown): Generator<Mutant> {
  for (const [path, value] of placesIn(receipt, [])) {
    for (const change of changesOf(value)) yield mutant(receipt, path, change);
    const inner = innerJson(value);
    if (inner === null) continue;
    for (const [innerPath, innerValue] of placesIn(inner, [])) {
      for (const change of changesOf(innerValue)) {
        const { what, make } = mutant(inner, innerPath, change);
        yield mutant(receipt, path, { name: `inside, ${what}`, make: () => canonicalJson(make() as Canonical) });
      }
    }
  }
}

/** Picks this many items, spread evenly over all. */
export function spread<Item>(all: readonly Item[], count: number): Item[] {
  const places = Array.from({ length: Math.min(count, all.length) }, (_, nth) =>
    Math.floor((nth * all.length) / count),
  );
  return places.flatMap((place) => all.slice(place, place + 1));
}

function* placesIn(value: unknown, path: Path): Generator<readonly [Path, unknown]> {
  if (path.length > 0) yield [path, value];
  if (typeof value !== "object" || value === null) return;
  // The elements of a long list are all alike, so two are enough.
  const entries = Array.isArray(value) ? [...value.entries()].slice(0, 2) : Object.entries(value);
  for (const [name, each] of entries) yield* placesIn(each, [...path, name]);
}

function changesOf(value: unknown): readonly Change[] {
  if (value === null) return NULLS;
  if (typeof value === "number") return [...NUMBERS, ...ANY];
  if (typeof value === "string") return [...TEXTS, ...ANY];
  return Array.isArray(value) && value.length > 0 ? [...LISTS, ...ANY] : ANY;
}

function mutant(whole: unknown, path: Path, change: Change): Mutant {
  return { what: `${path.join(".")}: ${change.name}`, make: () => changed(whole, path, change) };
}

function changed(whole: unknown, path: Path, { make }: Change): unknown {
  const copy = structuredClone(whole);
  const last = path.at(-1) ?? "";
  let holder = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<string | number, unknown>;
  const made = make(holder[last]);
  if (made !== GONE) holder[last] = made;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else Reflect.deleteProperty(holder, last);
  return copy;
}

/** Replaces a character by another one of the same kind, so that numbers and hexadecimal texts stay valid. */
function swapped(text: string, place: number): string {
  const given = text.charAt(place);
  const other = /[0-8a-eA-Y]/.test(given) ? String.fromCharCode(given.charCodeAt(0) + 1) : "0";
  return text.slice(0, place) + other + text.slice(place + 1);
}

function innerJson(value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith("{")) return null;
  return JSON.parse(value);
}
