import { expect, test } from "../../steps/journey.ts";
import { expectAccessible, picture } from "../../steps/look.ts";
import { openConsole } from "../../steps/office.ts";

test("the console opens with an overview whose blocks and keys lead to their queues", async ({ browser }, info) => {
  const desk = await openConsole(browser, "finance-1");
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto("/#/");
  await expect(desk.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  for (const block of ["Needs you now", "Alarms", "Exposure", "House result", "Withdrawals waiting", "Prices"])
    await expect(desk.getByRole("region", { name: block })).toBeVisible();
  const trust = desk.getByRole("region", { name: "Log, witnesses and ledger" });
  await expect(trust).toContainText("Newest checkpoint");
  await expect(trust).toContainText("invariants hold", { timeout: 60_000 });
  const promise = desk.getByText("No screen here can change a price, an outcome or a balance.");
  const foot = await desk.getByRole("contentinfo").boundingBox();
  const whole = await promise.evaluate((said) => {
    const range = document.createRange();
    range.selectNodeContents(said);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    return { left, right, top, bottom };
  });
  expect(whole.right).toBeLessThanOrEqual(Math.min(1440, (foot?.x ?? 0) + (foot?.width ?? 0)));
  expect(whole.bottom).toBeLessThanOrEqual((foot?.y ?? 0) + (foot?.height ?? 0));
  expect(whole.top).toBeGreaterThanOrEqual(foot?.y ?? 0);
  await expectAccessible(desk, "the overview");
  for (const colorScheme of ["light", "dark"] as const) {
    await desk.emulateMedia({ colorScheme });
    await picture(desk, info, `console-overview-${colorScheme}`);
  }
  await desk.emulateMedia({ colorScheme: "light" });

  await desk.getByRole("region", { name: "Needs you now" }).getByRole("link", { name: "Withdrawals" }).click();
  await expect(desk.getByRole("heading", { level: 1, name: "Withdrawals" })).toBeVisible();
  await desk.keyboard.press("g");
  await desk.keyboard.press("d");
  await expect(desk.getByRole("heading", { level: 1, name: "Deposits" })).toBeVisible();
  await desk.keyboard.press("g");
  await desk.keyboard.press("o");
  await expect(desk.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
});

test("a proposal is counted for those who may decide it, and N opens its screen", async ({ browser }) => {
  const maker = await openConsole(browser, "finance-1");
  await maker.evaluate(async () => {
    const answer = await fetch("/operator/capital/propose", {
      method: "POST",
      headers: { "content-type": "application/json", "x-fairtick-console": "1" },
      body: JSON.stringify({ wallet: "practice", amount: "25.00", reason: "For the overview" }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  });

  const checker = await openConsole(browser, "admin-1");
  await checker.goto("/#/overview");
  const needs = checker.getByRole("region", { name: "Needs you now" });
  // Proposals of other kinds may be pending too, each kind in its own row.
  const row = needs.getByRole("row", { name: /Second approvals/ }).first();
  await expect(row.getByRole("cell").first()).not.toHaveText("0");
  await checker.keyboard.press("n");
  await expect(checker.getByRole("heading", { level: 1, name: "Overview" })).toBeHidden();
});

test("the address of a queue names its selected tab", async ({ browser }) => {
  const desk = await openConsole(browser, "finance-1");
  await desk.goto("/#/withdrawals?view=review");
  await expect(desk.getByRole("tab", { name: "Needs review" })).toHaveAttribute("aria-selected", "true");
  await desk.keyboard.press("v");
  await desk.keyboard.press("ArrowLeft");
  await expect(desk.getByRole("tab", { name: "Sending" })).toHaveAttribute("aria-selected", "true");
  expect(new URL(desk.url()).hash).toBe("#/withdrawals?view=sending");
});
