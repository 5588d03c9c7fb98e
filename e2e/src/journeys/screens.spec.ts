import type { Page, TestInfo } from "@playwright/test";
import { fillMember } from "../steps/filled.ts";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectFieldsKnown, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { LIVELY, STEADY } from "../steps/market.ts";
import { expectOutcome, fillOrder, openOrderForm, orderNumber, place, review } from "../steps/ordering.ts";
import { MEMBER_SCREENS, nameOf, OPEN_SCREENS, openFilled, type ScreenPlace } from "../steps/screens.ts";

/** Narrowest first; the journey's own size comes last, for the screenshot. */
function widthsOf(info: TestInfo): readonly { readonly width: number; readonly height: number }[] {
  return info.project.name === "phone"
    ? [
        { width: 320, height: 640 },
        { width: 360, height: 740 },
      ]
    : [{ width: 1280, height: 800 }];
}

/** Checks each width for sideways scrolling and with axe, and takes a screenshot. */
async function lookAt(page: Page, info: TestInfo, name: string): Promise<void> {
  for (const size of widthsOf(info)) {
    await page.setViewportSize(size);
    await expectNoSidewaysScroll(page);
  }
  await expectAccessible(page, name);
  await picture(page, info, name);
}

async function walk(page: Page, info: TestInfo, places: readonly ScreenPlace[], prefix: string): Promise<void> {
  for (const place of places) {
    await openFilled(page, place);
    await expectFieldsKnown(page, place.route);
    await lookAt(page, info, `${prefix}-${nameOf(place)}`);
  }
}

// Another journey visits them in the light theme by tapping.
test.describe("in the dark theme", () => {
  test.use({ colorScheme: "dark" });

  test("every screen that needs no login fits and is accessible", { tag: "@desk" }, async ({ page }, info) => {
    await walk(page, info, OPEN_SCREENS, "visitor-dark");
  });

  test(
    "every screen of a member fits and is accessible, with figures on it",
    { tag: "@desk" },
    async ({ memberPage: page, member }, info) => {
      await fillMember(member);
      await walk(page, info, MEMBER_SCREENS, "member-dark");
    },
  );
});

test(
  "sheets and the stages of an order fit and are accessible",
  { tag: "@desk" },
  async ({ memberPage: page }, info) => {
    await openOrderForm(page, STEADY.symbol);
    await fillOrder(page, { direction: "Up", amount: "1000", limit: "100.0000" });
    await lookAt(page, info, "order-form-limit");
    await review(page);
    await lookAt(page, info, "order-confirm");
    await place(page);
    await expectOutcome(page, "Voided");
    await lookAt(page, info, "order-voided");

    await open(page, "/pages/order/index?tab=history");
    await onScreen(page).getByTestId("settled").click();
    await expect(onScreen(page).getByTestId("detail")).toBeVisible();
    await lookAt(page, info, "order-detail");

    await openOrderForm(page, STEADY.symbol);
    await fillOrder(page, { direction: "Up", amount: "10", duration: "60 s" });
    await review(page);
    await place(page);
    await orderNumber(page);
    await expect(onScreen(page).getByTestId("entry-price")).toHaveText(/[0-9]/);
    await lookAt(page, info, "order-running");

    await open(page, "/pages/assets/index");
    await onScreen(page).getByTestId("fund-record").first().click();
    await expect(onScreen(page).getByRole("dialog")).toBeVisible();
    await lookAt(page, info, "fund-record");

    await open(page, `/pages/trade/index?symbol=${LIVELY.symbol}`);
    await onScreen(page)
      .getByRole("button", { name: /^Choose a product/ })
      .click();
    await expect(onScreen(page).getByRole("dialog")).toBeVisible();
    await lookAt(page, info, "product-sheet");
  },
);

test("every screen says that it is a sandbox, to visitors too", { tag: "@desk" }, async ({ page }) => {
  for (const place of OPEN_SCREENS) {
    await openFilled(page, place);
    await expect(onScreen(page).getByText("Practice · play money").first(), place.route).toBeVisible();
  }
});

test("the tab bar is 50 px high and in the specification's order", async ({ memberPage: page }) => {
  await open(page, "/pages/home/index");
  const bar = onScreen(page).getByRole("navigation", { name: "Main" });
  expect((await bar.boundingBox())?.height).toBe(50);
  const links = await bar.getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(links).toEqual([
    "#/pages/home/index",
    "#/pages/market/index",
    "#/pages/trade/index",
    "#/pages/order/index",
    "#/pages/user/index",
  ]);
  for (const [name, title] of [
    ["Market", "Market"],
    ["Orders", "Orders"],
  ] as const) {
    await bar.getByRole("link", { name }).click();
    await expect(page).toHaveTitle(title);
  }
});
