import { join } from "node:path";
import { readSources } from "../walls/import-graph.ts";
import { findUnloadedStyles, type Exceptions } from "./loaded-styles.ts";

const MAIN = "apps/member/src/main.tsx";
const FILES = /^(?:apps\/member|packages\/ui)\/src\/.*(?<!\.(?:test|stories))\.(?:tsx?|css)$/;

const DESK = "only at a desk, which loads the styles";
/** Classes that an element has only where their styles are loaded. */
const EXCEPTIONS: Exceptions = {
  "apps/member/src/app/Shell.tsx .workspace": DESK,
  "apps/member/src/shared/Screen.tsx .panel-screen": DESK,
  "apps/member/src/shared/Screen.tsx .panel-page": DESK,
  "apps/member/src/shared/Screen.tsx .panel-foot": DESK,
};

/** Lists the member app's classes whose styles don't come with the screen that uses them. */
export function unloadedStyles(root: string): string[] {
  return findUnloadedStyles(readSources(root, FILES), MAIN, EXCEPTIONS);
}

if (import.meta.main) {
  const problems = unloadedStyles(join(import.meta.dirname, "../.."));
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
