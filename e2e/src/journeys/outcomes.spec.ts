import { expect, onScreen, open, test } from "../steps/journey.ts";
import { moved, scriptedPrice, setPrice, STEADY, steered } from "../steps/market.ts";
import { placeByCall, summaryOf } from "../steps/members.ts";
import { picture } from "../steps/look.ts";
import { expectOutcome, placeByHand } from "../steps/ordering.ts";

test(
  "of three orders over 60 s one wins, one loses, one ties, and the wallet adds up",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    const { symbol, name } = steered(info.project.name, "moves");
    const price = await scriptedPrice(symbol);

    const up = await placeByHand(page, { symbol, direction: "Up", amount: "20", duration: "60 s" });
    await expect(onScreen(page).getByTestId("entry-price")).toHaveText(price);
    const down = await placeByHand(page, { symbol, direction: "Down", amount: "10", duration: "60 s" });
    await expect(onScreen(page).getByTestId("entry-price")).toHaveText(price);
    const level = await placeByCall(member, {
      symbol: STEADY.symbol,
      direction: "up",
      stake: "33.33",
      duration: 60,
    });

    await test.step("all three run and show their current profit", async () => {
      await onScreen(page).getByRole("button", { name: "See all positions" }).click();
      const positions = onScreen(page).getByTestId("position");
      await expect(positions).toHaveCount(3);
      await setPrice(symbol, moved(price, 25));
      await expect(positions.filter({ hasText: name }).filter({ hasText: "+16.80" })).toHaveCount(1);
      await expect(positions.filter({ hasText: name }).filter({ hasText: "−10.10" })).toHaveCount(1);
      // Held: 20.20 + 10.10 + 33.66.
      await expect(onScreen(page).locator(".orders-sums")).toContainText("63.96");
      await picture(page, info, "outcomes-01-positions");
    });

    await test.step("won: amount and profit are paid out", async () => {
      await open(page, `/pages/trade/trade?orderNo=${up}`);
      await expectOutcome(page, "Won");
      await expect(onScreen(page).getByTestId("profit")).toContainText("+16.80");
      await expect(onScreen(page).getByTestId("entry-price")).toHaveText(price);
      await expect(onScreen(page).getByTestId("exit-price")).toHaveText(moved(price, 25));
    });

    await test.step("lost: amount and fee are kept", async () => {
      await open(page, `/pages/trade/trade?orderNo=${down}`);
      await expectOutcome(page, "Lost");
      await expect(onScreen(page).getByTestId("profit")).toContainText("−10.10");
      await picture(page, info, "outcomes-02-lost");
    });

    await test.step("tied: amount and fee are returned", async () => {
      await open(page, `/pages/trade/trade?orderNo=${level.orderNo}`);
      await expectOutcome(page, "Tied");
      await expect(onScreen(page).getByTestId("profit")).toContainText("0.00");
      // 10,000.00 + 16.80 − 10.10 + 0.00
      await expect(onScreen(page).getByTestId("available-now")).toContainText("10,006.70");
      await picture(page, info, "outcomes-03-tied");
    });

    await test.step("the history totals and filters them", async () => {
      await onScreen(page).getByRole("button", { name: "Close" }).click();
      await expect(onScreen(page).getByTestId("settled")).toHaveCount(3);
      await expect(onScreen(page).getByTestId("totals")).toContainText("Net, 3 orders");
      await expect(onScreen(page).getByTestId("totals")).toContainText("+6.70");
      await onScreen(page).getByLabel("Outcome").selectOption({ label: "Tied" });
      await expect(onScreen(page).getByTestId("settled")).toHaveCount(1);
      await expect(onScreen(page).getByTestId("settled")).toContainText("Tied, returned");
    });

    await test.step("fund details list each movement", async () => {
      await open(page, "/pages/assets/index");
      const records = onScreen(page).getByTestId("fund-record");
      for (const amount of ["+37.00", "+33.66", "−33.66", "−20.20", "−10.10", "+10,000.00"])
        await expect(records.filter({ hasText: amount })).toHaveCount(1);
      await expect(records).toHaveCount(6);
    });

    const summary = await summaryOf(member);
    expect(summary).toMatchObject({ available: "10006.70", locked: "0.00", todayProfit: "6.70", openPositions: 0 });
  },
);
