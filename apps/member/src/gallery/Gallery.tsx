import { Segments } from "@fairtick/ui";
import type { Stories } from "@fairtick/ui/story.ts";
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";

type Theme = "light" | "dark";

/** Loads a file's stories by its name, which is its path without the part that all share. */
const FILES: ReadonlyMap<string, () => Promise<Stories>> = new Map(
  Object.entries({
    ...import.meta.glob<Stories>("../../../../packages/ui/src/**/*.stories.tsx", { import: "stories" }),
    ...import.meta.glob<Stories>("../components/**/*.stories.tsx", { import: "stories" }),
  }).map(([path, load]) => [
    path
      .replace(/^(\.\.\/)+/, "")
      .replace("packages/ui/src/", "ui/")
      .replace(".stories.tsx", ""),
    load,
  ]),
);

/** Shown when asked for, but not listed: the page that the gallery's own test expects to fail. */
const UNLISTED: typeof FILES = new Map([
  ["gallery/broken", async () => (await import("./broken.stories.tsx")).stories],
]);

function watchHash(watcher: () => void): () => void {
  addEventListener("hashchange", watcher);
  return () => removeEventListener("hashchange", watcher);
}

/** Every component in its states. `#file=ui/controls&theme=dark` shows those of one file. */
export function Gallery() {
  const asked = new URLSearchParams(useSyncExternalStore(watchHash, () => location.hash).slice(1));
  const only = asked.get("file");
  const theme: Theme = asked.get("theme") === "dark" ? "dark" : "light";
  const placeOf = (file: string | null, inTheme: Theme) =>
    `#${new URLSearchParams({ ...(file !== null && { file }), theme: inTheme }).toString()}`;
  useLayoutEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  const names = [...FILES.keys()];
  const shown = only === null ? names : [only];
  return (
    <main className="gallery">
      <h1 className="title">Components</h1>
      <Segments
        label="Theme"
        look="slim"
        choices={[
          { value: "light", label: "Light" },
          { value: "dark", label: "Dark" },
        ]}
        value={theme}
        onChange={(chosen) => {
          location.hash = placeOf(only, chosen);
        }}
      />
      {only === null ? (
        <ul className="gallery-files">
          {names.map((name) => (
            <li key={name}>
              <a className="link" href={placeOf(name, theme)}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      ) : (
        <a className="link" href={placeOf(null, theme)}>
          All components
        </a>
      )}
      {shown.map((name) => (
        <File key={`${name} ${theme}`} name={name} theme={theme} />
      ))}
    </main>
  );
}

/** Mounts its content again in each theme, because charts read their colours only once. */
function File({ name, theme }: { readonly name: string; readonly theme: Theme }) {
  const [stories, setStories] = useState<Stories>({});
  useEffect(() => {
    let gone = false;
    void (FILES.get(name) ?? UNLISTED.get(name))?.().then((loaded) => {
      if (!gone) setStories(loaded);
    });
    return () => {
      gone = true;
    };
  }, [name]);
  return (
    <section aria-label={name} data-file={name} data-theme={theme}>
      {Object.entries(stories).map(([component, states]) => (
        <div key={component}>
          <h2 className="label">
            {component} <span className="note soft">{name}</span>
          </h2>
          {Object.entries(states).map(([state, Story]) => (
            <figure key={state} className="story" data-story={`${component}, ${state}`}>
              <figcaption className="note soft">{state}</figcaption>
              <div className="story-place">
                <Story />
              </div>
            </figure>
          ))}
        </div>
      ))}
    </section>
  );
}
