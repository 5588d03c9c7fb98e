import { LANGUAGES } from "@fairtick/i18n";
import type { Plugin, Rolldown } from "vite";

type Bundle = Rolldown.OutputBundle;

const STYLESHEET = /\s*<link rel="stylesheet"[^>]*href="\/(assets\/[^"]+\.css)"[^>]*>/g;
const ENTRY = /\s*<script type="module"[^>]*src="\/(assets\/[^"]+\.js)"[^>]*><\/script>/;
const PRELOAD = /\s*<link rel="modulepreload"[^>]*href="\/(assets\/[^"]+\.js)"[^>]*>/g;

/**
 * Screens whose files are all requested at once if they are opened first, by their place in the address and by width; `last`
 * is what they can be used without for a moment.
 */
const FIRST_SCREENS = {
  home: { narrow: "HomeScreen.tsx", wide: "HomeScreen.tsx", last: null },
  "/pages/trade/index": { narrow: "TradeTabScreen.tsx", wide: "Workspace.tsx", last: "chart-view.ts" },
  "/pages/trade/trade": { narrow: "OrderScreen.tsx", wide: "Workspace.tsx", last: "chart-view.ts" },
} as const;

/** Windows that show the wide screens; `use-width.ts` says the same. */
const WIDE = "(min-width: 768px) and (min-height: 480px), (min-width: 1000px)";

/** The values of the `Lang` header by the languages' stored codes. */
const LANGS = Object.fromEntries(LANGUAGES.map(({ code, lang }) => [code, lang]));

/** Files by their addresses in the build. */
interface Files {
  readonly entry: string;
  readonly everyRoute: readonly string[];
  /** What each of the first screens needs beside that. */
  readonly screens: Readonly<Record<string, Readonly<Record<"narrow" | "wide" | "last", readonly string[]>>>>;
  /** The messages by their part (`packages/i18n/src/vite-plugin.ts`) and their language's code. */
  readonly words: Readonly<Record<"first" | "trade" | "all", Readonly<Record<string, string>>>>;
}

/**
 * Requests the app's files and runs it: on home once the first view is painted, which is in the page and needs no script; on
 * other routes at once, as in the background, where a page is painted late or never. All files of the screens that are opened
 * first are requested together: found one after another, they would cost a slow network two more round trips. So are the
 * products, which the screens of a trade need before anything can be tapped (`src/data/early-answer.ts`).
 */
const startOf = ({ entry, everyRoute, screens, words }: Files): string => `<script>((page) => {
const isHome = page.documentElement.dataset.shell === "home";
const isPaintedFirst = isHome && !page.hidden;
const askProducts = (lang) => {
  let token = null;
  try { token = localStorage.getItem("exchange2508Token") } catch {}
  const path = "market/instruments";
  const headers = token === null ? { Lang: lang } : { Lang: lang, exchange2508Token: token };
  const answer = fetch("/client/" + path, { method: "POST", headers, body: new URLSearchParams(), cache: "no-store" });
  answer.catch(() => {});
  window.fairtickEarly = { path, lang, token, answer };
};
const request = () => {
  const files = ${JSON.stringify(everyRoute)};
  const screen = ${JSON.stringify(screens)}[isHome ? "home" : location.hash.slice(1).split("?")[0]];
  if (screen) {
    let language = "en";
    try { language = localStorage.getItem("lang") ?? language } catch {}
    const inLanguage = (part) => part[language] ?? part.en;
    const isWide = matchMedia("${WIDE}").matches;
    const words = ${JSON.stringify(words)};
    files.push(...(isWide ? screen.wide : screen.narrow), inLanguage(words.first));
    if (!isHome) {
      files.push(inLanguage(isWide ? words.all : words.trade), ...screen.last);
      askProducts(inLanguage(${JSON.stringify(LANGS)}));
    }
  }
  for (const file of files) {
    const kind = file.endsWith("css") ? { rel: "preload", as: "style" } : { rel: "modulepreload" };
    page.head.append(Object.assign(page.createElement("link"), kind, { crossOrigin: "", href: "/" + file }));
  }
};
const start = () => import("/${entry}").catch(() => {
  page.documentElement.dataset.lost = "";
  dispatchEvent(new Event("fairtick-lost"));
});
if (!isPaintedFirst) request();
page.addEventListener("DOMContentLoaded", () => {
  if (!isPaintedFirst) return start();
  requestAnimationFrame(() => setTimeout(() => { request(); start(); }));
});
})(document)</script>`;

