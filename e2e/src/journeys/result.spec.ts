import type { Page } from "@playwright/test";
import { expect, expectToast, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { LIVELY, STEADY } from "../steps/market.ts";
import { orderOf, ordersOf, placeByCall } from "../steps/members.ts";
import { expectOutcome, placeByHand, sendUntilAccepted } from "../steps/ordering.ts";

test("a result appears part by part, and its seal only after the app has verified it", async ({
  memberPage: page,
}, info) => {
  test.setTimeout(600_000);
  await placeByHand(page, { symbol: LIVELY.symbol, direction: "Up", amount: "20" });
  await expect(onScreen(page).getByTestId("entry-price")).toHaveText(/[0-9]/);
  const card = onScreen(page).getByTestId("verify-line");

  await test.step("it is checked on this device a moment after it is shown", async () => {
    await page.evaluate(noteSteps);
    await expect(onScreen(page).getByTestId("outcome")).toHaveText(/Won|Lost|Tied/, { timeout: 60_000 });
    await expect(card).toHaveAttribute("data-at-once", "ok");
    await expect(card).toContainText("Entry, exit and payout verified on this device");
    await picture(page, info, "result-01-verified");
    const steps = await page.evaluate(() => window.resultSteps ?? []);
    const sealed = steps.findIndex(({ seal }) => seal.includes("sealed"));
    expect(steps[0]?.seal, "the card waits for the verifier").not.toContain("sealed");
    expect(steps.slice(0, sealed).map(({ atOnce }) => atOnce)).not.toContain("ok");
    expect(steps[sealed]?.atOnce).toBe("ok");
    const took = steps[sealed]?.at ?? Infinity;
    info.annotations.push({ type: "verified on the device after the result, ms", description: String(took) });
    // One second on an idle machine, half of it waiting for the tick that confirms the exit as the last one.
    expect(took).toBeLessThan(4_000);
  });

  await test.step("the log's checks follow automatically, all in one collapsed card", async () => {
    await expect(card).toContainText("Also in the public log", { timeout: 200_000 });
    await picture(page, info, "result-02-in-log");
    await expectAccessible(page, "result");
    await expectNoSidewaysScroll(page);
    await card.click();
    await expect(onScreen(page).getByTestId("sentence")).toHaveCount(6);
  });
});

test("the amount rolls for 200 ms, a tap ends the animation, and reduced motion has none", async ({
  memberPage: page,
  member,
}) => {
  const order = { symbol: LIVELY.symbol, stake: "20.00" } as const;
  const { orderNo } = await placeByCall(member, { ...order, direction: "up" });
  await open(page, `/pages/trade/trade?orderNo=${orderNo}`);
  const result = onScreen(page).getByTestId("result");
  await expect(onScreen(page).getByTestId("countdown")).toBeVisible();
  await page.evaluate(noteRoll);
  await expect(result).toHaveClass(/moves/, { timeout: 60_000 });
  await onScreen(page).getByTestId("outcome").click();
  await expect(result).not.toHaveClass(/moves/);
  expect(await movingParts(page)).toBe(0);
  expect(await page.evaluate(() => window.resultRolled)).toEqual({ after: 200, forMs: 200 });

  await page.emulateMedia({ reducedMotion: "reduce" });
  const next = await placeByCall(member, { ...order, direction: "down" });
  await open(page, `/pages/trade/trade?orderNo=${next.orderNo}`);
  await expect(onScreen(page).getByTestId("countdown")).toBeVisible();
  await page.evaluate(noteMovement);
  await page.evaluate(noteRoll);
  await expect(result).toBeVisible({ timeout: 60_000 });
  await expect(onScreen(page).getByTestId("verify-line")).toHaveAttribute("data-at-once", "ok");
  expect(await page.evaluate(() => window.resultMoved)).toBe(0);
  expect(await page.evaluate(() => window.resultRolled)).toBeNull();
});

test("won, lost, tied and voided have the same parts and differ in sign, shape and words", async ({
  memberPage: page,
  member,
}, info) => {
  const placed = await Promise.all([
    placeByCall(member, { symbol: LIVELY.symbol, direction: "up", stake: "20.00" }),
    placeByCall(member, { symbol: LIVELY.symbol, direction: "down", stake: "20.00" }),
    placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "33.33" }),
    placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "7.00", limitPrice: "100.0000" }),
  ]);
  const shapes = new Map<string, string>();
  for (const { orderNo } of placed) {
    await open(page, `/pages/trade/trade?orderNo=${orderNo}`);
    const result = onScreen(page).getByTestId("result");
    await expect(result).toBeVisible({ timeout: 90_000 });
    const { outcome } = await orderOf(member, orderNo);
    await expect(result).toHaveAttribute("data-outcome", outcome ?? "");
    await expect(result.getByTestId("profit")).toContainText(SIGNS[outcome ?? "voided"]);
    await expect(result.locator(".result-why")).toHaveText(WHY[outcome ?? "voided"]);
    shapes.set(outcome ?? "", await result.locator(".outcome-mark").evaluate(({ innerHTML }) => innerHTML));
    expect(await result.evaluate(({ children }) => [...children].map((part) => part.className.split(" ")[0]))).toEqual([
      "result-head",
      "result-path",
      "result-seal",
      "result-facts",
      "result-signals",
    ]);
    for (const width of [320, 360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
      await picture(page, info, `result-03-${outcome}-${width}`);
    }
    await page.setViewportSize({ width: 360, height: 740 });
  }
  expect(new Set(shapes.values()).size).toBe(shapes.size);
});

