import { expect, expectToast, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { LIVELY, STEADY } from "../steps/market.ts";
import { ordersOf, placeByCall } from "../steps/members.ts";
import { fillOrder, openOrderForm, placeButton, review } from "../steps/ordering.ts";

test("a member's limits are lowered at once and raised after a day, and the member is reminded of the time", async ({
  memberPage: page,
}, info) => {
  const screen = onScreen(page);
  await open(page, "/pages/user/index");

  await test.step("settings lead to the limits, and none is set", async () => {
    await screen.getByRole("link", { name: "Settings" }).click();
    await screen.getByRole("link", { name: "Responsible trading" }).click();
    await expect(page).toHaveTitle("Responsible trading");
    await expect(screen.getByTestId("limit-dailyStake")).toContainText("None");
  });

  await test.step("a reminder every minute", async () => {
    await screen.getByTestId("limit-sessionMinutes").click();
    const sheet = screen.getByRole("dialog");
    await sheet.getByLabel("Minutes").fill("0");
    await sheet.getByRole("button", { name: "Save" }).click();
    await expectToast(page, "Enter 1 to 1,440 minutes");
    await sheet.getByLabel("Minutes").fill("1");
    await expectAccessible(page, "limit-sheet");
    await picture(page, info, "limits-01-sheet");
    await sheet.getByRole("button", { name: "Save" }).click();
    await expectToast(page, "Successfully set");
    await expect(screen.getByTestId("limit-sessionMinutes")).toContainText("1 min");
  });

  await test.step("50.00 a day applies at once; an order above it is refused with the amount left", async () => {
    await screen.getByTestId("limit-dailyStake").click();
    await screen.getByRole("dialog").getByLabel("Limit in USD").fill("50");
    await expect(screen.getByRole("dialog")).toContainText("This applies at once.");
    await screen.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await expect(screen.getByTestId("limit-dailyStake")).toContainText("50.00 USD");
    await openOrderForm(page, STEADY.symbol);
    await fillOrder(page, { direction: "Up", amount: "60" });
    await review(page);
    await placeButton(page).click();
    await expect(screen.getByTestId("confirm").getByRole("alert")).toContainText("50.00");
    await picture(page, info, "limits-02-refused");
  });

  await test.step("a higher limit waits for a day and can be canceled", async () => {
    await open(page, "/pages/settings/limits");
    await screen.getByTestId("limit-dailyStake").click();
    await screen.getByRole("dialog").getByLabel("Limit in USD").fill("80");
    await expect(screen.getByRole("dialog")).toContainText("after 24 hours");
    await screen.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await expectToast(page, "Successfully updated");
    await expect(screen.getByTestId("limit-dailyStake")).toContainText("50.00 USD");
    await expect(screen.getByTestId("pending-dailyStake")).toContainText("80.00 USD from");
    await expectAccessible(page, "limits-pending");
    await expectNoSidewaysScroll(page);
    await picture(page, info, "limits-03-pending");
    await screen.getByRole("button", { name: "Keep the current limit" }).click();
    await expect(screen.getByTestId("pending-dailyStake")).toHaveCount(0);
  });

  await test.step("after a minute the reminder appears once and can be dismissed", async () => {
    const reminder = screen.getByTestId("session-reminder");
    await expect(reminder).toBeVisible({ timeout: 120_000 });
    await expect(screen.getByRole("dialog")).toContainText("You’ve been here for");
    await expectAccessible(page, "session-reminder");
    await picture(page, info, "limits-04-reminder");
    await reminder.getByRole("button", { name: "Continue" }).click();
    await expect(reminder).toHaveCount(0);
    await page.reload();
    await expect(screen.getByTestId("limit-dailyStake")).toContainText("50.00 USD");
  });
});

test("a pause and an exclusion apply at once and can't be undone", async ({ memberPage: page, member }, info) => {
  const screen = onScreen(page);
  await open(page, "/pages/settings/limits");

  await test.step("a pause of a day must be confirmed", async () => {
    await screen.getByTestId("pause-coolOff").click();
    const sheet = screen.getByRole("dialog");
    await sheet.getByRole("button", { name: "Start the break" }).click();
    await expectToast(page, "Tick the box to confirm that you understand");
    await sheet.getByRole("checkbox").check();
    await expectAccessible(page, "pause-sheet");
    await picture(page, info, "limits-05-pause");
    await sheet.getByRole("button", { name: "Start the break" }).click();
    await expectToast(page, "Successfully set");
    await expect(screen.getByTestId("pause-coolOff")).toContainText("No new orders until");
  });

  await test.step("nothing new can be started", async () => {
    await expect(placeByCall(member, { symbol: LIVELY.symbol, direction: "up", stake: "5.00" })).rejects.toThrow(
      /^403|^422/,
    );
  });

  await test.step("the member's own page shows the exclusion", async () => {
    await screen.getByTestId("pause-exclude").click();
    await screen.getByRole("dialog").getByText("1 year").click();
    await screen.getByRole("dialog").getByRole("checkbox").check();
    await screen.getByRole("dialog").getByRole("button", { name: "Exclude myself" }).click();
    await expectToast(page, "Successfully set");
    await expect(screen.getByTestId("pause-exclude")).toContainText("No new orders until");
    // A closed sheet first takes its step back in the history, which would lead away from an address opened meanwhile.
    await expect(screen.getByRole("dialog")).toHaveCount(0);
    await expect.poll(() => page.evaluate(() => "sheet" in (history.state as object))).toBe(false);
    await open(page, "/pages/user/index");
    await expect(screen.getByText("You have excluded yourself.")).toBeVisible();
    await picture(page, info, "limits-06-excluded");
  });
});

test(
  "a member's own figures are drawn from their settled orders",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    const screen = onScreen(page);
    await open(page, "/pages/user/figures");
    await expect(screen.getByText("No settled orders in this wallet")).toBeVisible();
    await expect(screen.getByTestId("own-rate")).toHaveText("No decided orders yet");

    await placeByCall(member, { symbol: LIVELY.symbol, direction: "up", stake: "20.00" });
    await placeByCall(member, { symbol: LIVELY.symbol, direction: "down", stake: "20.00" });
    await placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "7.00", limitPrice: "100.0000" });
    await open(page, "/pages/order/index?tab=history");
    await expect(screen.getByTestId("settled")).toHaveCount(3, { timeout: 120_000 });

    await open(page, "/pages/user/index");
    await screen.getByRole("link", { name: "Your figures" }).click();
    await expect(screen.getByTestId("week")).toContainText("3");
    await expect(screen.getByTestId("week")).toContainText("40.00");
    await expect(screen.getByTestId("plot-counts").locator("rect.figures-neither").first()).toBeVisible();
    // Orders tie if the price ends where it began; if both do, the week's bar has no height.
    const orders = await ordersOf(member);
    const drawn = orders.some(({ outcome }) => outcome === "won" || outcome === "lost");
    await expect(screen.getByTestId("plot-result").locator("rect").first()).toBeVisible({ visible: drawn });
    await expectAccessible(page, "figures");
    await expectNoSidewaysScroll(page);
    await picture(page, info, "figures-01-week");
  },
);
