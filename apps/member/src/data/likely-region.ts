/** What a browser says of where it is used. */
export interface BrowserPlace {
  /** As `Intl` names it: `America/Sao_Paulo`. */
  readonly timeZone: string;
  /** Preferred first: `pt-BR`, `en`. */
  readonly languages: readonly string[];
}

/** `Intl.Locale` as newer browsers have it; older ones know the zones as a property, or not at all. */
type LocaleWithZones = Intl.Locale & {
  readonly timeZones?: readonly string[];
  getTimeZones?(): readonly string[] | undefined;
};

/**
 * The region that a browser is probably used in, among `regions` (two letters each), or null. Its clock tells more than
 * its language, which is English on many phones everywhere; the language decides where the clock fits several regions or
 * none. A guess, to be confirmed: nobody's region is set by it.
 */
export function guessRegion({ timeZone, languages }: BrowserPlace, regions: readonly string[]): string | null {
  const spoken = languages.map(regionOf).filter((region) => region !== null && regions.includes(region));
  const near = regions.filter((region) => zonesOf(region).includes(timeZone));
  return near.find((region) => spoken.includes(region)) ?? near[0] ?? spoken[0] ?? null;
}

/** The region that a language tag names or, by what is usual, means: `pt-BR` and `pt` both mean BR. */
function regionOf(language: string): string | null {
  try {
    return new Intl.Locale(language).maximize().region ?? null;
  } catch {
    return null;
  }
}

function zonesOf(region: string): readonly string[] {
  try {
    const locale = new Intl.Locale("und", { region }) as LocaleWithZones;
    return locale.getTimeZones?.() ?? locale.timeZones ?? [];
  } catch {
    return [];
  }
}

/** What this browser says. */
export function placeOfBrowser(): BrowserPlace {
  return {
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    languages: navigator.languages,
  };
}
