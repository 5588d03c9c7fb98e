import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { buildAnew, buildOnce, type Product } from "./build-once.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const folders: string[] = [];
let folder: string;
let source: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fairtick-build-"));
  folders.push(folder);
  mkdirSync(join(folder, "sources"));
  source = join(folder, "sources/app.ts");
  writeFileSync(source, "first");
});
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

/** Returns a product that copies its source, and a list to which each build is added. */
function copying(): { readonly product: Product; readonly builds: string[] } {
  const builds: string[] = [];
  const product: Product = {
    output: join(folder, "dist"),
    sources: [relative(PROJECT, join(folder, "sources"))],
    build: (draft) => {
      const content = readFileSync(source, "utf8");
      builds.push(content);
      if (content === "broken") return Promise.reject(new Error("it could not be built"));
      mkdirSync(draft);
      writeFileSync(join(draft, "app.js"), content);
      return Promise.resolve();
    },
  };
  return { product, builds };
}

const built = () => readFileSync(join(folder, "dist/app.js"), "utf8");

it("builds again when a source's content has changed, not when it was only touched or a test has changed", async () => {
  const { product, builds } = copying();
  expect(await buildOnce(product)).toBe(true);
  utimesSync(source, new Date(), new Date());
  writeFileSync(join(folder, "sources/app.test.ts"), "a test");
  expect(await buildOnce(product)).toBe(false);
  writeFileSync(source, "second");
  expect(await buildOnce(product)).toBe(true);
  expect(built()).toBe("second");
  writeFileSync(join(folder, "sources/more.ts"), "more");
  expect(await buildOnce(product)).toBe(true);
  rmSync(join(folder, "dist"), { recursive: true });
  expect(await buildOnce(product)).toBe(true);
  await buildAnew(product);
  expect(builds).toEqual(["first", "second", "second", "second", "second"]);
});

it("makes the folder of a product that was never built", async () => {
  const { product } = copying();
  expect(await buildOnce({ ...product, output: join(folder, "never/built/dist") })).toBe(true);
});

it("keeps the last build when the next one fails, and tries again", async () => {
  const { product } = copying();
  await buildOnce(product);
  writeFileSync(source, "broken");
  await expect(buildOnce(product)).rejects.toThrow("it could not be built");
  expect(built()).toBe("first");
  await expect(buildOnce(product)).rejects.toThrow("it could not be built");
  writeFileSync(source, "mended");
  expect(await buildOnce(product)).toBe(true);
  expect(built()).toBe("mended");
  expect(readdirSync(folder).toSorted()).toEqual(["dist", "dist.sources", "sources"]);
});

/** Builds in a process of its own that takes `ms` for it; returns what it printed. */
async function buildElsewhere(ms: number): Promise<string> {
  const program = `
    import { appendFileSync, mkdirSync } from "node:fs";
    import { setTimeout as sleep } from "node:timers/promises";
    import { buildOnce } from ${JSON.stringify(join(import.meta.dirname, "build-once.ts"))};
    const built = await buildOnce({
      output: ${JSON.stringify(join(folder, "dist"))},
      sources: [${JSON.stringify(relative(PROJECT, join(folder, "sources")))}],
      build: async (draft) => {
        appendFileSync(${JSON.stringify(join(folder, "begun"))}, "x");
        mkdirSync(draft);
        await sleep(${ms});
      },
    });
    console.log(built ? "built" : "found");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => (text += bytes.toString("utf8")));
  await new Promise((done) => child.once("close", done));
  return text.trim();
}

it("builds once when several processes need the same, and the others wait for it", async () => {
  const said = await Promise.all([buildElsewhere(500), buildElsewhere(500), buildElsewhere(500)]);
  expect(said.toSorted()).toEqual(["built", "found", "found"]);
  expect(readFileSync(join(folder, "begun"), "utf8")).toBe("x");
});

it("takes over from a process that was killed while it was building", async () => {
  const { product } = copying();
  mkdirSync(join(folder, "dist.draft"));
  writeFileSync(join(folder, "dist.building"), "999999999 0");
  expect(await buildOnce(product)).toBe(true);
  expect(built()).toBe("first");
});
