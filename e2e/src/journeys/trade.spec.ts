import type { Page } from "@playwright/test";
import { refuse, REFUSAL } from "../steps/faults.ts";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { STEADY } from "../steps/market.ts";
import type { Member } from "../steps/members.ts";
import { valueOf } from "../steps/members.ts";
import { fillOrder, review, sendUntilAccepted } from "../steps/ordering.ts";
import { orderPositions } from "@fairtick/protocol";

async function openTrade(page: Page): Promise<void> {
  await open(page, `/pages/trade/index?symbol=${STEADY.symbol}`);
  await expect(onScreen(page).getByTestId("chart")).toHaveAttribute("data-state", "shown");
  await expect(onScreen(page).getByTestId("ticket")).toContainText("Available 10,000.00");
}

/** Returns stake, duration and direction of each running order, newest first. */
async function runningOf(member: Member): Promise<readonly string[]> {
  const { items } = valueOf(await member.client.call(orderPositions, { wallet: "practice" }));
  return items
    .toSorted((one, other) => other.acceptedAt - one.acceptedAt)
    .map(({ stake, duration }) => `${stake} for ${duration}`);
}

/** Returns the ids on the page that stand where their message should. */
async function nakedIds(page: Page): Promise<readonly string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node instanceof Element)
        for (const name of ["aria-label", "title", "placeholder"]) found.push(node.getAttribute(name) ?? "");
      else found.push(node.textContent ?? "");
    }
    return found;
  });
  return texts.flatMap((text) => text.match(/^[a-z]+\.[a-z][A-Za-z]+$/) ?? []);
}

const ticket = (page: Page) => onScreen(page).getByTestId("ticket");
const confirm = (page: Page) => onScreen(page).getByTestId("confirm");
const buy = (page: Page, direction: "up" | "down") => ticket(page).getByRole("button", { name: `Buy ${direction}` });
const placeButton = (page: Page) => confirm(page).getByRole("button", { name: /^Place order/ });

test("two taps in the same place lead from the chart to a running order with the same figures", async ({
  memberPage: page,
  member,
}, info) => {
  await openTrade(page);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page, "trade screen");
  await picture(page, info, "trade-01-ticket");
  const first = buy(page, "down");
  const place = await first.boundingBox();
  const figures = await ticket(page).getByTestId("terms").boundingBox();
  await first.tap();
  await expect(placeButton(page)).toBeFocused();
  await expect(confirm(page)).toContainText("Down: exit below entry");
  await expect(confirm(page).getByTestId("pays")).toHaveText("+84.00");
  await expect(confirm(page).getByTestId("costs")).toHaveText("−101.00");
  await expect(confirm(page).getByTestId("fee")).toHaveText("1.00");
  await expect(confirm(page).getByTestId("break-even")).toHaveText("54.6%");
  expect((await confirm(page).getByTestId("terms").boundingBox())?.y).toBe(figures?.y);
  const second = await placeButton(page).boundingBox();
  // The middle of the first button is inside the second one.
  const middle = (place?.x ?? 0) + (place?.width ?? 0) / 2;
  expect(second?.y).toBe(place?.y);
  expect(second?.x ?? Infinity).toBeLessThan(middle);
  expect((second?.x ?? 0) + (second?.width ?? 0)).toBeGreaterThan(middle);
  await picture(page, info, "trade-02-confirm");
  await sendUntilAccepted(page, () => placeButton(page).tap());
  await expect(page).toHaveURL(/#\/pages\/trade\/index/);
  await expect(page.getByTestId("island")).toBeVisible();
  expect(await runningOf(member)).toEqual(["100.00 for 60"]);
});

test("Escape, going back and Cancel leave the confirmation without losing the ticket", async ({
  memberPage: page,
  member,
}) => {
  await openTrade(page);
  await ticket(page).getByRole("textbox", { name: "Amount" }).fill("37.50");
  await ticket(page).getByText("5 min", { exact: true }).tap();
  const ways = {
    Escape: () => page.keyboard.press("Escape"),
    back: () => page.goBack(),
    Cancel: () => confirm(page).getByRole("button", { name: "Cancel" }).tap(),
  };
  for (const [way, leave] of Object.entries(ways))
    await test.step(way, async () => {
      // A journey taps faster than a person: within 300 ms in the same place it would be ignored as a double tap.
      await expect(async () => {
        await buy(page, "up").tap({ timeout: 2_000 });
        await expect(confirm(page)).toContainText("37.50", { timeout: 2_000 });
      }).toPass();
      await leave();
      await expect(buy(page, "up")).toBeVisible();
      await expect(ticket(page).getByRole("textbox", { name: "Amount" })).toHaveValue("37.50");
      await expect(ticket(page).getByRole("radio", { name: /^5 min/ })).toBeChecked();
      await expect.poll(() => page.evaluate(() => Reflect.has(history.state as object, "sheet"))).toBe(false);
    });
  await test.step("nor is it lost on another screen", async () => {
    await page.getByRole("link", { name: "Market" }).tap();
    await expect(page).toHaveTitle("Market");
    await page.getByRole("link", { name: "Trade", exact: true }).tap();
    await expect(ticket(page).getByRole("textbox", { name: "Amount" })).toHaveValue("37.50");
  });
  expect(await runningOf(member)).toEqual([]);
});

