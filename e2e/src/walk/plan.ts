import { LANGUAGE_CODES, type LanguageCode } from "@fairtick/i18n";

export const WIDTHS = [320, 390, 768, 1024, 1440, 1920] as const;
export const THEMES = ["light", "dark"] as const;
export const TEXTS = [100, 200] as const;

/** What a walk covers; `npm run walk` passes it as JSON in the environment variable WALK. */
export interface Plan {
  readonly languages: readonly LanguageCode[];
  readonly widths: readonly number[];
  readonly themes: readonly ("light" | "dark")[];
  /** Text sizes in per cent. */
  readonly texts: readonly number[];
  /** Only screens whose name contains this text. */
  readonly only: string;
  readonly axe: boolean;
}

const EVERYTHING: Plan = {
  languages: LANGUAGE_CODES,
  widths: WIDTHS,
  themes: THEMES,
  texts: TEXTS,
  only: "",
  axe: true,
};

export const PLAN: Plan = { ...EVERYTHING, ...(JSON.parse(process.env["WALK"] ?? "{}") as Partial<Plan>) };

/** How a screen is shown for one screenshot. */
export interface Look {
  readonly width: number;
  readonly theme: "light" | "dark";
  readonly text: number;
}

/** Every size in every theme. Large text only in the first theme, since colours don't change the layout. */
export function looks({ widths, themes, texts }: Plan = PLAN): readonly Look[] {
  return texts.flatMap((text) =>
    widths.flatMap((width) =>
      themes.filter((_, place) => text === 100 || place === 0).map((theme) => ({ width, theme, text })),
    ),
  );
}

export function heightOf(width: number): number {
  if (width >= 1280) return 800;
  if (width >= 768) return 1024;
  return width >= 360 ? 740 : 640;
}
