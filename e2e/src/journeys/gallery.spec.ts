import { type ChildProcess, fork } from "node:child_process";
import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { freePort } from "@fairtick/postgres";
import { expect, type Page, test } from "@playwright/test";
import { expectNoSidewaysScroll, violations } from "../steps/look.ts";

const PROJECT = resolve(import.meta.dirname, "../../..");
const PICTURES = join(PROJECT, "artifacts/gallery");
const FOLDERS = { "packages/ui/src/": "ui/", "apps/member/src/components/": "components/" };
/** The story files, with the names that the gallery gives them. */
const FILES = Object.entries(FOLDERS).flatMap(([folder, name]) =>
  globSync(`${folder}**/*.stories.tsx`, { cwd: PROJECT }).map((path) =>
    path.replace(folder, name).replace(".stories.tsx", ""),
  ),
);

// One dev server and one page for all of them: the gallery isn't part of any build, and its modules load one by one.
test.describe.configure({ mode: "default" });
let server: ChildProcess;
let page: Page;
const faults: string[] = [];
test.beforeAll(async ({ browser }) => {
  const port = await freePort();
  const place = ["--app", "member", "--host", "127.0.0.1", "--port", String(port)];
  const behind = ["--server", process.env["JOURNEY_URL"] ?? "", "--paths", "^/client([/?]|$)"];
  server = fork(join(PROJECT, "scripts/develop/serve-app.ts"), [...place, ...behind], { stdio: "ignore" });
  await new Promise((done) => server.once("message", done));
  page = await browser.newPage({ viewport: { width: 360, height: 740 }, reducedMotion: "reduce", locale: "en-US" });
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.goto(`http://127.0.0.1:${port}/gallery`);
});
test.afterAll(async () => {
  await page.close();
  server.kill("SIGTERM");
  await new Promise((done) => server.once("exit", done));
});

test("the gallery lists every file of stories", async () => {
  await expect(page.locator(".gallery-files a").first()).toBeVisible();
  expect((await page.locator(".gallery-files a").allTextContents()).toSorted()).toEqual(FILES.toSorted());
});

async function show(file: string, theme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate((hash) => (location.hash = hash), `file=${file}&theme=${theme}`);
  await expect(page.locator(`[data-file="${file}"][data-theme="${theme}"] .story`).first()).toBeVisible();
  await expect(page.locator("[aria-busy=true]:not(.page, button)")).toHaveCount(0);
}

/** Returns axe's findings for the stories on the page, and the stories that are wider than a phone. */
async function problems(): Promise<string[]> {
  // The page shows several states of a screen, so landmarks that must be unique appear more than once.
  const found = (await violations(page)).filter((sentence) => !sentence.startsWith("landmark-"));
  const wide = await page
    .locator(".story")
    .evaluateAll((places) =>
      places
        .filter((place) => place.scrollWidth > place.clientWidth)
        .map((place) => `wide: ${place.getAttribute("data-story")} is wider than a phone`),
    );
  return [...found, ...wide];
}

test("the gallery detects stories that are broken on purpose", async () => {
  for (const theme of ["light", "dark"] as const) {
    await show("gallery/broken", theme);
    const found = await problems();
    expect(found.map((sentence) => sentence.split(":")[0] ?? "").toSorted()).toEqual([
      "button-name",
      "color-contrast",
      "wide",
    ]);
  }
});

for (const file of FILES) {
  test(`stories of ${file} are readable in both themes`, async () => {
    for (const theme of ["light", "dark"] as const) {
      await show(file, theme);
      for (const button of await page.locator(".story-frame .button").all()) {
        await button.click();
        await expect(page.locator("[role=dialog], .toast").first()).toBeVisible();
      }
      await expectNoSidewaysScroll(page);
      expect.soft(await problems()).toEqual([]);
      for (const story of await page.locator(".story").all()) {
        const name = (await story.getAttribute("data-story")) ?? "";
        await story.screenshot({
          animations: "disabled",
          path: join(PICTURES, theme, `${file} ${name}.png`.replaceAll("/", " ")),
        });
      }
    }
    expect(faults).toEqual([]);
  });
}