test("the card names a failed check at once", async ({ memberPage: page }, info) => {
  await page.route("**/client/order/receipt", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { result: { profit: number } | null } };
    if (body.data.result !== null) body.data.result.profit += 10_000;
    await route.fulfill({ response: answer, json: body });
  });
  await placeByHand(page, { symbol: STEADY.symbol, direction: "Up", amount: "10" });
  await expectOutcome(page, "Tied");
  const card = onScreen(page).getByTestId("verify-line");
  await expect(card).toHaveAttribute("data-state", "failed");
  await expect(card).toContainText("Not verified");
  await expect(card).toContainText("Failed: The profit and the amount returned follow from the terms");
  await expect(card.locator(".seal.sealed")).toHaveCount(0);
  await expectAccessible(page, "not verified");
  await picture(page, info, "result-04-not-verified");
  await page.unrouteAll();
});

test("a result left early also shows quietly when the public log has it", async ({ memberPage: page }) => {
  test.setTimeout(600_000);
  await placeByHand(page, { symbol: STEADY.symbol, direction: "Up", amount: "10" });
  await expectOutcome(page, "Tied");
  await expect(onScreen(page).getByTestId("verify-line")).toHaveAttribute("data-at-once", "ok");
  await open(page, "/pages/market/index");
  await page.waitForFunction(
    (words) => (window.toldToasts ?? []).some((toast) => toast.includes(words)),
    `${STEADY.name} order: also in the public log`,
    { timeout: 200_000 },
  );
  await expectToast(page, "also in the public log");
});

test(
  "one tap on a result places the same order again",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    const first = await placeByHand(page, { symbol: STEADY.symbol, direction: "Down", amount: "15" });
    await expectOutcome(page, "Tied");
    const repeat = onScreen(page).getByRole("button", { name: "Repeat Down 15.00 · 30 s" });
    await expect(repeat).not.toHaveAttribute("aria-disabled", "true");
    await expectAccessible(page, "result with its ways on");
    await picture(page, info, "result-05-repeat");
    await sendUntilAccepted(page, () => repeat.click());
    await expect(onScreen(page).getByTestId("countdown")).toBeVisible();
    await expect(page).not.toHaveURL(new RegExp(first));
    const orders = await ordersOf(member);
    expect(orders.map(({ stake, duration, state }) => [stake, duration, state === "settled"])).toEqual([
      ["15.00", 30, false],
      ["15.00", 30, true],
    ]);
  },
);

/** The amount shown for each outcome, and below it the sentence. */
const SIGNS = { won: "+16.20", lost: "−20.20", tied: "0.00", voided: "0.00", unrevealed: "−" } as const;
const WHY = {
  won: /^The price ended [0-9,]+ points? (?:above|below) your entry$/,
  lost: /^The price ended [0-9,]+ points? (?:above|below) your entry$/,
  tied: "The price ended exactly at your entry, so stake and fee came back",
  voided: "This order didn’t count: stake and fee came back",
  unrevealed: "Your direction was never revealed, so this order counts as lost",
} as const;

async function movingParts(page: Page): Promise<number> {
  return page.evaluate(
    () => document.querySelector('[data-testid="result"]')?.getAnimations({ subtree: true }).length ?? -1,
  );
}

/** Records what the card shows from the result's first frame on. Runs in the page. */
function noteSteps(): void {
  const steps: { at: number; seal: string; atOnce: string | null }[] = [];
  window.resultSteps = steps;
  let began = 0;
  new MutationObserver(() => {
    if (document.querySelector('[data-testid="result"]') === null) return;
    began ||= performance.now();
    const seal = document.querySelector(".seal-card .seal")?.getAttribute("class") ?? "";
    const atOnce = document.querySelector('[data-testid="verify-line"]')?.getAttribute("data-at-once") ?? null;
    const last = steps.at(-1);
    if (last?.seal === seal && last.atOnce === atOnce) return;
    steps.push({ at: Math.round(performance.now() - began), seal, atOnce });
  }).observe(document.body, { childList: true, subtree: true, attributes: true });
}

/** Records the largest number of a result's parts that move at the same time. Runs in the page. */
function noteMovement(): void {
  window.resultMoved = 0;
  const look = () => {
    const parts = document.querySelector('[data-testid="result"]')?.getAnimations({ subtree: true }) ?? [];
    const moving = parts.filter(({ effect }) => Number(effect?.getComputedTiming().endTime) > 0);
    window.resultMoved = Math.max(window.resultMoved ?? 0, moving.length);
    requestAnimationFrame(look);
  };
  look();
}

/** Records when the digits of a result's amount begin to roll, and for how long, in ms. Runs in the page. */
function noteRoll(): void {
  window.resultRolled = null;
  new MutationObserver((_, watcher) => {
    const digits = [...document.querySelectorAll('[data-testid="result"] .roll > *')];
    if (digits.length === 0) return;
    watcher.disconnect();
    const timings = digits.flatMap((digit) => digit.getAnimations().map(({ effect }) => effect?.getComputedTiming()));
    const after = Math.min(...timings.map((timing) => timing?.delay ?? Infinity));
    const end = Math.max(...timings.map((timing) => Number(timing?.endTime)));
    window.resultRolled = { after, forMs: end - after };
  }).observe(document.body, { childList: true, subtree: true });
}

declare global {
  interface Window {
    resultSteps?: { readonly at: number; readonly seal: string; readonly atOnce: string | null }[];
    resultMoved?: number;
    resultRolled?: { readonly after: number; readonly forMs: number } | null;
  }
}