/** Lets the first view be painted as soon as index.html has come: its styles stand in it, and no script is fetched before. */
export function firstPaint(): Plugin {
  return {
    name: "fairtick-first-paint",
    transformIndexHtml: {
      order: "post",
      handler(html, { path, bundle }) {
        // The gallery of components is another page; a development server has no bundle.
        if (path !== "/index.html" || bundle === undefined) return html;
        const entry = ENTRY.exec(html)?.[1];
        if (entry === undefined) throw new Error("index.html has no script of the app");
        const everyRoute = [entry, ...[...html.matchAll(PRELOAD)].map(([, script = ""]) => script)];
        const page = withStyles(html, bundle);
        const neededBy = (screen: string | null) =>
          screen === null ? [] : filesOf(screen, bundle).filter((name) => !everyRoute.includes(name));
        const screens = Object.fromEntries(
          Object.entries(FIRST_SCREENS).map(([place, { narrow, wide, last }]) => [
            place,
            { narrow: neededBy(narrow), wide: neededBy(wide), last: neededBy(last) },
          ]),
        );
        const words = { first: wordsIn(bundle, "first"), trade: wordsIn(bundle, "trade"), all: wordsIn(bundle, "all") };
        return page
          .replaceAll(PRELOAD, "")
          .replace(ENTRY, () => `\n    ${startOf({ entry, everyRoute, screens, words })}`);
      },
    },
  };
}

/** Returns the scripts and styles that a screen needs. */
function filesOf(screen: string, bundle: Bundle): string[] {
  const found = Object.values(bundle).find(
    (file) => file.type === "chunk" && file.facadeModuleId?.endsWith(`/${screen}`),
  );
  if (found === undefined) throw new Error(`the build has no ${screen}`);
  const needed = new Set<string>();
  const need = (name: string): void => {
    const file = bundle[name];
    if (needed.has(name) || file?.type !== "chunk") return;
    needed.add(name);
    for (const style of file.viteMetadata?.importedCss ?? []) needed.add(style);
    for (const imported of file.imports) need(imported);
  };
  need(found.fileName);
  return [...needed];
}

/** Returns the scripts of one part of the messages, by their language's code. */
function wordsIn(bundle: Bundle, part: "first" | "trade" | "all"): Record<string, string> {
  const module = new RegExp(`fairtick-messages/([a-z]+)/${part}$`);
  const words: Record<string, string> = {};
  for (const file of Object.values(bundle)) {
    const [, code] = (file.type === "chunk" && module.exec(file.facadeModuleId ?? "")) || [];
    if (code !== undefined) words[code] = file.fileName;
  }
  if (words["en"] === undefined) throw new Error("the build has no such words in English");
  return words;
}

/** Puts the page's stylesheets into it, and takes them out of the build. */
function withStyles(html: string, bundle: Bundle): string {
  return html.replaceAll(STYLESHEET, (_, name: string) => {
    const file = bundle[name];
    if (file?.type !== "asset") throw new Error(`index.html names ${name}, which is not in the build`);
    delete bundle[name];
    // A screen that shares code with the entry would fetch its styles too.
    for (const chunk of Object.values(bundle)) if (chunk.type === "chunk") chunk.viteMetadata?.importedCss.delete(name);
    return `\n    <style>${String(file.source)}</style>`;
  });
}
