import type { Page } from "@playwright/test";
import { chooseRegion } from "../steps/account.ts";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { fillBasic } from "../steps/identity.ts";
import { STEADY } from "../steps/market.ts";
import { newPhone, orderOf, placeByCall } from "../steps/members.ts";
import { expectOutcome, fillOrder, openOrderForm, placeButton, review } from "../steps/ordering.ts";
import { fillMoney } from "../steps/filled.ts";

/** Expects fields of any kind with these labels. */
async function expectFields(page: Page, labels: readonly (string | RegExp)[]): Promise<void> {
  for (const label of labels) {
    const options = typeof label === "string" ? { exact: true } : {};
    await expect(onScreen(page).getByLabel(label, options).last(), String(label)).toBeAttached();
  }
}

/** Expects a description list to have these terms with these values. */
async function expectTerms(page: Page, terms: Readonly<Record<string, RegExp | string>>): Promise<void> {
  for (const [term, value] of Object.entries(terms)) {
    const name = onScreen(page)
      .locator("dt")
      .filter({ hasText: new RegExp(`^${term}$`) });
    await expect(name.locator("xpath=following-sibling::dd[1]").first(), term).toHaveText(value);
  }
}

test("registration, login and forgotten password ask for what the specification names", async ({ page }) => {
  await open(page, "/pages/index/Register");
  await expect(onScreen(page).getByRole("link", { name: "Country or region: Select country/region" })).toBeVisible();
  await expectFields(page, ["E-mail"]);
  await onScreen(page).getByText("Phone", { exact: true }).click();
  await expectFields(page, ["Country code", "Phone number"]);
  await chooseRegion(page, "Brazil");
  await onScreen(page).getByLabel("Phone number").fill(newPhone());
  await onScreen(page).getByRole("button", { name: "Continue" }).click();
  await expectFields(page, ["Verification code", "Password", "Confirm password"]);

  await open(page, "/pages/index/index");
  await expect(page).toHaveTitle("Log in");
  await expectFields(page, ["E-mail", "Password"]);
  await onScreen(page).getByText("Phone", { exact: true }).click();
  await expectFields(page, ["Country code", "Phone number", "Password"]);

  await open(page, "/pages/index/ForgetPwd");
  await expect(page).toHaveTitle("Forgot password");
  await expectFields(page, ["E-mail", "Verification code", "New password", "Confirm password"]);
});

test("both passwords are changed by old, new and confirmation", async ({ memberPage: page }) => {
  for (const [route, title] of [
    ["/pages/auth/SetLoginPwd", "Change login password"],
    ["/pages/auth/SetTradePwd", "Change transaction password"],
  ] as const) {
    await open(page, route);
    await expect(page).toHaveTitle(title);
    await expectFields(page, ["Current password", "New password", "Confirm password"]);
  }
});

test("identity asks for gender, birth date, names, one of three documents, its number and two photos", async ({
  memberPage: page,
}) => {
  await open(page, "/pages/auth/Auth?step=basic");
  await expectFields(page, ["Last name", "First name", "Birth date"]);
  const gender = onScreen(page).getByRole("radiogroup", { name: "Gender" });
  await expect(gender.getByRole("radio", { name: "Male", exact: true })).toBeAttached();
  await expect(gender.getByRole("radio", { name: "Female", exact: true })).toBeAttached();
  await fillBasic(page, { familyName: "Silva", givenName: "Ana", birthDate: "1990-05-17", number: "" });
  await expectFields(page, ["ID number", "ID card", "Passport", "Driver’s license"]);
  for (const document of ["ID card", "Driver’s license"]) {
    await onScreen(page).getByText(document, { exact: true }).click();
    await expectFields(page, ["Front photo", "Back photo"]);
  }
  await onScreen(page).getByText("Passport", { exact: true }).click();
  await expectFields(page, ["Photo page", "You holding that page"]);
});

test("the identity hub has three levels, of which face recognition isn't available yet", async ({
  memberPage: page,
}) => {
  await open(page, "/pages/auth/index");
  const levels = onScreen(page).getByRole("list", { name: "Levels" }).getByRole("listitem");
  await expect(levels).toHaveText([/^Basic information/, /^Real identity/, /^Face recognition.*Not yet open/]);
  await expect(onScreen(page).getByText("Unverified").first()).toBeVisible();
});

