import { execFileSync, spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { userSetLimits } from "@fairtick/protocol";
import type { Page } from "@playwright/test";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { STEADY } from "../steps/market.ts";
import { valueOf } from "../steps/members.ts";
import { fillOrder, openOrderForm, placeButton, review } from "../steps/ordering.ts";

// The evidence that a device keeps against the house, and how it is exported.

const FAIRTICK = resolve(import.meta.dirname, "../../../packages/transparency/bin/fairtick.mjs");

test("the opening of a refused order is saved as a file, and the command finds that refusal in the public log", async ({
  memberPage: page,
  member,
}, info) => {
  test.slow();
  await openOrderForm(page, STEADY.symbol);
  await fillOrder(page, { direction: "Down", amount: "10" });
  await review(page);
  // Set from another device, while this one still shows the review.
  valueOf(await member.client.call(userSetLimits, { dailyStake: "5.00" }));
  await placeButton(page).click();
  await expect(onScreen(page).getByTestId("confirm").getByRole("alert")).toContainText(
    "No order was placed and nothing was held",
  );

  await open(page, "/pages/fairness/index");
  const evidence = onScreen(page).getByTestId("fairness-evidence");
  await evidence.locator("summary").click();
  await expect(evidence.getByTestId("kept-evidence")).toContainText("refused orders you can open");
  await picture(page, info, "evidence-01-kept");
  const saved = page.waitForEvent("download");
  await evidence.getByRole("button", { name: "Save refused orders" }).click();
  const file = info.outputPath("refused.json");
  await (await saved).saveAs(file);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject([{ symbol: STEADY.symbol, direction: "down" }]);

  const keys = info.outputPath("fairtick.keys");
  const url = `${info.project.use.baseURL}/log`;
  await writeFile(keys, execFileSync(process.execPath, [FAIRTICK, "keys", "--log", url]));
  const examine = () => {
    const args = [FAIRTICK, "verify", "--log", url, "--keys", keys, "--refused", file];
    return spawnSync(process.execPath, args, { encoding: "utf8" }).stdout;
  };
  // The batch reaches the log a second or two later.
  await expect.poll(examine, { timeout: 120_000, intervals: [3_000] }).toMatch(/^opened refusals: 1, of which/m);
  expect(examine()).not.toContain("make no refusal of this log");
});

async function openComparison(page: Page): Promise<void> {
  await open(page, "/pages/fairness/index");
  await onScreen(page).getByTestId("fairness-compare").locator("summary").click();
  await expect(onScreen(page).getByTestId("log-state")).toHaveText(/^(?:[0-9a-f]{4} ){3}[0-9a-f]{4}$/);
}

test(
  "two devices compare the log that each of them sees",
  { tag: "@desk" },
  async ({ page, context, browser }, info) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await openComparison(page);
    await onScreen(page).getByTestId("log-state").scrollIntoViewIfNeeded();
    await picture(page, info, "compare-01-code");
    await expectAccessible(page, "compare");
    await expectNoSidewaysScroll(page);
    await onScreen(page).getByRole("button", { name: "Copy link" }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toContain("/#/pages/fairness/index?size=");

    const other = await (await browser.newContext()).newPage();
    await test.step("by the link, as a camera would open it", async () => {
      await other.goto(link);
      const compared = onScreen(other).getByTestId("compared");
      await expect(compared).toHaveAttribute("data-outcome", /^(?:same|older)$/);
      await expect(compared).toContainText("Same log");
      await compared.scrollIntoViewIfNeeded();
      await picture(other, info, "compare-02-same");
    });

    const field = onScreen(other).getByRole("textbox", { name: "Link from the other device" });
    const run = onScreen(other).getByRole("button", { name: "Compare", exact: true });
    const outcome = onScreen(other).getByTestId("compared");
    await test.step("by a pasted link: complete, truncated and altered", async () => {
      await field.fill(link);
      await run.click();
      await expect(outcome).toHaveAttribute("data-outcome", /^(?:same|older)$/);
      await field.fill(link.slice(0, -60));
      await run.click();
      await expect(onScreen(other).getByText("That link is incomplete.")).toBeVisible();
      await field.fill(link.replace(/size=([0-9]+)/, (_, size: string) => `size=${Number(size) - 1}`));
      await run.click();
      await expect(outcome).toHaveAttribute("data-outcome", "broken");
    });

    await test.step("a log without what the other device saw raises an alarm and offers both states to save", async () => {
      // Changes every hash of the tree that this device is served from now on.
      await other.route("**/log/tile/**", async (route) => {
        const answer = await route.fetch();
        const body = Buffer.from(await answer.body());
        for (let place = 0; place < body.length; place += 32) body[place] = (body[place] ?? 0) ^ 1;
        await route.fulfill({ response: answer, body });
      });
      await field.fill(link);
      await expect(async () => {
        await run.click();
        await expect(outcome).toHaveAttribute("data-outcome", "differ", { timeout: 5_000 });
      }).toPass();
      await expect(outcome).toContainText("Two different logs, both signed by us.");
      await outcome.scrollIntoViewIfNeeded();
      await picture(other, info, "compare-03-differ");
      const saved = other.waitForEvent("download");
      await outcome.getByRole("button", { name: "Save evidence" }).click();
      const file = info.outputPath("two-logs.json");
      await (await saved).saveAs(file);
      expect(Object.keys(JSON.parse(await readFile(file, "utf8")) as object)).toEqual(["mine", "theirs"]);
    });
  },
);

const LOOKS = [
  [320, 640],
  [390, 844],
  [1440, 900],
] as const;

test("a sheet reports an answer without proof at once, and the evidence can be saved", async ({
  memberPage: page,
}, info) => {
  // Acts as a house that accepts orders without committing to them.
  await page.route("**/client/order/place", async (route) => {
    const answer = await route.fetch();
    const told = (await answer.json()) as { data: { acceptance?: unknown } };
    await route.fulfill({ response: answer, json: { ...told, data: { ...told.data, acceptance: null } } });
  });
  await openOrderForm(page, STEADY.symbol);
  await fillOrder(page, { direction: "Up", amount: "10" });
  await review(page);
  await placeButton(page).click();
  const alarm = page.getByTestId("alarm");
  await expect(alarm).toHaveAttribute("data-fault", "unproven");
  for (const [width, height] of LOOKS)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await expect(alarm).toBeVisible();
      await expectAccessible(page, `alarm ${width} ${colorScheme}`);
      await expectNoSidewaysScroll(page);
      await picture(page, info, `alarm-${width}-${colorScheme}`);
    }
  const saved = page.waitForEvent("download");
  await alarm.getByRole("button", { name: "Save evidence" }).click();
  const file = info.outputPath("evidence.json");
  await (await saved).saveAs(file);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ answered: "missing" });
  await alarm.getByRole("button", { name: "Got it" }).click();
  await expect(alarm).toHaveCount(0);
});
