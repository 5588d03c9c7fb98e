import type { Locator, Page } from "@playwright/test";
import { expect, logInByStorage, onScreen, open, speak, test, toNextScreen } from "../steps/journey.ts";
import { expectAccessible, picture, untilStill } from "../steps/look.ts";
import { LIVELY, STEADY } from "../steps/market.ts";
import { newMember, placeByCall } from "../steps/members.ts";
import { fillOrder, openOrderForm, placeButton, review } from "../steps/ordering.ts";

test("a visitor has home's six shortcuts too; those that need an account lead on by the login", async ({
  page,
}, info) => {
  await open(page, "/pages/home/index");
  const shortcuts = onScreen(page).getByRole("navigation", { name: "Shortcuts" });
  await expect(shortcuts.getByRole("link")).toHaveText([
    "Deposit",
    "Withdraw",
    "Online service",
    "Invite reward",
    "Limited-time",
    "Download app",
  ]);
  await picture(page, info, "ways-on-01-visitor-home");
  await shortcuts.getByRole("link", { name: "Withdraw" }).click();
  await expect(page).toHaveURL(/#\/pages\/index\/index\?next=%2Fpages%2Fqk%2Findex/);
});

test("the languages are the server's, in its order, or all ten if it doesn't respond", async ({ page }) => {
  const names = onScreen(page).getByRole("list").getByRole("button");
  await page.route("**/client/multiLang/findAvailableLang", (route) => route.abort());
  await open(page, "/pages/user/SelectLanguage");
  await expect(names).toHaveCount(10);
  await page.unroute("**/client/multiLang/findAvailableLang");
  await page.route("**/client/multiLang/findAvailableLang", (route) =>
    route.fulfill({
      json: {
        code: 200,
        msg: "OK",
        data: [
          { code: "de", lang: "de_DE", name: "German", nativeName: "Deutsch (DE)" },
          { code: "en", lang: "en_US", name: "English", nativeName: "English" },
        ],
      },
    }),
  );
  await page.reload();
  await expect(names).toHaveText(["Deutsch (DE)", "English"]);
  await names.first().click();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
});

const MONEY_ROUTES = [
  "/pages/rk/index",
  "/pages/rk/szrk",
  "/pages/rk/szrk1",
  "/pages/rk/bankrk",
  "/pages/rk/SelectCard?currency=EUR",
  "/pages/qk/index",
  "/pages/qk/qk",
] as const;

test(
  "in a region with only the practice wallet, each screen for real money names the rule",
  { tag: "@desk" },
  async ({ page }, info) => {
    await logInByStorage(page, await newMember({ region: "DE" }));
    for (const route of MONEY_ROUTES) {
      await open(page, route);
      const main = onScreen(page).getByRole("main");
      await expect(main.getByText(/Only the practice wallet is available here\. .+ \([0-9]{4}\)/), route).toBeVisible();
      await expect(main.getByText("We couldn’t load"), route).toHaveCount(0);
      await expect(main.getByRole("textbox"), route).toHaveCount(0);
    }
    await picture(page, info, "ways-on-02-practice-only");
  },
);

/** Addresses without their number: the screen's title, what it says, and the way on with its route and title. */
const WITHOUT_NUMBER = [
  ["/pages/rk/szhz", "Deposit", "No deposit selected", "View your deposits", "/pages/rk/index", "Deposit"],
  ["/pages/rk/bankhz", "Bank remittance", "No deposit selected", "View your deposits", "/pages/rk/index", "Deposit"],
  [
    "/pages/rk/bankhz?depositNo=D999999999",
    "Bank remittance",
    "We couldn’t find this deposit",
    "View your deposits",
    "/pages/rk/index",
    "Deposit",
  ],
  [
    "/pages/rk/SelectCard",
    "Select a receiving card",
    "Select a currency first",
    "Fill in the remittance",
    "/pages/rk/bankrk",
    "Bank remittance",
  ],
  ["/pages/notice/nDetail", "Notices", "No notice selected", "View notices", "/pages/notice/index", "Notices"],
  [
    "/pages/notice/nDetail?kind=message",
    "Notices",
    "No notice selected",
    "View notices",
    "/pages/notice/index",
    "Notices",
  ],
] as const;

test("an address that lacks its number says so, has a heading and leads on", async ({ memberPage: page }, info) => {
  for (const [route, title, said, way, place, placeTitle] of WITHOUT_NUMBER) {
    await toNextScreen(page, () => open(page, route));
    await expect(page, route).toHaveTitle(title);
    await expect(onScreen(page).getByText(said), route).toBeVisible();
    await expect(onScreen(page).getByRole("heading", { level: 1 }), route).toBeVisible();
    await expectAccessible(page, route);
    if (route.includes("nDetail")) await picture(page, info, "ways-on-03-no-notice");
    await toNextScreen(page, () => onScreen(page).getByRole("link", { name: way }).click());
    await expect(page).toHaveURL(new RegExp(`#${place}$`));
    await expect(page, route).toHaveTitle(placeTitle);
  }
});

test("a name or message that is too long is counted and refused, never cut", async ({ memberPage: page }, info) => {
  const screen = onScreen(page);
  await open(page, "/pages/user/Center");
  const name = screen.getByLabel("Display name");
  await name.fill("n".repeat(30));
  await expect(screen.getByText("30 of 32 characters")).toBeVisible();
  await name.fill("n".repeat(40));
  await expect(name).toHaveValue("n".repeat(40));
  await expect(screen.getByText("At most 32 characters. Please shorten it by 8")).toBeVisible();
  await picture(page, info, "ways-on-04-long-name");

  await open(page, "/pages/kf/index?tab=chat");
  const message = screen.getByRole("textbox", { name: "Write to support" });
  await message.fill("m".repeat(4_012));
  await expect(message).toHaveValue("m".repeat(4_012));
  await expect(screen.getByText("At most 4,000 characters. Please shorten it by 12")).toBeVisible();
  await expect(screen.getByRole("button", { name: "Send" })).toBeDisabled();
  await picture(page, info, "ways-on-05-long-message");
  await message.fill("m".repeat(4_000));
  await expect(screen.getByText("4,000 of 4,000 characters")).toBeVisible();
  await expect(screen.getByRole("button", { name: "Send" })).toBeEnabled();
});

test("a text file with a picture's name is refused in the chat", async ({ memberPage: page }) => {
  await open(page, "/pages/kf/index?tab=chat");
  await onScreen(page)
    .getByLabel("Attach a picture or a file")
    .setInputFiles({ name: "fake.png", mimeType: "image/png", buffer: Buffer.from("only words") });
  await expect(onScreen(page).getByText("We can’t read this file. Choose another one").first()).toBeVisible();
  await expect(onScreen(page).getByRole("button", { name: "Send" })).toBeDisabled();
});

test("a wrong current password marks its field, with what to do about it", async ({ memberPage: page }) => {
  const screen = onScreen(page);
  await open(page, "/pages/auth/SetLoginPwd");
  await screen.getByLabel("Current password").fill("not-the-password-1");
  await screen.getByLabel("New password").fill("granite-willow-9063");
  await screen.getByLabel("Confirm password").fill("granite-willow-9063");
  await screen.getByRole("button", { name: "Save" }).click();
  await expect(screen.getByLabel("Current password")).toHaveAttribute("aria-invalid", "true");

  await open(page, "/pages/auth/SetTradePwd");
  await expect(page).toHaveTitle("Change transaction password");
  await screen.getByRole("button", { name: "Save" }).click();
  await expect(screen.getByText("Enter current password").first()).toBeVisible();
  await screen.getByLabel("Current password").fill("135790");
  await screen.getByLabel("New password").fill("904172");
  await screen.getByLabel("Confirm password").fill("904172");
  await screen.getByRole("button", { name: "Save" }).click();
  await expect(screen.getByLabel("Current password")).toHaveAttribute("aria-invalid", "true");
  await expect(screen.locator(".hint.alert")).toContainText("4 attempts left");
});

test("tabs and filters survive a reload and a visit to another screen", async ({ memberPage: page }) => {
  const screen = onScreen(page);
  await test.step("fund details", async () => {
    await open(page, "/pages/assets/index");
    await screen.getByRole("tab", { name: "Withdrawal records" }).click();
    await screen.getByRole("combobox", { name: "Time" }).selectOption("month");
    await page.reload();
    await expect(screen.getByRole("tab", { name: "Withdrawal records" })).toHaveAttribute("aria-selected", "true");
    await expect(screen.getByRole("combobox", { name: "Time" })).toHaveValue("month");
  });
  await test.step("the lists of the market", async () => {
    await open(page, "/pages/market/index");
    await screen.getByRole("tab", { name: "Digital assets" }).click();
    await page.reload();
    await expect(screen.getByRole("tab", { name: "Digital assets" })).toHaveAttribute("aria-selected", "true");
    await screen.getByRole("link", { name: "BTC/USD" }).first().click();
    await expect(page).toHaveURL(/pages\/trade\/index/);
    await page.goBack();
    await expect(screen.getByRole("tab", { name: "Digital assets" })).toHaveAttribute("aria-selected", "true");
  });
  await test.step("home's ranking", async () => {
    await open(page, "/pages/home/index");
    await screen.getByText("Falling", { exact: true }).click();
    await expect(page).toHaveURL(/ranking=falling/);
    await page.reload();
    await expect(screen.getByRole("radio", { name: "Falling" })).toBeChecked();
  });
  await test.step("the wallet of the fairness figures", async () => {
    await open(page, "/pages/fairness/index");
    const figures = screen.getByTestId("fairness-counts");
    await expect(figures.getByRole("radio", { name: "Practice" })).toBeChecked();
    await figures.getByText("Real", { exact: true }).click();
    await expect(page).toHaveURL(/wallet=real/);
    await page.reload();
    await expect(figures.getByRole("radio", { name: "Real" })).toBeChecked();
  });
  await test.step("the history of orders", async () => {
    await open(page, "/pages/order/index?tab=history");
    await screen.getByRole("combobox", { name: "Outcome" }).selectOption("lost");
    await page.reload();
    await expect(screen.getByRole("combobox", { name: "Outcome" })).toHaveValue("lost");
    await expect(
      screen
        .getByText("No orders match these filters")
        .or(screen.getByRole("button", { name: "Show all" }))
        .first(),
    ).toBeVisible();
  });
});

test(
  "on low screens cut content shows that there is more, and no fields touch",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    const screen = onScreen(page);
    // Orders that run until the end of this journey, for a list longer than the screen.
    for (const direction of ["up", "down", "up", "down"] as const)
      await placeByCall(member, { symbol: LIVELY.symbol, direction, stake: "10.00", duration: 300 });
    for (const [width, height] of [
      [320, 568],
      [375, 667],
    ] as const) {
      const size = `${width} × ${height}`;
      await page.setViewportSize({ width, height });
      await test.step(`the trade tab shows both directions, and nothing is cut, ${size}`, async () => {
        await toNextScreen(page, () => open(page, `/pages/trade/index?symbol=${STEADY.symbol}`));
        await expect(screen.getByTestId("chart")).toHaveAttribute("data-state", "shown");
        await expect(screen.getByTestId("terms")).toContainText("54.6%");
        for (const name of ["Buy up", "Buy down"]) {
          const button = screen.getByRole("button", { name });
          await expect(button).toBeInViewport({ ratio: 1 });
          // Nothing lies over it.
          await button.click({ trial: true });
        }
        expect(await cutAtFoot(page)).toEqual([]);
        await picture(page, info, `ways-on-09-low-trade-${width}`);
      });
      for (const [route, title] of LISTS)
        await test.step(`${title}: a row at the tab bar fades, and the last one comes clear of it, ${size}`, async () => {
          await toNextScreen(page, () => open(page, route));
          await expect(page).toHaveTitle(title);
          await expect(screen.locator(".wait")).toHaveCount(0);
          const main = screen.locator("main");
          const fade = () => main.evaluate((element) => Number(getComputedStyle(element, "::after").opacity));
          await picture(page, info, `ways-on-10-low-${title}-${width}`);
          await expect.poll(async () => (await cutAtFoot(page)).length === 0 || (await fade()) === 1).toBe(true);
          // Again each time: another journey may add a product meanwhile.
          const toEnd = () => main.evaluate((element) => element.scrollTo(0, element.scrollHeight));
          await expect
            .poll(async () => {
              await toEnd();
              return cutAtFoot(page);
            })
            .toEqual([]);
          await expect.poll(async () => toEnd().then(fade)).toBeLessThan(0.1);
        });
      await test.step(`the fields of a limit's sheet have space between them, ${size}`, async () => {
        await open(page, "/pages/settings/limits");
        await screen.getByRole("button").filter({ hasText: "Daily loss limit" }).click();
        const sheet = screen.getByRole("dialog");
        await expectApart(sheet, ["p.label", "label"]);
        await expectApart(sheet, [".box", "button[type=submit]"]);
        await picture(page, info, `ways-on-06-limit-sheet-${width}`);
        await page.goBack();
      });
      await test.step(`the parts of a pause's sheet have space between them, ${size}`, async () => {
        await screen.getByTestId("pause-coolOff").click();
        const sheet = screen.getByRole("dialog");
        await expectApart(sheet, [".segments", ".notice", ".tick", "button.main"]);
        await picture(page, info, `ways-on-06-pause-sheet-${width}`);
        await page.goBack();
      });
      await test.step(`a page fades above its foot until its end is reached, ${size}`, async () => {
        await openOrderForm(page, STEADY.symbol);
        const fade = () => screen.locator("main").evaluate((main) => Number(getComputedStyle(main, "::after").opacity));
        await expect.poll(fade).toBe(1);
        await picture(page, info, `ways-on-07-low-form-${width}`);
        await screen.locator("main").evaluate((main) => main.scrollTo(0, main.scrollHeight));
        await expect.poll(fade).toBeLessThan(0.1);
      });
      await test.step(`the button that places an order is visible, ${size}`, async () => {
        await fillOrder(page, { direction: "Up", amount: "10", limit: "151.5" });
        await review(page);
        await expect(screen.getByRole("dialog").getByText("151.5000 or better")).toBeVisible();
        await expect(placeButton(page)).toBeInViewport({ ratio: 1 });
        await picture(page, info, `ways-on-08-low-confirm-${width}`);
      });
      await page.reload();
    }
  },
);

