import { enterCode, goOnWithCode, logIn } from "../steps/account.ts";
import { expect, expectToast, onScreen, open, test } from "../steps/journey.ts";
import { picture } from "../steps/look.ts";
import { LIVELY, STEADY } from "../steps/market.ts";
import { newEmail, PASSWORD, placeByCall } from "../steps/members.ts";
import { fillOrder, isAtDesk, openOrderForm, orderNumber, place, review } from "../steps/ordering.ts";

const NEW_PASSWORD = "granite-willow-9063";

test("an unknown address leads home, and going back leads on from there", async ({ page }) => {
  await open(page, "/pages/market/index");
  await expect(page).toHaveTitle("Market");
  await open(page, "/pages/nowhere/index?x=1");
  await expect(page).toHaveURL(/#\/pages\/home\/index$/);
  await expect(onScreen(page).getByText(LIVELY.name)).toBeVisible();
  await page.goBack();
  await expect(page).toHaveTitle("Market");
});

test("a tab tapped while the app is still loading is opened", async ({ page }) => {
  let letThrough = () => {};
  const isTapped = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  // The page itself loads at once, its scripts only after the tap.
  await page.route("**/assets/*.js", async (route) => {
    await isTapped;
    await route.continue();
  });
  await page.goto("/#/", { waitUntil: "commit" });
  const shell = page.locator("[data-home-shell]");
  await shell.getByRole("link", { name: "Market" }).click();
  await expect(page).toHaveURL(/#\/pages\/market\/index/);
  await expect(shell).toBeVisible();
  letThrough();
  await expect(page).toHaveTitle("Market");
  await expect(onScreen(page).getByRole("searchbox")).toBeVisible();
  await page.goBack();
  await expect(onScreen(page).getByText("Latest price")).toBeVisible();
});

test("the selected wallet stays selected over a reload", async ({ memberPage: page }) => {
  await open(page, "/pages/user/index");
  await Promise.all([
    page.waitForResponse(/user\/setWallet/),
    onScreen(page).getByRole("combobox", { name: "Wallet" }).selectOption("real"),
  ]);
  await expect(onScreen(page).getByText("Test money")).toBeVisible();
  await page.reload();
  await expect(onScreen(page).getByRole("combobox", { name: "Wallet" })).toHaveValue("real");
  await expect(onScreen(page).getByText("Test money")).toBeVisible();
  await expect(onScreen(page).locator(".card .big").first()).toContainText("0.00");
  await open(page, "/pages/home/index");
  await page.reload();
  await expect(onScreen(page).locator(".home-assets .price")).toContainText("0.00");
});

test("a screen whose code fails to load says so under its header and loads with a tap", async ({ page }, info) => {
  await open(page, "/pages/home/index");
  await expect(onScreen(page).getByText(LIVELY.name)).toBeVisible();
  await page.route("**/assets/MarketScreen-*.js", (route) => route.abort("connectionreset"));
  await onScreen(page).getByRole("link", { name: "Market" }).click();
  const failed = onScreen(page).getByRole("button", { name: "This page could not be loaded. Tap to reload" });
  await expect(failed).toBeVisible();
  await expect(onScreen(page).getByRole("banner")).toContainText("Fairtick");
  await expect(onScreen(page).getByText("Practice · play money")).toBeVisible();
  await picture(page, info, "moving-01-not-loaded");
  await page.unroute("**/assets/MarketScreen-*.js");
  await failed.click();
  await expect(page).toHaveTitle("Market");
});

test(
  "going back closes the sheet on the order screen first and only then leaves the screen",
  { tag: "@desk" },
  async ({ memberPage: page }) => {
    await open(page, "/pages/market/index");
    await expect(page).toHaveTitle("Market");
    await openOrderForm(page, STEADY.symbol);
    await fillOrder(page, { direction: "Up", amount: "15" });
    await review(page);
    await page.goBack();
    await expect(onScreen(page).getByTestId("confirm")).toBeHidden();
    await expect(page).toHaveURL(/#\/pages\/trade\/trade/);
    await expect(onScreen(page).getByRole("textbox", { name: "Amount" })).toHaveValue("15");
    await review(page);
    await page.keyboard.press("Escape");
    await expect(onScreen(page).getByTestId("confirm")).toBeHidden();
    await expect.poll(() => page.evaluate(() => Reflect.has(history.state as object, "sheet"))).toBe(false);
    // The order replaces the history entries of both the form and its sheet.
    await review(page);
    await place(page);
    if (!isAtDesk(page)) await orderNumber(page);
    await expect(onScreen(page).getByTestId("confirm")).toBeHidden();
    await page.goBack();
    await expect(page).toHaveTitle("Market");
  },
);

test(
  "going back closes an order's timeline, a record's details and the list of products before it leaves the list",
  { tag: "@desk" },
  async ({ memberPage: page, member }) => {
    const screen = onScreen(page);
    const dialog = screen.getByRole("dialog");
    await placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "5" });
    await open(page, "/pages/market/index");
    await expect(page).toHaveTitle("Market");
    await test.step("an order's timeline, whose number is in the address", async () => {
      await open(page, "/pages/order/index");
      const detail = screen.getByTestId("detail");
      for (const _ of [1, 2]) {
        await screen.getByTestId("position").first().click();
        await expect(detail).toBeVisible();
        // On a desk it stands beside the list, over which nothing has to close before one leaves.
        if (isAtDesk(page)) await screen.getByRole("button", { name: "Close" }).click();
        else await page.goBack();
        await expect(detail).toBeHidden();
        await expect(page).toHaveURL(/#\/pages\/order\/index/);
      }
      await page.goBack();
      await expect(page).toHaveTitle("Market");
    });
    await test.step("a fund record", async () => {
      await open(page, "/pages/assets/index");
      await screen.getByTestId("fund-record").first().click();
      await expect(dialog).toBeVisible();
      await page.goBack();
      await expect(dialog).toBeHidden();
      await expect(page).toHaveTitle("Fund details");
      await page.goBack();
      await expect(page).toHaveTitle("Market");
    });
    await test.step("the list of products", async () => {
      await open(page, `/pages/trade/index?symbol=${LIVELY.symbol}`);
      await screen.getByRole("button", { name: /^Choose a product/ }).click();
      await expect(dialog).toBeVisible();
      await page.goBack();
      await expect(dialog).toBeHidden();
      await expect(page).toHaveURL(/#\/pages\/trade\/index/);
    });
  },
);

test("a member who resets a forgotten password still reaches the screen they wanted", async ({ page, member }) => {
  await open(page, "/pages/order/index?tab=history");
  await expectToast(page, "Log in to continue");
  await onScreen(page).getByRole("link", { name: "Forgot password?" }).click();
  await expect(page).toHaveTitle("Forgot password");
  await onScreen(page).getByRole("textbox", { name: "E-mail" }).fill(member.email);
  await enterCode(page, member.email);
  for (const label of ["New password", "Confirm password"])
    await onScreen(page).getByLabel(label, { exact: true }).fill(NEW_PASSWORD);
  await onScreen(page).getByRole("button", { name: "Set new password" }).click();
  await expectToast(page, "Successfully updated");
  await logIn(page, member.email, NEW_PASSWORD);
  await expect(page).toHaveURL(/#\/pages\/order\/index\?tab=history/);
});

test("amounts are written and read with the language's own decimal separator", async ({ memberPage: page }) => {
  await page.evaluate(() => localStorage.setItem("lang", "de"));
  await openOrderForm(page, STEADY.symbol);
  const amount = onScreen(page).getByRole("textbox", { name: "Betrag" });
  await expect(amount).toHaveValue("100,00");
  await onScreen(page).getByRole("button", { name: "Steigt", exact: true }).click();
  const button = onScreen(page).getByRole("button", { name: /^Prüfen/ });
  for (const [typed, read] of [
    ["12,5", "12,50"],
    ["12.50", "12,50"],
    ["1.000", "1.000,00"],
  ] as const) {
    await amount.fill(typed);
    await expect(button).toHaveText(`Prüfen · Steigt · ${read} USD`);
  }
  await onScreen(page).getByRole("button", { name: "50", exact: true }).click();
  await expect(amount).toHaveValue("50,00");
});

test("undo in the browser's own menu goes back in an amount, though the app groups its thousands", async ({
  memberPage: page,
}) => {
  await openOrderForm(page, STEADY.symbol);
  const amount = onScreen(page).getByRole("textbox", { name: "Amount" });
  const session = await page.context().newCDPSession(page);
  // The command of the menu, which a headless browser doesn't draw. The key itself does nothing.
  const undo = async () => {
    await session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "F13", code: "F13", commands: ["undo"] });
    await session.send("Input.dispatchKeyEvent", { type: "keyUp", key: "F13", code: "F13" });
  };
  const before = await amount.inputValue();
  await amount.selectText();
  await page.keyboard.type("72345");
  await expect(amount).toHaveValue("72,345");
  await undo();
  await expect(amount).toHaveValue(before);
});

test("a visitor is asked to log in for members' screens", async ({ page }) => {
  await open(page, "/pages/market/index");
  await onScreen(page).getByRole("tab", { name: "Favorites" }).click();
  await expect(onScreen(page).getByText("Log in to keep favorites.")).toBeVisible();
  await onScreen(page).getByRole("link", { name: "Log in" }).click();
  await expect(page).toHaveURL(/#\/pages\/index\/index\?next=/);
  // A link to a personal message, opened without a session.
  await open(page, "/pages/notice/nDetail?noticeId=1&kind=message");
  await expect(page).toHaveURL(/#\/pages\/index\/index\?next=/);
  await open(page, "/pages/notice/nDetail?noticeId=1");
  await expect(onScreen(page).getByText("This announcement is no longer shown")).toBeVisible();
});

test("keyboard focus moves to the top of the new screen", { tag: "@desk" }, async ({ page }) => {
  await open(page, "/pages/home/index");
  await expect(onScreen(page).getByText(LIVELY.name)).toBeVisible();
  await onScreen(page).getByRole("link", { name: "Create account" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle("Create account");
  await expect(onScreen(page).getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(onScreen(page).getByRole("link", { name: /Country or region/ })).toBeFocused();
});

test("home's six shortcuts lead where they say", { tag: "@desk" }, async ({ memberPage: page }) => {
  const ways = [
    ["Deposit", "/pages/rk/index"],
    ["Withdraw", "/pages/qk/index"],
    ["Limited-time", "/pages/trade/trade"],
    ["Online service", "/pages/kf/index"],
    ["Invite reward", "/pages/share/index"],
    ["Download app", "/pages/download/index"],
  ] as const;
  for (const [name, place] of ways) {
    await open(page, "/pages/home/index");
    await onScreen(page).getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`#${place}$`));
    // The trade screen at a desk has no Back button: its header leads on.
    const isWorkspace = isAtDesk(page) && place === "/pages/trade/trade";
    const arrived = onScreen(page).getByRole("button", { name: isWorkspace ? /^Up/ : "Back" });
    await expect(arrived).toBeVisible();
    await expect(onScreen(page).getByRole("main")).not.toContainText("This page could not be loaded");
  }
});

test(
  "going back from the regions and the terms returns to the registration form with everything typed",
  { tag: "@desk" },
  async ({ page }) => {
    const screen = onScreen(page);
    await open(page, "/pages/index/index");
    await screen.getByRole("link", { name: "Create account" }).click();
    // Both this form and the previous one have an e-mail field, so wait for the right one.
    await expect(page).toHaveTitle("Create account");
    const address = newEmail();
    const email = screen.getByRole("textbox", { name: "E-mail" });
    await email.fill(address);
    await screen.getByRole("link", { name: "Country or region: Select country/region" }).click();
    await expect(page).toHaveTitle("Select country/region");
    await page.goBack();
    await expect(email).toHaveValue(address);
    await screen.getByRole("link", { name: /^Country or region/ }).click();
    await screen.getByRole("button", { name: /^Brazil/ }).click();
    await expect(email).toHaveValue(address);
    await goOnWithCode(page, address);
    await screen.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await screen.getByRole("checkbox").check();
    for (const [link, title] of [
      ["user agreement", "User agreement"],
      ["privacy policy", "Privacy policy"],
    ] as const) {
      await screen.getByRole("link", { name: link }).click();
      await expect(page).toHaveTitle(title);
      await page.goBack();
      await expect(page).toHaveTitle("Create account");
      await expect(screen.getByLabel("Password", { exact: true })).toHaveValue(PASSWORD);
      await expect(screen.getByLabel("Verification code")).toHaveValue(/^[0-9]{6}$/);
      await expect(screen.getByRole("checkbox")).toBeChecked();
    }
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(stored).toContain("lang");
    expect(stored).not.toContain(PASSWORD);
    await page.goBack();
    await expect(email).toHaveValue(address);
    await page.goBack();
    await expect(page).toHaveTitle("Log in");
  },
);
