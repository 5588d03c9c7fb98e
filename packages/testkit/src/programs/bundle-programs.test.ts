import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bundlePrograms, type Place, withBundles } from "./bundle-programs.ts";

let place: Place;

beforeEach(() => {
  const project = realpathSync(mkdtempSync(join(tmpdir(), "fairtick-programs-")));
  mkdirSync(join(project, "parts"));
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  writeFileSync(
    join(project, "main.ts"),
    'import { place } from "./parts/part.ts";\nconsole.log(JSON.stringify(place));\n',
  );
  writeFileSync(join(project, "launch.mjs"), 'await import(new URL("main.ts", import.meta.url).href);\n');
  writePart("first");
  place = { project, programs: ["main.ts"], kept: join(project, "kept") };

  function writePart(word: string) {
    writeFileSync(
      join(project, "parts/part.ts"),
      `const word: string = "${word}";
const { dirname, filename, url } = { dirname: import.meta.dirname, filename: import.meta.filename, url: import.meta.url };
export const place = { word, dirname, filename, url, from: new Error().stack?.includes("/kept/") };
`,
    );
  }
});

afterEach(() => {
  rmSync(place.project, { recursive: true });
});

function run(program: string) {
  const env = { PATH: process.env["PATH"], NODE_OPTIONS: withBundles(place) };
  const { stdout, stderr } = spawnSync(process.execPath, [join(place.project, program)], { env, encoding: "utf8" });
  if (stderr !== "") throw new Error(stderr);
  return JSON.parse(stdout) as unknown;
}

function said(word: string, isBundled: boolean) {
  const filename = join(place.project, "parts/part.ts");
  const dirname = join(place.project, "parts");
  return { word, dirname, filename, url: pathToFileURL(filename).href, from: isBundled };
}

it("a program runs from its sources until it is bundled, and its modules know their own paths either way", async () => {
  expect(run("main.ts")).toEqual(said("first", false));
  await bundlePrograms(place);
  expect(run("main.ts")).toEqual(said("first", true));
  expect(run("launch.mjs")).toEqual(said("first", true));
});

it("a bundle is removed once a source has changed, and built again from the new source", async () => {
  await bundlePrograms(place);
  const made = readdirSync(place.kept);
  await bundlePrograms(place);
  expect(readdirSync(place.kept)).toEqual(made);
  writeFileSync(join(place.project, "parts/part.ts"), 'export const place = "another";\n');
  const again = bundlePrograms(place);
  expect(run("main.ts")).toBe("another");
  await again;
  expect(readdirSync(place.kept)).not.toEqual(made);
  expect(run("main.ts")).toBe("another");
});

it("a program that cannot be bundled runs from its sources, where it reports the error", async () => {
  writeFileSync(join(place.project, "parts/part.ts"), 'export { place } from "./missing.ts";\n');
  await bundlePrograms(place);
  expect(() => run("main.ts")).toThrow("missing.ts");
});
