import { registerByEmail, setPaymentPassword } from "../steps/account.ts";
import { expect, expectToast, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { newEmail, TRADE_PASSWORD } from "../steps/members.ts";
import { fillOrder, placeButton, review } from "../steps/ordering.ts";

test(
  "who has just registered is shown three steps, which end in a first practice order",
  { tag: "@desk" },
  async ({ page }, info) => {
    const screen = onScreen(page);
    await open(page, "/pages/index/Register");
    await registerByEmail(page, newEmail(), "Brazil");
    const steps = screen.getByTestId("first-steps");

    await test.step("one, two, three", async () => {
      await expect(steps).toContainText("Step 1 of 3");
      await expectAccessible(page, "first-steps");
      await expectNoSidewaysScroll(page);
      await picture(page, info, "first-visit-01");
      await steps.getByRole("button", { name: "Next" }).click();
      await expect(steps).toContainText("The house has an edge");
      await steps.getByRole("button", { name: "Next" }).click();
      await expect(steps).toContainText("Step 3 of 3");
      await picture(page, info, "first-visit-03");
    });

    await test.step("the last leads to an order with play money", async () => {
      await steps.getByRole("button", { name: "Place a first practice order" }).click();
      await expect(screen.getByTestId("live-price").first()).toHaveText(/[0-9]/);
      await expect(screen.getByText("Practice · play money")).toBeVisible();
      await screen.getByRole("button", { name: "Set a transaction password" }).click();
      await setPaymentPassword(page, TRADE_PASSWORD);
      await fillOrder(page, { direction: "Up", amount: "10" });
      await review(page);
      await placeButton(page).click();
      await expectToast(page, "Order successful");
      await expect(screen.getByTestId("countdown")).toBeVisible();
    });

    await test.step("they are shown once", async () => {
      await open(page, "/pages/home/index");
      await expect(screen.getByRole("link", { name: "Limited-time", exact: false }).first()).toBeVisible();
      await expect(steps).toHaveCount(0);
      await page.reload();
      await expect(screen.getByRole("link", { name: "Limited-time", exact: false }).first()).toBeVisible();
      await expect(steps).toHaveCount(0);
    });
  },
);

test("the three steps can be skipped", async ({ page }) => {
  const screen = onScreen(page);
  await open(page, "/pages/index/Register");
  await registerByEmail(page, newEmail(), "Brazil");
  await screen.getByRole("button", { name: "Skip" }).click();
  await expect(screen.getByTestId("first-steps")).toHaveCount(0);
  await page.reload();
  await expect(screen.getByRole("heading", { name: "Fairtick" })).toBeVisible();
  await expect(screen.getByTestId("first-steps")).toHaveCount(0);
});
