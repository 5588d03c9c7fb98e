import type { Output, userBalances } from "@fairtick/protocol";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { STEADY } from "../steps/market.ts";
import { placeByCall } from "../steps/members.ts";

const DAY_MS = 86_400_000;

test(
  "home draws the balance of the last 30 days with its highest and lowest, and nothing on a wallet's first day",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    await placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "20.00", duration: 3600 });
    await open(page, "/pages/home/index");
    await expect(onScreen(page).locator(".home-assets")).toContainText("10,000.00");
    await expect(onScreen(page).getByTestId("balance-curve")).toHaveCount(0);
    // No journey lasts a month, so earlier days are added to the server's response.
    await page.route("**/client/user/balances", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: Output<typeof userBalances> };
      const [today] = body.data.days;
      if (today === undefined) throw new Error("the server names no day");
      const before = [...Array(29).keys()].map((place) => ({
        start: today.start - (29 - place) * DAY_MS,
        total: (9_700 + ((place * 7919) % 613)).toFixed(2),
      }));
      body.data.days = [...before, today];
      await route.fulfill({ response: answer, json: body });
    });
    await page.reload();
    const curve = onScreen(page).getByTestId("balance-curve");
    await expect(curve).toBeVisible();
    await expect(curve.locator(".balance-mark")).toHaveCount(2);
    await expect(curve).toHaveAccessibleName(
      /^Balance at the end of each of the last 30 days: from 9,700\.00 to 10,000\.00/,
    );
    for (const width of info.project.name === "phone" ? [320, 360] : [768, 1440]) {
      await page.setViewportSize({ width, height: width === 320 ? 568 : 800 });
      await expectNoSidewaysScroll(page);
      await picture(page, info, `home-curve-${width}`);
    }
    await expectAccessible(page, "home with the balance curve");
  },
);