test("deposits ask for what the specification names, by bank and by chain", async ({ memberPage: page }) => {
  const screen = onScreen(page);
  await open(page, "/pages/rk/bankrk");
  await expect(onScreen(page).getByRole("link", { name: /^Country or region: / })).toBeVisible();
  await expectFields(page, ["Fiat currency", /^Deposit amount/]);
  await screen.getByLabel("Fiat currency").selectOption("EUR");
  await expect(screen.getByRole("link", { name: /^Receiving card/ })).toBeVisible();

  await open(page, "/pages/rk/szrk");
  await expect(screen.getByTestId("deposit-address")).toHaveText(/^0x[0-9a-fA-F]{40}$/);
  await expect(screen.getByText("Send only USDT to this address. Anything else cannot be recovered.")).toBeVisible();
  await expect(screen.getByText("Your own address on Test chain", { exact: true })).toBeVisible();
  await expectTerms(page, { Minimum: "5 USDT", Rate: "1 : 1 USD" });

  await open(page, "/pages/rk/szrk1?chain=test");
  await expect(screen.getByText("Enter the actual quantity truthfully, or approval may fail.")).toBeVisible();
  await expectFields(page, [/^Quantity/, "Proof of the transfer"]);
});

test("a withdrawal shows currency, wallet address, amount, fee, time and status", async ({
  memberPage: page,
  member,
}) => {
  const screen = onScreen(page);
  const { withdrawNo } = await fillMoney(member);
  await open(page, `/pages/qk/qk?withdrawNo=${withdrawNo}`);
  await expect(screen.getByTestId("withdrawal-state")).toHaveText("Processing");
  await expect(screen.getByText("700.00 USD", { exact: true })).toBeVisible();
  await expectTerms(page, {
    Fee: "−1.00",
    "You receive": "699.00 USDT",
    "Wallet address": /^0x[0-9a-fA-F]{40}$/,
    Time: /^[A-Z][a-z]{2} [0-9]{1,2}, [0-9]{4}/,
  });
  await open(page, "/pages/assets/index");
  await screen.getByRole("combobox", { name: "Wallet" }).selectOption("real");
  await screen.getByRole("tab", { name: "Withdrawal records" }).click();
  const record = screen.getByTestId("fund-record");
  // Until the chosen list has come, the one before stays.
  await expect(record).toHaveCount(1);
  await expect(record).toHaveText(/[A-Z][a-z]{2} [0-9]{1,2}, [0-9]{4}, [0-9]{2}:[0-9]{2}/);
  await expect(record).toContainText("−700.00");
  await expect(record).toContainText("Processing");
});

test(
  "the order form shows every figure of the specification, and the confirmation the countdown",
  { tag: "@desk" },
  async ({ memberPage: page }, { project }) => {
    const screen = onScreen(page);
    await openOrderForm(page, STEADY.symbol);
    await expect(page).toHaveTitle(`${STEADY.name} · Order`);
    await expect(screen.getByRole("heading", { level: 1 })).toContainText(STEADY.name);
    await fillOrder(page, { direction: "Down", amount: "10", duration: "60 s", limit: "150.0000" });
    if (project.name === "desktop") {
      // At a desk, the top of the ticket shows the available balance.
      await expect(screen.getByText("Available 10,000.00 USD")).toBeVisible();
      await expect(screen.getByText("1 to 1,000", { exact: true })).toBeVisible();
    } else {
      await expect(screen.getByText("1 to 1,000 · available 10,000.00")).toBeVisible();
    }
    await expectFields(page, ["Amount", "Delivery time"]);
    await expect(screen.getByRole("textbox", { name: "Limit price" })).toHaveValue("150.0000");
    const terms = screen.getByRole("region", { name: "What this order pays and costs" });
    await expect(terms).toContainText(/Fee\s*0\.10/);
    await expect(screen.getByTestId("pays")).toHaveText("+8.40");
    await expect(screen.getByTestId("costs")).toHaveText("−10.10");
    await expect(terms).toContainText(/Delivery\s*≈ [0-9]{2}:[0-9]{2}:[0-9]{2}/);

    await review(page);
    const sheet = screen.getByTestId("confirm");
    await expect(sheet).toContainText("Execution countdown");
    await expect(sheet).toContainText("starts at the entry price");
    await expect(sheet).toContainText("1:00");
    await expect(sheet).toContainText("+8.40");
    await expect(sheet).toContainText("Held now, from 10,000.00 available");
    await expect(placeButton(page)).toHaveText("Place order · Down · 10.00 USD");
  },
);

