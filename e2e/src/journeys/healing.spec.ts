import { depositList, noticeList } from "@fairtick/protocol";
import type { Page } from "@playwright/test";
import { controlNetwork, cut, REFUSAL } from "../steps/faults.ts";
import { fillMember, fillMoney } from "../steps/filled.ts";
import { expect, expectToast, onScreen, open, test } from "../steps/journey.ts";
import { STEADY } from "../steps/market.ts";
import { type Member, placeByCall, valueOf } from "../steps/members.ts";
import { expectOutcome } from "../steps/ordering.ts";

/** Screens whose content comes from calls, in groups that each fit into one journey. */
const HEALED = {
  "the tabs": () => [
    "/pages/home/index",
    "/pages/market/index",
    `/pages/trade/index?symbol=${STEADY.symbol}`,
    "/pages/order/index",
    "/pages/order/index?tab=history",
    "/pages/user/index",
  ],
  "its money": async (member) => {
    const { depositNo, withdrawNo } = await fillMoney(member);
    const { items } = valueOf(await member.client.call(depositList, {}));
    const remittance = items.find(({ method }) => method === "bank")?.depositNo ?? "";
    return [
      "/pages/assets/index",
      "/pages/rk/index",
      "/pages/rk/szrk",
      "/pages/rk/szrk1?chain=test",
      "/pages/rk/bankrk",
      "/pages/rk/SelectCard?currency=EUR",
      `/pages/rk/szhz?depositNo=${depositNo}`,
      `/pages/rk/bankhz?depositNo=${remittance}`,
      "/pages/qk/index",
      "/pages/qk/qk",
      `/pages/qk/qk?withdrawNo=${withdrawNo}`,
    ];
  },
  "its orders": async (member) => {
    const { running, voided } = await fillMember(member);
    return [
      `/pages/trade/trade?symbol=${STEADY.symbol}`,
      `/pages/trade/trade?orderNo=${running.orderNo}`,
      `/pages/trade/trade?orderNo=${voided.orderNo}`,
      "/pages/market/alerts",
      "/pages/user/figures",
      "/pages/settings/limits",
    ];
  },
  "its account": () => [
    "/pages/user/Center",
    "/pages/auth/index",
    "/pages/auth/Auth",
    "/pages/auth/Safe",
    "/pages/auth/SetTradePwd",
    "/pages/share/index",
  ],
  "what is written": async (member) => {
    const { items } = valueOf(await member.client.call(noticeList, { kind: "message" }));
    return [
      "/pages/notice/index",
      `/pages/notice/nDetail?noticeId=${items[0]?.noticeId ?? ""}&kind=message`,
      "/pages/notice/xieyi",
      "/pages/notice/xieyi1",
      "/pages/kf/index",
      "/pages/kf/index?tab=chat",
      "/pages/fairness/index",
    ];
  },
} satisfies Record<string, (member: Member) => readonly string[] | Promise<readonly string[]>>;

/** Cuts the network before a screen is opened and expects the screen to fill once it is back. */
async function expectHealed(page: Page, routes: readonly string[]): Promise<void> {
  const network = await controlNetwork(page);
  // The fairness figures aren't fetched through the client's calls.
  let isLost = false;
  await page.route("**/fairness*.json", (route) => (isLost ? route.abort() : route.fallback()));
  const main = onScreen(page).getByRole("main");
  const failed = main.locator("button.state, .state").or(main.getByText("Tap to retry"));
  for (const route of routes)
    await test.step(route, async () => {
      network.lose();
      isLost = true;
      await open(page, route);
      await page.reload();
      await expect(failed.or(main.locator(".wait")).first()).toBeVisible();
      network.comeBack();
      isLost = false;
      await expect(main.locator("button.state").or(main.getByText("Tap to retry"))).toHaveCount(0);
      await expect(main.locator(".wait")).toHaveCount(0);
    });
}

for (const [part, routesOf] of Object.entries(HEALED))
  test(`a screen opened without a network fills automatically when it is back: ${part}`, async ({
    memberPage: page,
    member,
  }) => {
    await expectHealed(page, await routesOf(member));
  });

test(
  "a screen opened without a network fills automatically when it is back: a visitor's",
  { tag: "@desk" },
  async ({ page }) => {
    await expectHealed(page, ["/pages/index/SelectRegion", "/pages/home/index"]);
    await test.step("the country codes of the registration", async () => {
      const network = await controlNetwork(page);
      network.lose();
      await open(page, "/pages/index/Register");
      await page.reload();
      await onScreen(page).getByText("Phone", { exact: true }).click();
      const codes = onScreen(page).getByLabel("Country code").locator("option");
      await expectToast(page, "Nerwork Error");
      await expect(codes.filter({ hasText: "+55" })).toHaveCount(0);
      network.comeBack();
      await expect(codes.filter({ hasText: "+55" })).toHaveCount(1);
    });
  },
);

test("the prices of a finished order are drawn once a retry loads them", async ({ memberPage: page, member }) => {
  const order = await placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "1.00" });
  await open(page, `/pages/trade/trade?orderNo=${order.orderNo}`);
  await expectOutcome(page, "Tied");
  await cut(page, "market/ticks");
  await page.reload();
  await expectToast(page, "Nerwork Error");
  const path = onScreen(page).getByTestId("result-path");
  await expect(path).toBeVisible();
  await expect(path.locator(".result-way")).toHaveCount(0);
  await page.unrouteAll();
  await expect(path.locator(".result-way")).toHaveCount(1);
});

test("a page of a list that failed to load isn't requested endlessly, and loads when it can", async ({
  memberPage: page,
  member,
}) => {
  for (let count = 0; count < 35; count += 1)
    await placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "1.00", duration: 3600 });
  let asked = 0;
  let answer: "refuse" | "cut" | "pass" = "refuse";
  await page.route("**/client/fund/records", (route) => {
    if (route.request().postData()?.includes("cursor=") !== true || answer === "pass") return route.fallback();
    asked += 1;
    if (answer === "cut") return route.abort("connectionreset");
    return route.fulfill({ json: { code: 422, msg: REFUSAL, data: { error: "CONFLICT" } } });
  });
  await open(page, "/pages/assets/index");
  const records = onScreen(page).getByTestId("fund-record");
  await expect(records).toHaveCount(30);
  await records.last().scrollIntoViewIfNeeded();
  const again = onScreen(page).getByRole("button", { name: "Tap to retry" });
  await again.scrollIntoViewIfNeeded();
  await expectToast(page, REFUSAL);
  await page.waitForTimeout(3_000);
  expect(asked).toBe(1);
  await again.click();
  await expectToast(page, REFUSAL);
  expect(asked).toBe(2);
  answer = "cut";
  await again.click();
  await expectToast(page, "Nerwork Error");
  answer = "pass";
  await expect(onScreen(page).getByText("You’ve reached the end")).toBeVisible();
  await expect(records).toHaveCount(36);
});
