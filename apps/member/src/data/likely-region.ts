/** What a browser reveals about where it is used. */
export interface BrowserPlace {
  /** IANA name, such as `America/Sao_Paulo`. */
  readonly timeZone: string;
  /** Preferred first, such as `pt-BR`, `en`. */
  readonly languages: readonly string[];
}

/** `Intl.Locale` with time zones: a method in newer browsers, a property in older ones, or missing. */
type LocaleWithZones = Intl.Locale & {
  readonly timeZones?: readonly string[];
  getTimeZones?(): readonly string[] | undefined;
};

/**
 * Guesses the region that a browser is used in, among `regions` (two-letter codes); null if nothing fits. The time zone
 * counts more than the language, which is English on many phones everywhere. The language decides if the time zone fits
 * several regions or none. It is only a suggestion that the member confirms.
 */
export function guessRegion({ timeZone, languages }: BrowserPlace, regions: readonly string[]): string | null {
  const spoken = languages.map(regionOf).filter((region) => region !== null && regions.includes(region));
  const near = regions.filter((region) => zonesOf(region).includes(timeZone));
  return near.find((region) => spoken.includes(region)) ?? near[0] ?? spoken[0] ?? null;
}

/** Returns the region that a language tag names or usually implies: `pt-BR` and `pt` both give BR. */
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

/** Reads the time zone and languages of this browser. */
export function placeOfBrowser(): BrowserPlace {
  return {
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    languages: navigator.languages,
  };
}
