import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../../..");
const styles = ["apps/member/src", "apps/backoffice/src", "packages/ui/src"].flatMap((folder) =>
  globSync(`${folder}/**/*.css`, { cwd: ROOT }),
);
const tokens = readFileSync(join(ROOT, "packages/ui/src/styles/tokens.css"), "utf8");
const reduced = /@media \(prefers-reduced-motion: reduce\) \{\s*:root \{([^}]*)\}/.exec(tokens)?.[1] ?? "";

it("takes every animation duration from a token, and tokens are zero with reduced motion", () => {
  const moves = styles.flatMap((path) =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(/(?:^|[\s;{])((?:transition|animation)(?:-duration)?:[^;}]*)/g)]
      .map(([, rule = ""]) => ({ path, rule }))
      // Holds a part in place for a moment and moves nothing: a tap needs that time with reduced motion as well.
      .filter(({ rule }) => !/^transition: display \d+ms allow-discrete$/.test(rule)),
  );
  expect(moves.length).toBeGreaterThan(3);
  expect(moves.filter(({ rule }) => !/var\(--motion-(?!curve)|: none/.test(rule) || /[0-9.]m?s\b/.test(rule))).toEqual(
    [],
  );
  const used = new Set(
    moves.flatMap(({ rule }) => [...rule.matchAll(/var\((--motion-(?!curve)[a-z]+)\)/g)].map(([, name]) => name)),
  );
  expect([...used].filter((name) => !reduced.includes(`${name}: 0ms;`))).toEqual([]);
});

it("never scrolls smoothly, whatever the setting", () => {
  const sources = globSync("{apps/member,apps/backoffice,packages/ui}/src/**/*.{ts,tsx,css}", { cwd: ROOT });
  const smooth = /behavior: "smooth"|scroll-behavior: smooth|\.animate\(/;
  expect(
    sources.filter((path) => !path.endsWith(".test.ts") && smooth.test(readFileSync(join(ROOT, path), "utf8"))),
  ).toEqual([]);
});
