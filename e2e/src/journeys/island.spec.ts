import type { Page } from "@playwright/test";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { LIVELY, STEADY } from "../steps/market.ts";
import { orderOf, placeByCall } from "../steps/members.ts";
import { isAtDesk, placeByHand } from "../steps/ordering.ts";

test(
  "an order that ends while its member is on another screen is announced there",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    const { symbol, name } = LIVELY;
    await page.addInitScript(noteHowSoon);
    const island = onScreen(page).getByTestId("island");
    const result = onScreen(page).getByTestId("island-result");

    const up = await placeByHand(page, { symbol, direction: "Up", amount: "20" });
    await expect(onScreen(page).getByTestId("entry-price")).toHaveText(/[0-9]/);
    await expect(island, "the order's own screen shows it already").toHaveCount(0);

    await test.step("the next screen has a line with its countdown and current result", async () => {
      await open(page, "/pages/market/index");
      await expect(island).toContainText(name);
      await expect(island.getByTestId("island-left")).toHaveText(/0:[0-2][0-9]/);
      await expect(island.getByTestId("island-standing")).toHaveText(/^(?:Ahead \+16\.20|Behind −20\.20|Level 0\.00)$/);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page, "island running");
      await picture(page, info, "island-01-running");
    });

    await test.step("a tap leads to the order, where the line isn't repeated", async () => {
      await island.getByRole("link", { name: new RegExp(name) }).click();
      await expect(page).toHaveURL(new RegExp(`orderNo=${up}`));
      await expect(island).toHaveCount(0);
      await open(page, "/pages/notice/index");
      await expect(island).toBeVisible();
    });

    await test.step("it turns into the result automatically, as soon as the browser is told", async () => {
      await expect(result).toBeVisible({ timeout: 60_000 });
      await expect(result.locator(".island-path .way")).toBeVisible();
      const hasCutText = await result.evaluate((box) =>
        [...box.querySelectorAll(".cut")].some((text) => text.scrollWidth > text.clientWidth),
      );
      expect(hasCutText).toBe(false);
      await expect(result.getByTestId("island-proof")).toHaveText("Entry, exit and payout verified on this device");
      await picture(page, info, "island-02-result");
      const { outcome, settledAt } = await orderOf(member, up);
      const [word, profit] = ENDS[outcome ?? "voided"];
      await expect(result.locator(`[data-outcome="${outcome}"]`)).toContainText(word);
      await expect(result.getByTestId("island-profit")).toHaveText(profit);
      await expect(onScreen(page).getByTestId("island-said")).toHaveText(`${name} ended. ${word}: ${profit} USD`);
      await expectAccessible(page, "island result");
      await expectNoSidewaysScroll(page);
      const { toldAt, drawnAt, lag, now } = await page.evaluate(() => ({
        toldAt: window.howSoon?.toldAt ?? 0,
        drawnAt: window.howSoon?.drawnAt ?? Infinity,
        lag: window.howSoon?.lag ?? 0,
        now: performance.timeOrigin,
      }));
      const took = drawnAt - toldAt;
      info.annotations.push(
        { type: "result drawn after the browser was told, ms", description: took.toFixed(0) },
        { type: "longest frame before, ms", description: lag.toFixed(0) },
        { type: "result drawn after settlement, ms", description: (now + drawnAt - (settledAt ?? 0)).toFixed(0) },
      );
      // The benchmark holds the goal of 150 ms on a quiet machine. Here, other journeys run too, so this only
      // proves that the app draws what the stream said, without asking first.
      expect(took).toBeLessThan(1_000 + 2 * lag);
    });

    await test.step("it can be dismissed and doesn't come back", async () => {
      await result.getByRole("button", { name: "Dismiss results" }).click();
      await expect(result).toHaveCount(0);
      await expect(island).toHaveCount(0);
      if (!isAtDesk(page)) await awaitInLog(page, name);
      await page.reload();
      await expect(onScreen(page).getByRole("main")).toBeVisible();
      await expect(onScreen(page).getByTestId("island-said")).toBeAttached();
      await expect(result).toHaveCount(0);
    });
  },
);