test("after the first order's end one tap is offered, and from then on one tap places and one tap repeats", async ({
  memberPage: page,
  member,
}, info) => {
  await openTrade(page);
  await ticket(page).getByRole("textbox", { name: "Amount" }).fill("20");
  await ticket(page).getByText("30 s", { exact: true }).tap();
  await buy(page, "up").tap();
  await expect(onScreen(page).getByTestId("one-tap")).toHaveCount(0);
  await sendUntilAccepted(page, () => placeButton(page).tap());
  await expect(page.getByTestId("island")).toBeVisible();
  const host = onScreen(page).locator(".price-chart-host");
  const height = (await host.boundingBox())?.height;
  await picture(page, info, "trade-03-running");

  await test.step("repeated with one tap, the confirmation still on: its terms were confirmed", async () => {
    const repeat = ticket(page).getByRole("button", { name: "Repeat Up 20.00 · 30 s" });
    await sendUntilAccepted(page, () => repeat.tap());
    expect(await runningOf(member)).toEqual(["20.00 for 30", "20.00 for 30"]);
  });
  await test.step("it is offered once nothing runs, and takes no room from the chart before", async () => {
    await expect(onScreen(page).getByTestId("one-tap")).toHaveCount(0);
    expect((await host.boundingBox())?.height).toBe(height);
    await page.reload();
    await expect(onScreen(page).getByTestId("one-tap")).toBeVisible({ timeout: 120_000 });
    await expect(page.getByTestId("island")).toHaveCount(0);
    await picture(page, info, "trade-03-offer");
  });
  await onScreen(page).getByRole("button", { name: "Use one tap" }).tap();
  await expect(onScreen(page).getByTestId("one-tap")).toHaveCount(0);
  await test.step("one tap", async () => {
    await ticket(page).getByRole("textbox", { name: "Amount" }).fill("20");
    await ticket(page).getByText("2 min", { exact: true }).tap();
    await sendUntilAccepted(page, () => buy(page, "down").tap());
    await expect(confirm(page)).toHaveCount(0);
    await expect.poll(() => runningOf(member)).toContain("20.00 for 120");
  });
  await test.step("it isn't offered again, and the settings agree", async () => {
    await page.reload();
    await open(page, "/pages/settings/index");
    await expect(onScreen(page).getByRole("switch", { name: /[Cc]onfirm/ })).not.toBeChecked();
  });
});

test("the trade screen reports a refusal and a lost connection, and the ticket stays unchanged", async ({
  memberPage: page,
  context,
}, info) => {
  await openTrade(page);
  await ticket(page).getByRole("textbox", { name: "Amount" }).fill("15");
  await buy(page, "up").tap();
  await refuse(page, "order/place");
  await placeButton(page).tap();
  await expect(confirm(page).getByRole("alert")).toContainText(REFUSAL);
  await expect(confirm(page).getByRole("alert")).toContainText("nothing was held");
  await picture(page, info, "trade-04-refused");
  await page.unrouteAll();
  await page.keyboard.press("Escape");
  await expect(ticket(page).getByRole("textbox", { name: "Amount" })).toHaveValue("15");
  await expect(ticket(page).getByRole("alert")).toHaveCount(0);

  await test.step("no connection", async () => {
    await context.setOffline(true);
    await expect(ticket(page).getByRole("alert")).toContainText("No connection. Nothing was held.");
    await expect(buy(page, "up")).toHaveAttribute("aria-disabled", "true");
    await picture(page, info, "trade-05-offline");
    await expect(onScreen(page).getByText(/No connection since|No price since/), "said once").toHaveCount(0);
    await context.setOffline(false);
    await expect(ticket(page).getByRole("alert")).toHaveCount(0);
    await expect(ticket(page).getByRole("textbox", { name: "Amount" })).toHaveValue("15");
  });
  await test.step("too high an amount, reported at the field", async () => {
    await ticket(page).getByRole("textbox", { name: "Amount" }).fill("5000");
    await expect(ticket(page).getByRole("alert")).toHaveText("The maximum order amount is $1,000.00");
    await expect(ticket(page).getByTestId("pays")).toHaveText("–");
  });
});