test(
  "a settled order shows every field of the specification, and its result both links onwards",
  { tag: "@desk" },
  async ({ memberPage: page, member }) => {
    const screen = onScreen(page);
    const { orderNo } = await placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "33.00" });
    await open(page, `/pages/trade/trade?orderNo=${orderNo}`);
    await expectOutcome(page, "Tied");
    await expect(screen.getByRole("button", { name: "Continue order" })).toBeVisible();
    await screen.getByRole("button", { name: "Close" }).click();
    await expect(page).toHaveURL(/#\/pages\/order\/index\?tab=history/);

    const row = screen.getByTestId("settled");
    await row.click();
    const detail = screen.getByTestId("detail");
    // A dialog on a phone, and beside the list on a desk.
    const whole = screen.getByRole("dialog").or(screen.locator(".detail-panel"));
    const { entryPrice, exitPrice } = await orderOf(member, orderNo);
    for (const shown of [
      STEADY.name,
      "Up",
      "33.00 for 30 s",
      "0.00 USD",
      "Held 33.33, including a fee of 0.33",
      `Entryat ${entryPrice}`,
      `Exitat ${exitPrice}`,
      orderNo,
    ])
      await expect(whole, shown).toContainText(shown);
    // Open and close times to the millisecond.
    await expect(detail).toContainText(
      /Entry.*[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}.*Exit.*[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}/s,
    );
  },
);

test("the account summary shows every figure of the specification", async ({ memberPage: page, member }) => {
  const screen = onScreen(page);
  await placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "50.00", duration: 3600 });
  await open(page, "/pages/user/index");
  const card = screen.locator(".card").first();
  await expect(card).toContainText("Total assets, practice");
  await expect(card).toContainText("10,000.00");
  await expectTerms(page, {
    Available: "9,949.50",
    Locked: "50.50",
    "Today’s profit": "0.00",
    "Position margin": "50.50",
    "Open positions": "1",
  });
  await expect(screen.getByRole("main")).toContainText(/Credit score\s*100/);
  await expect(screen.getByText("Identity unverified")).toBeVisible();
  await expect(screen.getByRole("main")).toContainText("j•••@example.com");
});

test("a fund record shows every field of the specification", async ({ memberPage: page, member }) => {
  const screen = onScreen(page);
  const { orderNo } = await placeByCall(member, {
    symbol: STEADY.symbol,
    direction: "up",
    stake: "50.00",
    duration: 3600,
  });
  await open(page, "/pages/assets/index");
  await expect(screen.getByTestId("fund-record")).toHaveText([/^Instant trade/, /^System/]);
  await screen.getByTestId("fund-record").first().click();
  await expectTerms(page, {
    "Order number": orderNo,
    Time: /^[A-Z][a-z]{2} [0-9]{1,2}, [0-9]{4}/,
    Type: "Instant trade",
    Amount: "−50.50 USD",
    Remark: "Amount and fee held",
  });
});

test("fund records have the four types of the specification", async ({ memberPage: page, member }) => {
  const screen = onScreen(page);
  await fillMoney(member);
  await placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "50.00", duration: 3600 });
  await open(page, "/pages/assets/index");
  const records = screen.getByTestId("fund-record");
  await expect(records).toHaveText([/^Instant trade.*−50\.50/, /^System.*\+10,000\.00/]);
  await screen.getByRole("combobox", { name: "Wallet" }).selectOption("real");
  await expect(records).toHaveText([/^Withdraw.*−700\.00/, /^Deposit.*\+900\.00/]);
});

test("minimum, maximum, fee and payout are those that the server supplies", async ({ memberPage: page }) => {
  const screen = onScreen(page);
  await page.route("**/client/market/instruments", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: Record<string, unknown>[] };
    const data = body.data.map((one) => ({
      ...one,
      minStake: "7.00",
      maxStake: "70.00",
      feeRate: "0.02",
      durations: [{ seconds: 45, payoutRate: "0.5" }],
    }));
    await route.fulfill({ response: answer, json: { ...body, data } });
  });
  await openOrderForm(page, STEADY.symbol);
  await fillOrder(page, { direction: "Up", amount: "10", duration: "45 s" });
  await expect(screen.getByText("7 to 70 · available 10,000.00")).toBeVisible();
  await expect(screen.getByTestId("pays")).toHaveText("+4.80");
  await expect(screen.getByTestId("costs")).toHaveText("−10.20");
  await screen.getByRole("textbox", { name: "Amount" }).fill("6.99");
  await expect(screen.getByText("The minimum order amount is $7.00")).toBeVisible();
  await screen.getByRole("textbox", { name: "Amount" }).fill("70.01");
  await expect(screen.getByText("The maximum order amount is $70.00")).toBeVisible();
});
