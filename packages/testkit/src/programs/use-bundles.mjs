// Preloaded into the processes that tests start. If a program has been bundled (`bundle-programs.ts`), its bundle is
// run instead. This file is plain JavaScript, because each process would have to transpile TypeScript again.
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
      // A process runs one program, and everything it loads is in the bundle.
      hooks.deregister();
      return { ...resolved, url: pathToFileURL(bundle).href, format: "module" };
    },
  });
}

/** Returns the list of bundles; undefined if they aren't built yet or this process can't read it. */
function listed() {
  try {
    return JSON.parse(readFileSync(list, "utf8")).programs;
  } catch {
    return undefined;
  }
}
