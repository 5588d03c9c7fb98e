import { expect, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { LIVELY, STEADY } from "../steps/market.ts";
import { orderOf, placeByCall } from "../steps/members.ts";
import { placeByHand } from "../steps/ordering.ts";

test(
  "an order that ends while its member looks elsewhere says so on the screen at hand",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    const { symbol, name } = LIVELY;
    const island = onScreen(page).getByTestId("island");
    const result = onScreen(page).getByTestId("island-result");

    const up = await placeByHand(page, { symbol, direction: "Up", amount: "20" });
    await expect(onScreen(page).getByTestId("entry-price")).toHaveText(/[0-9]/);
    await expect(island, "the order's own screen shows it already").toHaveCount(0);

    await test.step("the next screen has a line of it: countdown, and where it stands", async () => {
      await open(page, "/pages/market/index");
      await expect(island).toContainText(name);
      await expect(island.getByTestId("island-left")).toHaveText(/0:[0-2][0-9]/);
      await expect(island.getByTestId("island-standing")).toHaveText(/^(?:Ahead \+16\.20|Behind −20\.20|Level 0\.00)$/);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page, "island running");
      await picture(page, info, "island-01-running");
    });

    await test.step("a tap leads to the order, and there it is not said twice", async () => {
      await island.getByRole("link", { name: new RegExp(name) }).click();
      await expect(page).toHaveURL(new RegExp(`orderNo=${up}`));
      await expect(island).toHaveCount(0);
      await open(page, "/pages/notice/index");
      await expect(island).toBeVisible();
    });

    await test.step("it opens into the result by itself, and the time since the settlement is noted", async () => {
      await page.evaluate(noteResult);
      await expect(result).toBeVisible({ timeout: 60_000 });
      await picture(page, info, "island-02-result");
      const { outcome, settledAt } = await orderOf(member, up);
      const [word, profit] = ENDS[outcome ?? "voided"];
      await expect(result.locator(`[data-outcome="${outcome}"]`)).toContainText(word);
      await expect(result.getByTestId("island-profit")).toHaveText(profit);
      await expect(onScreen(page).getByTestId("island-said")).toHaveText(`${name} ended. ${word}: ${profit} USD`);
      await expectAccessible(page, "island result");
      await expectNoSidewaysScroll(page);
      const seenAt = await page.evaluate(() => Number(document.documentElement.dataset["resultAt"]));
      const took = seenAt - (settledAt ?? 0);
      info.annotations.push({ type: "result on screen after settlement, ms", description: String(took) });
    });

    await test.step("it is put away by hand, and does not come back", async () => {
      await result.getByRole("button", { name: "Dismiss results" }).click();
      await expect(result).toHaveCount(0);
      await expect(island).toHaveCount(0);
      await page.reload();
      await expect(onScreen(page).getByRole("main")).toBeVisible();
      await expect(onScreen(page).getByTestId("island-said")).toBeAttached();
      await expect(result).toHaveCount(0);
    });
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

  await test.step("the void at once, saying that everything came back", async () => {
    const voided = result.locator('[data-outcome="voided"]');
    await expect(voided).toContainText("Voided");
    await expect(voided).toContainText("Stake and fee returned");
    await picture(page, info, "island-03-voided");
    await result.getByRole("button", { name: "Dismiss results" }).click();
    await expect(onScreen(page).getByTestId("island")).toContainText("+2");
  });
  await test.step("the three others as the server settled them", async () => {
    await expect(result.getByTestId("island-ended")).toHaveCount(3, { timeout: 60_000 });
    await picture(page, info, "island-04-together");
    const outcomes = await Promise.all(running.map(async ({ orderNo }) => (await orderOf(member, orderNo)).outcome));
    for (const outcome of new Set(outcomes)) {
      const count = outcomes.filter((each) => each === outcome).length;
      await expect(result.locator(`.outcome-mark.${outcome}`)).toHaveCount(count);
    }
    await expectNoSidewaysScroll(page);
  });
  await test.step("one leads to its order, and is seen by that", async () => {
    await result.locator('[data-outcome="tied"]').first().click();
    await expect(onScreen(page).getByTestId("outcome")).toHaveText("Tied");
    await expect(result.getByTestId("island-ended")).toHaveCount(2);
  });
});

/** What 20.00 for 30 s at 82 % with a fee of 1 % comes to. */
const ENDS = {
  won: ["Won", "+16.20"],
  lost: ["Lost", "−20.20"],
  tied: ["Tied", "0.00"],
  voided: ["Voided", "0.00"],
  unrevealed: ["Not revealed", "−20.20"],
} as const;

/** In the page: notes when the first frame with a result was drawn. */
function noteResult(): void {
  new MutationObserver(() => {
    if (document.querySelector('[data-testid="island-result"]') === null) return;
    document.documentElement.dataset["resultAt"] ??= String(Date.now());
  }).observe(document.body, { childList: true, subtree: true });
}