test(
  "a list of what runs has no line over it that says the same",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    const island = onScreen(page).getByTestId("island");
    await placeByCall(member, { symbol: LIVELY.symbol, direction: "up", stake: "20.00", duration: 300 });
    await open(page, "/pages/market/index");
    await expect(island).toBeVisible();
    await open(page, "/pages/order/index");
    await expect(page).toHaveTitle("Orders");
    await expect(onScreen(page).getByRole("main")).toContainText("Held");
    await expect(island).toHaveCount(0);
    await picture(page, info, "island-06-positions");
    await onScreen(page).getByText("History", { exact: true }).click();
    await expect(island).toBeVisible();
    await open(page, "/pages/home/index");
    await expect(onScreen(page).getByRole("region", { name: "Running now" })).toContainText(LIVELY.name);
    await expect(island).toHaveCount(0);
  },
);

test(
  "a workspace has the line wherever its dock doesn't list what runs",
  { tag: "@console" },
  async ({ memberPage: page, member }, info) => {
    const island = onScreen(page).getByTestId("island");
    const desk = { width: 1280, height: 800 };
    await placeByCall(member, { symbol: LIVELY.symbol, direction: "up", stake: "20.00", duration: 300 });
    await page.setViewportSize(desk);
    await open(page, `/pages/trade/index?symbol=${LIVELY.symbol}`);
    await expect(onScreen(page).getByTestId("desk-position")).toBeVisible();
    await expect(island).toBeHidden();
    const before = await onScreen(page).locator(".workspace").boundingBox();
    await onScreen(page).getByRole("tab", { name: "History" }).click();
    await expect(island).toBeVisible();
    expect(await onScreen(page).locator(".workspace").boundingBox(), "the line moves nothing").toEqual(before);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page, "island over a desk's strip");
    await picture(page, info, "island-06-desk");
    await onScreen(page)
      .getByRole("tab", { name: /^Positions/ })
      .click();
    await expect(island).toBeHidden();
    // The dock lists the wallet in view only.
    await page.getByRole("combobox", { name: "Wallet" }).selectOption("real");
    await expect(island).toContainText("Practice");
    await page.getByRole("combobox", { name: "Wallet" }).selectOption("practice");
    await expect(island).toBeHidden();
    await page.setViewportSize({ ...desk, height: 600 });
    await expect(island).toBeVisible();
    // A tablet held upright has the dock in a sheet.
    await page.setViewportSize({ width: 820, height: 1180 });
    await expect(island.getByTestId("island-standing")).toHaveText(/^(?:Ahead|Behind|Level) /);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page, "island over a tablet's workspace");
    await picture(page, info, "island-07-tablet");
  },
);

test(
  "a result leaves a workspace's prices in sight",
  { tag: "@console" },
  async ({ memberPage: page, member }, info) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, `/pages/trade/index?symbol=${STEADY.symbol}`);
    // Product, price and today's range.
    const price = onScreen(page).locator(".pane-head").first();
    await expect(price).toContainText(/[0-9]/);
    await placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "20.00" });
    const result = onScreen(page).getByTestId("island-result");
    await expect(result).toBeVisible({ timeout: 60_000 });
    await picture(page, info, "island-08-desk-result");
    const [shown, priced] = await Promise.all([result.boundingBox(), price.boundingBox()]);
    if (shown === null || priced === null) throw new Error("one of both isn't on the screen");
    expect(shown.y).toBeGreaterThan(priced.y + priced.height);
    expect(shown.y + shown.height).toBeLessThanOrEqual(900);
  },
);