test("full screen gives the chart the tab bar's and the fields' room, and still buys in two taps", async ({
  memberPage,
}) => {
  const screen = onScreen(memberPage);
  await open(memberPage, "/pages/trade/index?symbol=EURUSD");
  const chart = screen.getByTestId("chart");
  await expect(chart).toHaveAttribute("data-state", "shown");
  const heightOf = async () => (await chart.boundingBox())?.height ?? 0;
  // While no price has come, the ticket says so, in room that it takes from the chart.
  await expect(buy(memberPage, "up")).not.toHaveAttribute("aria-disabled", "true");
  await expect(ticket(memberPage).getByRole("alert")).toHaveCount(0);
  const usual = await heightOf();

  await screen.getByRole("button", { name: "Full screen", exact: true }).click();
  await expect(memberPage.locator("nav.tabs")).toBeHidden();
  await expect.poll(heightOf).toBeGreaterThan(usual + 100);
  await expect(memberPage.getByText("Practice · play money").first()).toBeVisible();
  await expect(screen.getByRole("button", { name: /trend line/i })).toBeVisible();
  await expectNoSidewaysScroll(memberPage);

  await screen.getByRole("button", { name: /^Buy up/ }).click();
  await expect(screen.getByTestId("confirm")).toContainText("100.00");
  await memberPage.goBack();
  await expect(screen.getByTestId("confirm")).toHaveCount(0);

  await memberPage.goBack();
  await expect(memberPage.locator("nav.tabs")).toBeVisible();
  await expect.poll(heightOf).toBeCloseTo(usual, 0);
});

test("opened by its address, the trade screen's files are all requested before the app runs @desk", async ({
  memberPage: page,
}, info) => {
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  const held = Promise.withResolvers<void>();
  await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto("about:blank");
  await page.goto("/#/pages/trade/index", { waitUntil: "commit" });
  const needed = info.project.name === "phone" ? ["TradeTabScreen", "en_trade"] : ["Workspace", "en_all"];
  for (const file of [...needed, "ticket", "chart-view"])
    await expect.poll(() => requested).toContainEqual(expect.stringMatching(`^/assets/${file}-[^/]+\\.js$`));
  const products = () => requested.filter((path) => path === "/client/market/instruments");
  // Without these nothing can be tapped.
  expect(requested.filter((path) => path.startsWith("/client/"))).toEqual(products());
  expect(products()).toHaveLength(1);
  held.resolve();
  await expect(onScreen(page).getByTestId("chart").first()).toHaveAttribute("data-state", "shown");
  expect(products(), "the app takes the answer that the page asked for").toHaveLength(1);
});

test("the trade tab, its confirmation and the order form have their messages before the other screens' have come", async ({
  memberPage: page,
}) => {
  await page.route(/\/assets\/en_all-[^/]+\.js$/, () => undefined);
  const openAlone = async (path: string) => {
    await page.goto("about:blank");
    await page.goto(`/#${path}?symbol=${STEADY.symbol}`);
    await expect(onScreen(page).getByTestId("chart")).toHaveAttribute("data-state", "shown");
    expect(await nakedIds(page)).toEqual([]);
  };
  await openAlone("/pages/trade/index");
  await buy(page, "up").tap();
  await expect(placeButton(page)).toBeFocused();
  expect(await nakedIds(page)).toEqual([]);
  await sendUntilAccepted(page, () => placeButton(page).tap());
  await openAlone("/pages/trade/trade");
  await fillOrder(page, { direction: "Up", amount: "20" });
  await review(page);
  expect(await nakedIds(page)).toEqual([]);
});

test("on a phone on its side the ticket is beside the chart", async ({ memberPage }) => {
  await memberPage.setViewportSize({ width: 740, height: 360 });
  await openTrade(memberPage);
  const chart = await onScreen(memberPage).getByTestId("chart").boundingBox();
  const up = await buy(memberPage, "up").boundingBox();
  expect(chart?.height ?? 0).toBeGreaterThan(150);
  expect(up?.x ?? 0).toBeGreaterThanOrEqual((chart?.x ?? 0) + (chart?.width ?? Infinity) - 1);
  await expect(buy(memberPage, "down")).toBeInViewport({ ratio: 1 });
  await expectNoSidewaysScroll(memberPage);
});

test("a tap beside the amount lands where the finger was, although the usual amounts disappear", async ({
  memberPage,
}) => {
  await openTrade(memberPage);
  await ticket(memberPage).getByLabel("Amount").focus();
  await expect(ticket(memberPage).getByRole("button", { name: "500", exact: true })).toBeVisible();
  const interval = onScreen(memberPage).getByRole("button", { name: "15m", exact: true });
  await interval.tap();
  await expect(interval).toHaveAttribute("aria-pressed", "true");
  await expect(ticket(memberPage).getByRole("button", { name: "500", exact: true })).toBeHidden();
});
