import type { Plugin, Rolldown } from "vite";

type Bundle = Rolldown.OutputBundle;

const STYLESHEET = /\s*<link rel="stylesheet"[^>]*href="\/(assets\/[^"]+\.css)"[^>]*>/g;
const ENTRY = /\s*<script type="module"[^>]*src="\/(assets\/[^"]+\.js)"[^>]*><\/script>/;
const PRELOAD = /\s*<link rel="modulepreload"[^>]*href="\/(assets\/[^"]+\.js)"[^>]*>/g;
const FIRST_WORDS = /^assets\/([a-z]+)_common_home_shell-[^/]+\.js$/;

/** Scripts by their addresses in the build. */
interface Scripts {
  readonly entry: string;
  readonly everyRoute: readonly string[];
  readonly home: readonly string[];
  /** The first view's words by their language's code. */
  readonly words: Readonly<Record<string, string>>;
}

/**
 * Fetches and runs the app once the first view is painted, which stands in the page and needs no script. All scripts of that
 * view are asked for together: found one by another they would cost a slow network's way there and back twice more. A page
 * in the background is painted late or never, and other routes have no first view in the page: there the app starts at once.
 */
const startOf = ({ entry, everyRoute, home, words }: Scripts): string => `<script type="module">
const start = () => import("/${entry}").catch(() => {
  document.documentElement.dataset.lost = "";
  dispatchEvent(new Event("fairtick-lost"));
});
const isHome = document.documentElement.dataset.shell === "home";
const fetchAll = () => {
  const scripts = ${JSON.stringify(everyRoute)};
  if (isHome) {
    const words = ${JSON.stringify(words)};
    let language = "en";
    try { language = localStorage.getItem("lang") ?? language } catch {}
    scripts.push(...${JSON.stringify(home)}, words[language] ?? words.en);
  }
  for (const script of scripts) {
    const href = "/" + script;
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", crossOrigin: "", href }));
  }
  start();
};
if (isHome && !document.hidden) requestAnimationFrame(() => setTimeout(fetchAll));
else fetchAll();
</script>`;

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
        const scripts = { entry, everyRoute, home: homeScripts(bundle, everyRoute), words: firstWords(bundle) };
        return withStyles(html, bundle)
          .replaceAll(PRELOAD, "")
          .replace(ENTRY, () => `\n    ${startOf(scripts)}`);
      },
    },
  };
}

/** What the home screen and the first words need beside what every route does. */
function homeScripts(bundle: Bundle, everyRoute: readonly string[]): string[] {
  const screen = Object.values(bundle).find(
    (file) => file.type === "chunk" && file.facadeModuleId?.endsWith("/HomeScreen.tsx"),
  );
  if (screen === undefined) throw new Error("the build has no home screen");
  const needed = new Set<string>();
  const need = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    const file = bundle[name];
    if (file?.type === "chunk") for (const imported of file.imports) need(imported);
  };
  need(screen.fileName);
  return [...needed].filter((name) => !everyRoute.includes(name));
}

function firstWords(bundle: Bundle): Record<string, string> {
  const words: Record<string, string> = {};
  for (const name of Object.keys(bundle)) {
    const [, code] = FIRST_WORDS.exec(name) ?? [];
    if (code !== undefined) words[code] = name;
  }
  if (words["en"] === undefined) throw new Error("the build has no first words in English");
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
