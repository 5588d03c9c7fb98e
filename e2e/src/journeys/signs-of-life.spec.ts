import { createServer } from "node:net";
import { expect, expectToast, onScreen, open, test } from "../steps/journey.ts";
import { picture } from "../steps/look.ts";
import { LIVELY, moved, scriptedPrice, setPrice, STEADY, steered } from "../steps/market.ts";
import { placeByCall, summaryOf } from "../steps/members.ts";
import { expectOutcome, placeByHand } from "../steps/ordering.ts";
import { MEMBER_SCREENS, openFilled } from "../steps/screens.ts";
import { pullDown } from "../steps/touch.ts";

/** Starts a server that accepts every connection and never responds. */
async function startSilence(): Promise<{ readonly url: string; close(): void }> {
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test("if the server hangs, the app asks for a tap after 60 s, and the tap tries again", async ({ page }, info) => {
  const silence = await startSilence();
  try {
    await page.route("**/client/market/instruments", (route) => route.continue({ url: silence.url }));
    const begun = Date.now();
    await open(page, "/pages/market/index");
    const invitation = onScreen(page).getByRole("main").getByText("Connection timed out. Tap the screen to retry");
    await expect(invitation).toBeVisible({ timeout: 120_000 });
    expect(Date.now() - begun).toBeGreaterThan(59_000);
    await expectToast(page, "Connection timed out. Tap the screen to retry");
    await picture(page, info, "life-01-timed-out");
    await page.unroute("**/client/market/instruments");
    // A tap anywhere on the screen counts.
    await onScreen(page).getByRole("searchbox").click();
    await expect(onScreen(page).getByRole("link", { name: new RegExp(LIVELY.name) })).toBeVisible();
  } finally {
    silence.close();
  }
});

test("a member who has lost most of their practice money can refill it once", async ({
  memberPage: page,
  member,
}, info) => {
  const { symbol } = steered(info.project.name, "falls");
  const price = await scriptedPrice(symbol);
  for (let count = 0; count < 9; count += 1) await placeByCall(member, { symbol, direction: "up", stake: "1000.00" });
  await expect.poll(async () => (await summaryOf(member)).openPositions).toBe(9);
  await open(page, "/pages/user/index");
  await expect(onScreen(page).locator(".card .big").first()).toContainText("10,000.00");
  await expect(onScreen(page).getByRole("button", { name: "Refill practice money" })).toHaveCount(0);
  // By then each order has its entry tick, which is the first one after its acceptance.
  await page.waitForTimeout(2_000);
  await setPrice(symbol, moved(price, -50));

  const refill = onScreen(page).getByRole("button", { name: "Refill practice money" });
  await expect(refill).toBeVisible({ timeout: 120_000 });
  await expect(onScreen(page).locator(".card .big").first()).toContainText("910.00");
  await picture(page, info, "life-02-refill");
  await refill.click();
  await expectToast(page, "Operation successful");
  await expect(onScreen(page).locator(".card .big").first()).toContainText("10,000.00");
  await expect(refill).toHaveCount(0);
  expect(await summaryOf(member)).toMatchObject({ totalAssets: "10000.00", available: "10000.00", locked: "0.00" });
  await open(page, "/pages/assets/index");
  await expect(onScreen(page).getByTestId("fund-record").first()).toContainText("+9,090.00");
});

/** Screens that can be pulled down, and the calls that each one repeats. */
const PULLED = [
  { route: "/pages/home/index", calls: ["user/summary", "market/instruments"] },
  { route: "/pages/market/index", calls: ["market/instruments"] },
  { route: "/pages/order/index", calls: ["order/positions"] },
  { route: "/pages/order/index?tab=history", calls: ["order/history"] },
  { route: "/pages/user/index", calls: ["user/summary"] },
  { route: "/pages/assets/index", calls: ["fund/records"] },
  { route: "/pages/notice/index", calls: ["notice/list"] },
  { route: "/pages/notice/index?kind=message", calls: ["notice/list"] },
] as const;

test("pulling down refreshes home, market, orders, mine, funds and notices, and nothing else", async ({
  memberPage: page,
}) => {
  for (const place of MEMBER_SCREENS) {
    await openFilled(page, place);
    const calls = PULLED.find(({ route }) => route === place.route)?.calls;
    await test.step(`${place.route}: ${calls?.join(", ") ?? "nothing"}`, async () => {
      const area = onScreen(page).locator(".pull");
      if (calls === undefined) {
        await pullDown(page);
        await expect(area).toHaveCount(0);
        return;
      }
      await pullDown(page, 24);
      await expect(area).toBeEmpty();
      const asked = calls.map((call) => page.waitForRequest(`**/client/${call}`));
      await pullDown(page);
      await Promise.all(asked);
      await expect(area).toBeEmpty();
    });
  }
});

test("further pulls during a refresh do nothing, and a pull that the system cancels doesn't refresh", async ({
  memberPage: page,
}) => {
  let asked = 0;
  let answer = () => {};
  // Orders are also fetched to report results, but funds only by this list.
  const first = page.waitForResponse("**/client/fund/records");
  await open(page, "/pages/assets/index");
  await first;
  await expect(onScreen(page).locator(".wait")).toHaveCount(0);
  await page.route("**/client/fund/records", async (route) => {
    asked += 1;
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    await route.continue();
  });
  const area = onScreen(page).locator(".pull");
  await pullDown(page, 180, "touchCancel");
  await expect(area).toBeEmpty();
  expect(asked).toBe(0);
  await pullDown(page);
  await expect(area).toHaveText("Refreshing");
  await pullDown(page);
  await pullDown(page);
  await expect(area).toHaveText("Refreshing");
  answer();
  await expect(area).toBeEmpty();
  expect(asked).toBe(1);
});

test("a pull says what releasing it would do", async ({ memberPage: page }) => {
  await open(page, "/pages/home/index");
  await expect(onScreen(page).locator(".wait")).toHaveCount(0);
  await expect(onScreen(page).locator(".pull")).toBeAttached();
  const told = page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const place = document.querySelector(".pull");
        const words: string[] = [];
        new MutationObserver(() => {
          const said = place?.textContent ?? "";
          if (said !== words.at(-1)) words.push(said);
          if (said === "" && words.length > 1) resolve(words);
        }).observe(place!, { subtree: true, childList: true, characterData: true });
      }),
  );
  await pullDown(page);
  expect(await told).toEqual(["Pull to refresh", "Release to refresh", "Refreshing", ""]);
});

test("the phone vibrates at an order's start and end, unless vibration is off", async ({ memberPage: page }) => {
  await page.addInitScript(() => {
    const ticks: unknown[] = [];
    Reflect.set(window, "ticks", ticks);
    navigator.vibrate = (pattern) => {
      ticks.push(pattern);
      return true;
    };
  });
  const ticks = () => page.evaluate(() => (Reflect.get(window, "ticks") as unknown[]).length);
  await placeByHand(page, { symbol: STEADY.symbol, direction: "Up", amount: "15" });
  await expect.poll(ticks).toBe(1);
  await expectOutcome(page, "Tied");
  await expect.poll(ticks).toBe(2);

  await open(page, "/pages/settings/index");
  const saved = page.waitForResponse(/client\/user\/setSettings/);
  await onScreen(page).getByRole("switch", { name: "Haptics" }).click();
  await saved;
  await placeByHand(page, { symbol: STEADY.symbol, direction: "Up", amount: "15" });
  expect(await ticks()).toBe(2);
});
