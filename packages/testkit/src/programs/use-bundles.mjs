// Preloaded into the processes that tests start: where a program has been bundled, the bundle is run in its place
// (`bundle-programs.ts`). Plain JavaScript, since each process would have to read TypeScript anew.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const list = new URL(import.meta.url).searchParams.get("list");

const programs = listed();
if (programs !== undefined) {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const bundle = programs[resolved.url];
      if (bundle === undefined) return resolved;
      // A process runs one program, and everything that it loads is in the bundle.
      hooks.deregister();
      return { ...resolved, url: pathToFileURL(bundle).href, format: "module" };
    },
  });
}

/** Answers the list of bundles; undefined until they are made, and where this process may not read it. */
function listed() {
  try {
    return JSON.parse(readFileSync(list, "utf8")).programs;
  } catch {
    return undefined;
  }
}