test("orders that end together share one result, told apart by shape and word", async ({
  memberPage: page,
  member,
}, info) => {
  await open(page, "/pages/user/index");
  const result = onScreen(page).getByTestId("island-result");
  await expect(onScreen(page).getByTestId("island-said")).toBeAttached();
  const order = { symbol: LIVELY.symbol, stake: "20.00" } as const;
  const running = await Promise.all([
    placeByCall(member, { ...order, direction: "up" }),
    placeByCall(member, { ...order, direction: "down" }),
    placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "33.33" }),
  ]);
  await placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "7.00", limitPrice: "100.0000" });

  await test.step("the voided one at once, with everything returned", async () => {
    const voided = result.locator('[data-outcome="voided"]');
    await expect(voided).toContainText("Voided");
    await expect(voided).toContainText("Stake and fee returned");
    await picture(page, info, "island-03-voided");
    await result.getByRole("button", { name: "Dismiss results" }).click();
    await expect(onScreen(page).getByTestId("island")).toContainText("+2");
  });
  await test.step("the other three as the server settled them", async () => {
    await expect(result.getByTestId("island-ended")).toHaveCount(3, { timeout: 60_000 });
    await picture(page, info, "island-04-together");
    const outcomes = await Promise.all(running.map(async ({ orderNo }) => (await orderOf(member, orderNo)).outcome));
    for (const outcome of new Set(outcomes)) {
      const count = outcomes.filter((each) => each === outcome).length;
      await expect(result.locator(`.outcome-mark.${outcome}`)).toHaveCount(count);
    }
    await expectNoSidewaysScroll(page);
  });
  await test.step("one leads to its order and then counts as seen", async () => {
    await result.locator('[data-outcome="tied"]').first().click();
    await expect(onScreen(page).getByTestId("outcome")).toHaveText("Tied");
    await expect(result.getByTestId("island-ended")).toHaveCount(2);
  });
});

test("an order that ended while the app was closed is announced once when it next opens", async ({
  memberPage: page,
  member,
}, info) => {
  const result = onScreen(page).getByTestId("island-result");
  await open(page, "/pages/user/index");
  const { orderNo } = await placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "33.33" });
  await expect(onScreen(page).getByTestId("island")).toBeVisible();
  // A page of the same origin that runs none of the app's scripts stands for the closed app.
  await page.goto("/health/live");
  await expect.poll(async () => (await orderOf(member, orderNo)).state, { timeout: 60_000 }).toBe("settled");

  await open(page, "/pages/user/index");
  await expect(result.locator('[data-outcome="tied"]')).toContainText("Tied");
  await expect(onScreen(page).getByTestId("island-said")).toHaveText("USD/JPY ended. Tied: 0.00 USD");
  await expectAccessible(page, "island missed");
  await picture(page, info, "island-05-missed");
  await page.reload();
  await expect(onScreen(page).getByTestId("island-said")).toBeAttached();
  await page.waitForLoadState("networkidle");
  await expect(result).toHaveCount(0);
});

/** Waits for the toast about the public log, which has the order's prices after their minute is over. */
async function awaitInLog(page: Page, name: string): Promise<void> {
  await page.waitForFunction(
    (words) => (window.toldToasts ?? []).some((toast) => toast.includes(words)),
    `${name} order: also in the public log`,
    { timeout: 200_000 },
  );
}

/** Results of 20.00 for 30 s at 82 % with a fee of 1 %. */
const ENDS = {
  won: ["Won", "+16.20"],
  lost: ["Lost", "−20.20"],
  tied: ["Tied", "0.00"],
  voided: ["Voided", "0.00"],
  unrevealed: ["Not revealed", "−20.20"],
} as const;

/** Runs in the page: records when the stream reported a settlement, when it was drawn, and the longest frame before. */
function noteHowSoon(): void {
  const soon = { toldAt: 0, drawnAt: 0, lag: 0 };
  window.howSoon = soon;
  /** Durations of the frames of the last two seconds. */
  const frames: number[] = [];
  const frame = (now: number) => {
    frames.push(now);
    if (frames.length > 120) frames.shift();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
        const isEnd = typeof data === "string" && data.includes('"t":"order"') && data.includes('"state":"settled"');
        if (!isEnd || soon.toldAt !== 0) return;
        soon.toldAt = performance.now();
        soon.lag = Math.max(0, ...frames.slice(1).map((at, place) => at - (frames[place] ?? at) - 1000 / 60));
      });
    }
  };
  document.addEventListener("DOMContentLoaded", () => {
    new MutationObserver(() => {
      if (soon.drawnAt !== 0 || document.querySelector('[data-testid="island-result"]') === null) return;
      soon.drawnAt = Infinity;
      // A task queued in the next frame's callback runs after that frame was drawn.
      requestAnimationFrame(() => setTimeout(() => (soon.drawnAt = performance.now())));
    }).observe(document.body, { childList: true, subtree: true });
  });
}

declare global {
  interface Window {
    howSoon?: { readonly toldAt: number; readonly drawnAt: number; readonly lag: number };
  }
}
