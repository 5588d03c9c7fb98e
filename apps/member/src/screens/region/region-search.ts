import { plainWords as plain } from "@fairtick/ui/search-words.ts";

export interface NamedRegion {
  readonly iso2: string;
  readonly name: string;
  readonly dialCode: string;
}

/** Returns regions whose name contains the words, or whose dial code or letters begin with them, sorted by name. */
export function searchRegions<Region extends NamedRegion>(
  regions: readonly Region[],
  words: string,
  locale: string,
): Region[] {
  const wanted = plain(words);
  const digits = wanted.replace(/^\+|^00/, "");
  const found = regions.filter(
    ({ name, iso2, dialCode }) =>
      plain(name).includes(wanted) ||
      iso2.toLowerCase() === wanted ||
      (/^[0-9]+$/.test(digits) && dialCode.replace("+", "").startsWith(digits)),
  );
  return found.toSorted((a, b) => a.name.localeCompare(b.name, locale));
}
