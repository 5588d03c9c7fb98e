import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "..");

function pathsIn(pattern: RegExp, files: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of files)
    for (const [, path = ""] of readFileSync(join(SOURCE, file), "utf8").matchAll(pattern)) found.set(path, file);
  return found;
}

describe("links", () => {
  it("lead to screens that exist: no dead button", () => {
    const routes = pathsIn(/(?:open\(|guarded\(|path: )"(\/[^"]*)"/g, ["app/router.tsx"]);
    const sources = globSync("**/*.{ts,tsx}", { cwd: SOURCE }).filter((file) => !file.includes(".test."));
    const linked = pathsIn(/"(\/pages\/[A-Za-z]+\/[A-Za-z0-9]+)"/g, sources);
    expect(linked.size).toBeGreaterThan(5);
    for (const [path, file] of linked) expect(routes.has(path), `${file} links to ${path}`).toBe(true);
  });
});