/** Screens with lists above the tab bar. */
const LISTS = [
  ["/pages/market/index", "Market"],
  ["/pages/order/index", "Orders"],
  ["/pages/user/index", "Mine"],
] as const;

/** Returns the rows, fields and buttons of the page that its docked buttons or the tab bar cut or cover. */
async function cutAtFoot(page: Page): Promise<readonly string[]> {
  await untilStill(page);
  return page.evaluate(() => {
    const docked = [...document.querySelectorAll(".screen footer, nav.tabs")].map((dock) =>
      dock.getBoundingClientRect(),
    );
    const edge = Math.min(...docked.filter(({ height }) => height > 0).map(({ top }) => top));
    return [...document.querySelectorAll("main :is(.row, li, a, button, input, figure, canvas)")].flatMap((part) => {
      const { top, bottom } = part.getBoundingClientRect();
      return top < edge - 1 && bottom > edge + 1 ? [`${part.tagName} ${part.textContent.slice(0, 40)}`] : [];
    });
  });
}

/** Expects at least 8 px between consecutive parts of a sheet, given from top to bottom. */
async function expectApart(sheet: Locator, parts: readonly string[]): Promise<void> {
  await expect(sheet.locator(parts.at(-1) ?? "").last()).toBeVisible();
  const boxes = await Promise.all(parts.map((part) => sheet.locator(part).first().boundingBox()));
  for (const [place, below] of boxes.entries()) {
    const above = boxes[place - 1];
    if (place === 0) continue;
    expect(
      above && below && below.y - (above.y + above.height),
      `${parts[place - 1]} to ${parts[place]}`,
    ).toBeGreaterThanOrEqual(8);
  }
}

test("other languages name the test chain and the entry price in their own words", async ({ memberPage: page }) => {
  await speak(page, "de");
  await open(page, "/pages/rk/index");
  await expect(onScreen(page).getByText("Test-Chain")).toBeVisible();
  await speak(page, "ri");
  await open(page, "/pages/qk/index");
  await expect(onScreen(page).getByText("テストチェーン")).toBeVisible();
});
