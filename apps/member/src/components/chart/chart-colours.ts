const NAMES = {
  up: "--up",
  down: "--down",
  ink: "--ink",
  soft: "--ink-soft",
  ground: "--ground",
  surface: "--surface",
  grid: "--chart-grid",
  line: "--chart-line",
  area: "--chart-area",
  first: "--chart-first",
  second: "--chart-second",
  third: "--chart-third",
  fourth: "--chart-fourth",
  accent: "--accent",
  accentFill: "--accent-fill",
  accentSoft: "--accent-soft",
} as const;

export type ChartColours = Readonly<Record<keyof typeof NAMES, string>> & { readonly font: string };

/** Reads the design tokens at an element as colours for a canvas, including theme and price colours. */
export function readColours(at: HTMLElement): ChartColours {
  const probe = document.createElement("span");
  probe.hidden = true;
  at.append(probe);
  const colours = Object.fromEntries(
    Object.entries(NAMES).map(([name, token]) => {
      probe.style.color = `var(${token})`;
      return [name, getComputedStyle(probe).color];
    }),
  ) as Record<keyof typeof NAMES, string>;
  probe.remove();
  return { ...colours, font: getComputedStyle(at).fontFamily };
}

/** Calls back when the theme, price colours or language change the tokens' values. */
export function onColoursChange(changed: () => void): () => void {
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", changed);
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme", "data-rise", "lang"] });
  return () => {
    scheme.removeEventListener("change", changed);
    observer.disconnect();
  };
}
