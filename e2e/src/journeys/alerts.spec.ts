import { randomUUID } from "node:crypto";
import { alertCreate, alertList, marketInstruments, userSettings } from "@fairtick/protocol";
import { expect, expectToast, onScreen, open, test } from "../steps/journey.ts";
import { controlNetwork } from "../steps/faults.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { LIVELY, moved, STEADY } from "../steps/market.ts";
import { valueOf } from "../steps/members.ts";

test(
  "a member is notified when a price is reached, on whatever screen they are",
  { tag: "@desk" },
  async ({ memberPage: page }, info) => {
    const screen = onScreen(page);
    await open(page, `/pages/trade/index?symbol=${LIVELY.symbol}`);
    await screen.getByRole("link", { name: "Price alerts" }).click();
    await expect(page).toHaveTitle("Price alerts");
    await expect(screen.getByText("No alerts yet")).toBeVisible();

    await test.step("an alert needs a price other than the current one", async () => {
      await screen.getByRole("button", { name: "Set alert" }).click();
      await expectToast(page, "Enter a price other than the current one");
    });

    await test.step("an alert far from the price keeps waiting", async () => {
      await screen.getByLabel("Price", { exact: true }).fill("9");
      await expect(screen.getByText("We’ll tell you when the price rises to 9")).toBeVisible();
      await screen.getByRole("button", { name: "Set alert" }).click();
      await expectToast(page, "Successfully set");
      await expect(screen.getByTestId("alert")).toContainText("rises to 9");
    });

    await test.step("an alert close to the price fires, and another screen shows it", async () => {
      // One alert on each side of the price, so that the price soon reaches one of them.
      for (const [direction, points] of [
        ["rises", 20],
        ["falls", -20],
      ] as const)
        await expect(async () => {
          await screen.getByLabel("Price", { exact: true }).fill("");
          const now = /[0-9.]+/.exec((await screen.getByText(/^Now /).textContent()) ?? "")?.[0] ?? "";
          const price = moved(now, points);
          await screen.getByLabel("Price", { exact: true }).fill(price);
          await expect(screen.getByText(`We’ll tell you when the price ${direction} to ${price}`)).toBeVisible({
            timeout: 500,
          });
          await screen.getByRole("button", { name: "Set alert" }).click();
          await expect(screen.getByTestId("alert").filter({ hasText: price })).toBeVisible();
        }).toPass();
      await expectAccessible(page, "alerts");
      await expectNoSidewaysScroll(page);
      await picture(page, info, "alerts-01-list");
      await open(page, "/pages/order/index");
      await page.waitForFunction(
        (words) => (window.toldToasts ?? []).some((text) => text.includes(words)),
        " has reached ",
        {
          timeout: 90_000,
        },
      );
      await open(page, "/pages/market/alerts");
      await expect(screen.getByRole("heading", { name: "Reached" })).toBeVisible();
      await picture(page, info, "alerts-02-reached");
    });

    await test.step("each alert can be removed", async () => {
      for (let left = await screen.getByTestId("alert").count(); left > 0; left--) {
        await screen
          .getByRole("button", { name: /^Remove alert/ })
          .first()
          .click();
        await expect(screen.getByTestId("alert")).toHaveCount(left - 1);
      }
    });
  },
);

test("a price reached while the connection was down is told when it is back", async ({ memberPage: page, member }) => {
  const network = await controlNetwork(page);
  await open(page, "/pages/market/index");
  const row = onScreen(page).getByRole("link", { name: new RegExp(LIVELY.name) });
  await expect(row).toContainText(/[0-9]/);
  // The first price comes with the list. Only a page that has heard the stream knows what it misses.
  const first = await row.innerText();
  await expect.poll(() => row.innerText()).not.toBe(first);
  network.lose();
  await expect(onScreen(page).getByText(/No connection since/)).toBeVisible();

  const reached = async () => valueOf(await member.client.call(alertList, {})).find(({ firedAt }) => firedAt !== null);
  await expect(async () => {
    const { price } = valueOf(await member.client.call(marketInstruments, {})).find(
      ({ symbol }) => symbol === LIVELY.symbol,
    ) ?? { price: null };
    if (price === null) throw new Error("no price");
    for (const direction of ["up", "down"] as const)
      await member.client.call(alertCreate, {
        symbol: LIVELY.symbol,
        direction,
        price: moved(price, direction === "up" ? 3 : -3),
        clientId: randomUUID(),
      });
    await expect.poll(reached).toBeDefined();
  }).toPass();
  network.comeBack();
  await expectToast(page, " has reached ");
});

test(
  "notifications can be turned on only if the browser allows them",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    const screen = onScreen(page);
    const kept = async () => valueOf(await member.client.call(userSettings, {})).notifications;
    await page.addInitScript(() => {
      const answer = () => localStorage.getItem("fairtickAllowed") ?? "denied";
      Object.defineProperty(Notification, "requestPermission", { value: () => Promise.resolve(answer()) });
      Object.defineProperty(Notification, "permission", { get: answer });
    });
    // The server's settings arrive late and must not override a choice made in the meantime.
    await page.route(/client\/user\/settings$/, async (route) => {
      await page.waitForTimeout(4_000);
      await route.continue();
    });
    const late = page.waitForResponse(/client\/user\/settings$/);
    await open(page, "/pages/settings/index");
    const notifications = screen.getByRole("switch", { name: "Notifications" });
    await notifications.click();
    await expectToast(page, "Notifications are blocked in the browser’s settings for this site");
    await expect(notifications).not.toBeChecked();
    expect(await kept()).toBe(false);

    await page.evaluate(() => localStorage.setItem("fairtickAllowed", "granted"));
    const saved = page.waitForResponse(/client\/user\/setSettings/);
    await notifications.click();
    await saved;
    await late;
    await expect(notifications).toBeChecked();
    expect(await kept()).toBe(true);
    await expectAccessible(page, "settings");
    await picture(page, info, "alerts-03-settings");
    const taken = page.waitForResponse(/client\/user\/setSettings/);
    await notifications.click();
    await taken;
    expect(await kept()).toBe(false);
  },
);

test("favourites are on their own tab, also after a reload", async ({ memberPage: page }) => {
  const screen = onScreen(page);
  await open(page, "/pages/market/index");
  for (const { name } of [STEADY, LIVELY]) {
    // A reload would abort the request.
    const kept = page.waitForResponse(/market\/setFavourite/);
    await screen.getByRole("button", { name: `Favorite: ${name}` }).click();
    await kept;
  }
  await page.reload();
  await screen.getByRole("tab", { name: "Favorites" }).click();
  await expect(screen.getByText(STEADY.name)).toBeVisible();
  await expect(screen.getByText(LIVELY.name)).toBeVisible();
  await screen.getByRole("button", { name: `Favorite: ${STEADY.name}` }).click();
  await expect(screen.getByText(STEADY.name)).toHaveCount(0);
});
