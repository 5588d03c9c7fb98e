import { setPaymentPassword, registerByEmail } from "../steps/account.ts";
import { expect, expectToast, onScreen, test } from "../steps/journey.ts";
import { picture } from "../steps/look.ts";
import { newEmail, TRADE_PASSWORD } from "../steps/members.ts";
import { fillOrder, isAtDesk, orderNumber, place, review } from "../steps/ordering.ts";

/** What 10.00 at 82 % for 30 s with a fee of 1 % changes in a wallet of 10,000.00. */
const BOOKS = {
  Won: { profit: "+8.10", balance: "10,008.10", paid: "+18.20" },
  Lost: { profit: "−10.10", balance: "9,989.90", paid: null },
  Tied: { profit: "0.00", balance: "10,000.00", paid: "+10.10" },
} as const;

test(
  "a newcomer watches prices, registers, places an order and sees it paid",
  { tag: "@desk" },
  async ({ page }, info) => {
    const email = newEmail();

    await test.step("live prices are shown without a login", async () => {
      await page.goto("/");
      const row = onScreen(page)
        .getByRole("link", { name: /EUR\/USD/ })
        .first();
      await expect(row).toContainText(/1\.\d{6}/);
      const before = await row.innerText();
      await expect.poll(() => row.innerText()).not.toBe(before);
      await picture(page, info, "main-01-visitor");
    });

    await test.step("an order requires a login, which leads on to registration", async () => {
      await page
        .getByRole("link", { name: /EUR\/USD/ })
        .first()
        .click();
      await page
        .getByRole("link", { name: "Buy up" })
        .or(onScreen(page).getByRole("button", { name: isAtDesk(page) ? /^Up/ : "Buy up" }))
        .click();
      await expectToast(page, "Log in to continue");
      await expect(page).toHaveURL(/#\/pages\/index\/index/);
      await onScreen(page).getByRole("link", { name: "Create account" }).click();
      await registerByEmail(page, email, "Brazil");
    });

    await test.step("then the order screen opens and asks for a transaction password first", async () => {
      await expect(page).toHaveURL(/#\/pages\/trade\/trade\?.*symbol=EURUSD/);
      await picture(page, info, "main-02-no-password");
      await onScreen(page).getByRole("button", { name: "Set a transaction password" }).click();
      await setPaymentPassword(page, TRADE_PASSWORD);
      await expect(page).toHaveURL(/#\/pages\/trade\/trade/);
    });

    await test.step("home shows the practice wallet", async () => {
      await page.goto("/#/pages/home/index");
      await expect(onScreen(page).locator(".home-assets .price")).toContainText("10,000.00");
      await picture(page, info, "main-03-home");
      await onScreen(page).getByRole("link", { name: "Limited-time" }).click();
    });

    await test.step("the order: Up, 10, 30 s, reviewed and placed", async () => {
      await fillOrder(page, { direction: "Up", amount: "10" });
      await expect(onScreen(page).getByTestId("pays")).toHaveText("+8.10");
      await expect(onScreen(page).getByTestId("costs")).toHaveText("−10.10");
      await picture(page, info, "main-04-form");
      await review(page);
      await picture(page, info, "main-05-confirm");
      await place(page);
    });

    const orderNo = await orderNumber(page);

    await test.step("it runs: entry price, countdown", async () => {
      await expect(onScreen(page).getByTestId("entry-price")).toHaveText(/[0-9]/);
      await expect(onScreen(page).getByTestId("countdown")).toHaveText(/0:2[0-9]/);
      await picture(page, info, "main-06-running");
      await expect(onScreen(page).getByTestId("countdown")).toHaveText(/0:1[0-9]/);
    });

    const outcome = await test.step("its result appears automatically", async () => {
      await expect(onScreen(page).getByTestId("outcome")).toHaveText(/Won|Lost|Tied/, { timeout: 120_000 });
      await picture(page, info, "main-07-result");
      return (await onScreen(page).getByTestId("outcome").innerText()) as keyof typeof BOOKS;
    });
    const books = BOOKS[outcome];
    await expect(onScreen(page).getByTestId("profit")).toContainText(books.profit);
    await expect(onScreen(page).getByTestId("available-now")).toContainText(books.balance);

    await test.step("continue order leads to a new form with the same terms", async () => {
      await onScreen(page).getByRole("button", { name: "Continue order" }).click();
      await expect(onScreen(page).getByTestId("costs")).toContainText("10.10");
      if (isAtDesk(page)) {
        // There, a direction that was chosen before waits for its confirmation.
        await expect(onScreen(page).getByTestId("confirm")).toContainText(/Up: exit above entry.*10\.00.*30\ss/);
        return;
      }
      await expect(onScreen(page).getByRole("button", { name: "Up", exact: true })).toHaveAttribute(
        "aria-pressed",
        "true",
      );
      await expect(onScreen(page).getByRole("textbox", { name: "Amount" })).toHaveValue("10.00");
      await expect(onScreen(page).getByRole("radio", { name: /^30 s/ })).toBeChecked();
    });

    await test.step("the history has the order with its timeline", async () => {
      await page.goto("/#/pages/order/index");
      await onScreen(page).getByRole("radiogroup", { name: "Orders" }).getByText("History").click();
      const row = onScreen(page).getByTestId("settled");
      await expect(row).toHaveCount(1);
      await expect(row).toContainText(books.profit);
      await expect(row).toContainText(outcome);
      await expect(onScreen(page).getByTestId("totals")).toContainText("10.00");
      await picture(page, info, "main-08-history");
      await row.click();
      const detail = onScreen(page).getByTestId("detail");
      await expect(detail).toContainText(orderNo);
      await expect(detail).toContainText("Held 10.10, including a fee of 0.10");
      for (const event of ["Accepted", "Entry", "Exit"]) await expect(detail).toContainText(event);
      await picture(page, info, "main-09-detail");
      await onScreen(page).getByRole("button", { name: "Close" }).click();
    });

    await test.step("fund details: issue, stake and payout add up to the cent", async () => {
      await page.goto("/#/pages/assets/index");
      const records = onScreen(page).getByTestId("fund-record");
      await expect(records).toHaveCount(books.paid === null ? 2 : 3);
      await picture(page, info, "main-10-funds");
      await expect(records.last()).toContainText("+10,000.00");
      await expect(records.last()).toContainText("Play money issued");
      await expect(records.nth(books.paid === null ? 0 : 1)).toContainText("−10.10");
      await expect(records.nth(books.paid === null ? 0 : 1)).toContainText("balance 9,989.90");
      if (books.paid !== null) {
        await expect(records.first()).toContainText(books.paid);
        await expect(records.first()).toContainText(`balance ${books.balance}`);
      }
      await records.nth(books.paid === null ? 0 : 1).click();
      await expect(onScreen(page).getByRole("dialog")).toContainText(orderNo);
      await onScreen(page).getByRole("button", { name: "Close" }).click();
    });

    await test.step("Home and Mine show the same sum", async () => {
      await page.goto("/#/pages/home/index");
      await expect(onScreen(page).locator(".home-assets")).toContainText(books.balance);
      await expect(onScreen(page).locator(".home-assets")).toContainText(books.profit);
      await page.goto("/#/pages/user/index");
      await expect(onScreen(page).locator(".card")).toContainText(books.balance);
      await picture(page, info, "main-11-mine");
    });
  },
);
