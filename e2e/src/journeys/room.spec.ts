import type { LanguageCode } from "@fairtick/i18n";
import { userSetLimits } from "@fairtick/protocol";
import type { Locator, Page } from "@playwright/test";
import { expect, logInByStorage, onScreen, open, speak, test } from "../steps/journey.ts";
import { LIVELY, STEADY } from "../steps/market.ts";
import { newMember, placeByCall, valueOf } from "../steps/members.ts";
import { placeByHand } from "../steps/ordering.ts";

/** Height in px of the fade above the foot. */
const FADE_PX = 24;

// Later visits use the app's own font from the start, which is wider than the system's.
test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    localStorage.setItem("fairtickFont", "kept");
  });
});

/** Returns the px between the bottom edges of a part and its visible frame; negative if the part is cut off. */
async function roomBelow(part: Locator, frame: Locator): Promise<number> {
  await fontOf(part.page());
  const [inner, outer] = await Promise.all([part.boundingBox(), frame.boundingBox()]);
  if (inner === null || outer === null) throw new Error("the part isn't on the screen");
  return outer.y + outer.height - (inner.y + inner.height);
}

/** Returns the px between their right edges. */
async function roomBeside(part: Locator, frame: Locator): Promise<number> {
  await fontOf(part.page());
  const [inner, outer] = await Promise.all([part.boundingBox(), frame.boundingBox()]);
  if (inner === null || outer === null) throw new Error("the part isn't on the screen");
  return outer.x + outer.width - (inner.x + inner.width);
}

async function fontOf(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.load('1em "Fairtick Sans"');
    await document.fonts.ready;
  });
}

const pageOf = (page: Page) => onScreen(page).locator("main");

async function openForm(page: Page, language: LanguageCode, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await speak(page, language);
  await open(page, `/pages/trade/trade?symbol=${STEADY.symbol}`);
  await expect(onScreen(page).getByTestId("break-even")).toHaveText(/[0-9]/);
}

test("the order form fits its amount on a small phone and its limit price in a wordy language", async ({
  memberPage: page,
}) => {
  for (const language of ["en", "de"] as const) {
    await openForm(page, language, 320, 568);
    const amount = onScreen(page).locator(".stepper-line");
    expect(await roomBelow(amount, pageOf(page)), language).toBeGreaterThanOrEqual(FADE_PX);
  }
  await openForm(page, "de", 390, 844);
  const limit = onScreen(page).locator(".order-limit");
  expect(await roomBelow(limit, pageOf(page))).toBeGreaterThanOrEqual(FADE_PX);
});

test("the order form shows its durations on the smallest phone, and its limit price on the one above", async ({
  memberPage: page,
}) => {
  for (const language of ["en", "de", "fr"] as const) {
    await openForm(page, language, 320, 568);
    const durations = onScreen(page).locator(".ticket-durations");
    expect(await roomBelow(durations, pageOf(page)), language).toBeGreaterThanOrEqual(0);
    await openForm(page, language, 375, 667);
    const limit = onScreen(page).locator(".order-limit");
    expect(await roomBelow(limit, pageOf(page)), language).toBeGreaterThanOrEqual(0);
  }
});

test("a member's first order form has its chart, and says once that a password is needed", async ({ page }) => {
  await logInByStorage(page, await newMember({ withTradePassword: false }));
  await openForm(page, "en", 360, 740);
  const chart = await onScreen(page).locator(".order-area").boundingBox();
  expect(chart?.height).toBeGreaterThanOrEqual(160);
  await expect(onScreen(page).getByRole("button", { name: "Set a transaction password" })).toBeVisible();
  await expect(onScreen(page).getByText("A transaction password must be set before ordering")).toHaveCount(0);
  expect(await roomBelow(onScreen(page).locator(".order-limit"), pageOf(page))).toBeGreaterThanOrEqual(0);
});

test("all durations are in sight, with space between them, on the smallest phone and on one on its side", async ({
  memberPage: page,
}) => {
  for (const [width, height] of [
    [320, 568],
    [360, 740],
    [667, 375],
  ] as const) {
    for (const language of ["en", "yue"] as const) {
      await page.setViewportSize({ width, height });
      await speak(page, language);
      await open(page, `/pages/trade/index?symbol=${STEADY.symbol}`);
      const durations = onScreen(page).locator(".ticket-durations");
      await expect(durations.getByRole("radio")).toHaveCount(7);
      await fontOf(page);
      const { isCut, gaps } = await durations.evaluate((row) => {
        const segments = row.querySelector(".segments");
        const words = [...row.querySelectorAll(".figure")].map((word) => {
          const range = document.createRange();
          range.selectNodeContents(word);
          return range.getBoundingClientRect();
        });
        return {
          isCut: (segments?.scrollWidth ?? 0) > (segments?.clientWidth ?? 0),
          gaps: words.slice(1).map((word, place) => word.left - (words[place]?.right ?? 0)),
        };
      });
      expect(isCut, `${language} at ${width} px`).toBe(false);
      expect(Math.min(...gaps), `${language} at ${width} px`).toBeGreaterThanOrEqual(2);
    }
  }
});

test("the order form shows its limit price on the usual phone, and the next row is not cut in its middle", async ({
  memberPage: page,
}) => {
  for (const language of ["en", "de", "fr", "yue"] as const) {
    await openForm(page, language, 360, 740);
    const limit = onScreen(page).locator(".order-limit");
    const room = await roomBelow(limit, pageOf(page));
    expect(room, language).toBeGreaterThanOrEqual(FADE_PX);
    // The next part begins within the fade, or is completely visible.
    const words = onScreen(page).locator(".order-form > :last-child > :first-child");
    const below = await roomBelow(words, pageOf(page));
    const height = (await words.boundingBox())?.height ?? 0;
    expect(below >= 0 || below + height <= FADE_PX, `${language}: ${below} of ${height}`).toBe(true);
  }
});

test("what is brought into view in the order form stops clear of the foot", async ({ memberPage: page }) => {
  await openForm(page, "en", 320, 568);
  const limit = onScreen(page).getByRole("switch", { name: "Limit price" });
  expect(await roomBelow(limit, pageOf(page))).toBeLessThan(0);
  await limit.evaluate((element) => {
    element.scrollIntoView({ block: "nearest" });
  });
  await expect.poll(() => roomBelow(limit, pageOf(page))).toBeGreaterThanOrEqual(FADE_PX);
});

test("a running order shows its chart and how it stands whole on small phones, with another one in the island", async ({
  memberPage: page,
}) => {
  const order = { symbol: STEADY.symbol, direction: "Up", amount: "1000", duration: "2 min" } as const;
  await placeByHand(page, order);
  const orderNo = await placeByHand(page, order);
  // The page may still be on its way to the order's screen.
  await expect(onScreen(page).getByTestId("countdown")).toBeVisible();
  for (const language of ["en", "de"] as const) {
    await speak(page, language);
    await open(page, `/pages/trade/trade?orderNo=${orderNo}`);
    for (const [width, height] of [
      [320, 568],
      [375, 667],
      [360, 740],
    ] as const) {
      await page.setViewportSize({ width, height });
      const size = `${language}, ${width} × ${height}`;
      await expect(page.locator(".island")).toBeVisible();
      const chart = onScreen(page).locator(".order-area");
      expect((await chart.boundingBox())?.height, size).toBeGreaterThanOrEqual(104);
      const standing = onScreen(page).getByTestId("standing");
      expect(await roomBelow(standing, pageOf(page)), size).toBeGreaterThanOrEqual(FADE_PX);
      await expect(onScreen(page).getByTestId("countdown")).toBeInViewport({ ratio: 1 });
    }
  }
});

/** Sizes of small phones and of the usual one. */
const PHONES = [
  [320, 568],
  [375, 667],
  [390, 844],
] as const;

const tradeTab = `/pages/trade/index?symbol=${STEADY.symbol}`;

/** Whether a finger on an element's middle and on its lower edge reaches it: nothing else lies there. */
async function isInReach(part: Locator): Promise<boolean> {
  return part.evaluate((element) => {
    const { left, bottom, width, height } = element.getBoundingClientRect();
    return [bottom - height / 2, bottom - 2].every((y) => {
      const hit = document.elementFromPoint(left + width / 2, y);
      return element.contains(hit);
    });
  });
}

test("the trade tab keeps its chart and both buttons in sight on small phones without a connection", async ({
  memberPage: page,
  context,
}) => {
  for (const language of ["en", "de"] as const) {
    await page.setViewportSize({ width: 320, height: 568 });
    await speak(page, language);
    await open(page, tradeTab);
    await expect(onScreen(page).getByTestId("chart")).toHaveAttribute("data-state", "shown");
    await context.setOffline(true);
    const said = onScreen(page).locator(".ticket-said .notice");
    await expect(said).toBeVisible();
    for (const [width, height] of PHONES) {
      await page.setViewportSize({ width, height });
      await fontOf(page);
      const size = `${language}, ${width} × ${height}`;
      const chart = onScreen(page).locator(".price-chart-host");
      expect((await chart.boundingBox())?.height, size).toBeGreaterThanOrEqual(104);
      for (const button of await onScreen(page).locator(".ticket-pair .toward").all()) {
        await expect(button).toBeInViewport({ ratio: 1 });
        expect(await isInReach(button), size).toBe(true);
      }
      // Once, and beside the buttons that are off.
      await expect(said, size).toBeInViewport({ ratio: 1 });
      await expect(onScreen(page).locator(".banner .notice")).toHaveCount(0);
    }
    await context.setOffline(false);
    await expect(said).toHaveCount(0);
  }
  // The offer after the first order takes no room from a chart that has little.
  await page.evaluate(() => {
    localStorage.setItem("fairtickOneTap", "due");
  });
  await page.reload();
  const offer = onScreen(page).locator(".one-tap");
  await expect(offer).toBeVisible();
  await page.setViewportSize({ width: 375, height: 667 });
  await expect(offer).toBeHidden();
  const chart = onScreen(page).locator(".price-chart-host");
  expect((await chart.boundingBox())?.height).toBeGreaterThanOrEqual(120);
});

test("a device's first order keeps password and both buttons in sight on small phones", async ({
  memberPage: page,
  member,
  browser,
}) => {
  await placeByHand(page, { symbol: STEADY.symbol, direction: "Up", amount: "10", duration: "30 s" });
  for (const language of ["en", "de"] as const)
    for (const [width, height] of PHONES) {
      const size = `${language}, ${width} × ${height}`;
      const context = await browser.newContext({ viewport: { width, height }, hasTouch: true, isMobile: true });
      const other = await context.newPage();
      await other.addInitScript(() => {
        localStorage.setItem("fairtickFont", "kept");
      });
      await logInByStorage(other, member);
      await speak(other, language);
      await open(other, tradeTab);
      await expect(onScreen(other).getByTestId("break-even")).toHaveText(/[0-9]/);
      await onScreen(other).locator(".ticket-pair .toward").first().tap();
      await onScreen(other).locator(".ticket-place").tap();
      const step = onScreen(other).locator(".ticket-allow");
      await expect(step.locator("input")).toBeFocused();
      await fontOf(other);
      const said = onScreen(other).locator(".ticket-said .notice");
      for (const part of [said, ...(await step.locator("input, .button").all())]) {
        await expect(part).toBeInViewport({ ratio: 1 });
        expect(await isInReach(part), size).toBe(true);
      }
      const chart = onScreen(other).locator(".price-chart-host");
      if (await chart.isVisible()) expect((await chart.boundingBox())?.height, size).toBeGreaterThanOrEqual(104);
      await step.locator(".ticket-leave").tap();
      await expect(chart).toBeVisible();
      await context.close();
    }
});

test.describe("at a desk of 1440 × 900", () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test("headings of the product list fit on one line in every language", { tag: "@console" }, async ({ page }) => {
    for (const language of ["de", "fr", "xby", "ydl", "yue"] as const) {
      await speak(page, language);
      await open(page, "/pages/trade/index");
      const headings = onScreen(page).locator(".watch-group");
      await expect(headings).toHaveCount(2);
      await fontOf(page);
      for (const heading of await headings.all()) {
        expect((await heading.boundingBox())?.height, language).toBe(28);
        const isCut = await heading.evaluate((element) => element.scrollWidth > element.clientWidth);
        expect(isCut, language).toBe(false);
      }
    }
  });

  test("a chart over the whole screen still says that this is play money", { tag: "@console" }, async ({ page }) => {
    await open(page, "/pages/trade/index");
    await onScreen(page).getByRole("button", { name: "Full screen" }).first().click();
    const pane = onScreen(page).locator(".chart-pane[data-full]");
    await expect.poll(async () => (await pane.boundingBox())?.height).toBe(900 - 22);
    expect(await onTop(page, 100, 10)).toContain("Practice · play money");
    // Nothing that it covers takes the focus, where Enter would press what nobody sees.
    for (let tab = 0; tab < 60; tab += 1) {
      await page.keyboard.press("Tab");
      const covered = await page.evaluate(() => {
        const at = document.activeElement;
        const isSeen = at === null || at === document.body || at.closest(".chart-pane[data-full], .practice") !== null;
        return isSeen ? null : at.outerHTML.slice(0, 120);
      });
      expect(covered).toBeNull();
    }
  });

  test(
    "a member's own limits are visible without scrolling the ticket",
    { tag: "@console" },
    async ({ memberPage: page, member }) => {
      valueOf(await member.client.call(userSetLimits, { dailyStake: "5000", dailyLoss: "2000", sessionMinutes: 120 }));
      for (const language of ["en", "de", "fr"] as const) {
        await speak(page, language);
        await open(page, "/pages/trade/index");
        const limits = onScreen(page).getByTestId("your-limits");
        await expect(limits.locator("progress")).toHaveCount(2);
        const room = await roomBelow(limits, onScreen(page).locator(".ticket-fields"));
        expect(room, language).toBeGreaterThanOrEqual(0);
      }
    },
  );

  test(
    "a result's prices and their difference fit in the ticket",
    { tag: "@console" },
    async ({ memberPage: page, member }) => {
      const { orderNo } = await placeByCall(member, {
        symbol: LIVELY.symbol,
        direction: "up",
        stake: "100.00",
        duration: 30,
      });
      await open(page, `/pages/trade/trade?orderNo=${orderNo}`);
      const facts = onScreen(page).locator(".result-facts .order-split");
      await expect(facts.getByTestId("exit-price")).toHaveText(/[0-9]/, { timeout: 120_000 });
      await fontOf(page);
      const cut = await facts.evaluate((split) =>
        [...split.querySelectorAll("p")]
          .filter((line) => line.scrollWidth > line.clientWidth)
          .map((p) => p.textContent),
      );
      expect(cut).toEqual([]);
      expect(await roomBeside(facts, onScreen(page).locator(".ticket-panel"))).toBeGreaterThanOrEqual(0);
    },
  );
});

test.describe("on a tablet of 768 px", () => {
  test.use({ viewport: { width: 768, height: 1024 } });

  test(
    "the header shows every destination, also in wordy languages",
    { tag: "@console" },
    async ({ memberPage: page }) => {
      for (const language of ["en", "de", "fr"] as const) {
        await speak(page, language);
        await open(page, "/pages/trade/index");
        const places = page.locator(".wide-places");
        await expect(places.getByRole("link")).toHaveCount(5);
        await expect(page.locator(".wide-wallet")).toContainText(/[0-9]/);
        expect(await roomBeside(places.getByRole("link").last(), places), language).toBeGreaterThanOrEqual(0);
      }
    },
  );
});

test("on a phone on its side, full screen gives the chart the whole screen but one row of tools", async ({
  memberPage: page,
}) => {
  await page.setViewportSize({ width: 667, height: 375 });
  await open(page, tradeTab);
  const chart = onScreen(page).locator(".price-chart-host");
  await expect(onScreen(page).getByTestId("chart")).toHaveAttribute("data-state", "shown");
  await onScreen(page).getByRole("button", { name: "Full screen", exact: true }).tap();
  await expect.poll(async () => (await chart.boundingBox())?.width).toBe(667);
  expect((await chart.boundingBox())?.height).toBeGreaterThanOrEqual(375 - 48 - 22);
  // Every screen says that this is play money.
  await expect.poll(() => onTop(page, 100, 10)).toContain("Practice · play money");
  await expect(onScreen(page).getByRole("button", { name: /trend line/i })).toBeInViewport({ ratio: 1 });
  await onScreen(page).getByRole("button", { name: "Leave full screen", exact: true }).tap();
  await expect(onScreen(page).locator(".ticket-pair .toward").first()).toBeInViewport({ ratio: 1 });
});

/** Returns what the topmost element at a point says. */
function onTop(page: Page, x: number, y: number): Promise<string> {
  return page.evaluate(([left, top]) => document.elementFromPoint(left, top)?.textContent ?? "", [x, y] as const);
}

test("what the search for a region takes is read whole on the smallest phone", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  for (const language of ["en", "de", "fr", "yue"] as const) {
    await speak(page, language);
    await open(page, "/pages/index/SelectRegion");
    await fontOf(page);
    const room = await onScreen(page)
      .locator("input[type=search]")
      .evaluate((input: HTMLInputElement) => {
        const { fontSize, fontFamily } = getComputedStyle(input, "::placeholder");
        const pen = Object.assign(document.createElement("canvas").getContext("2d")!, {
          font: `${fontSize} ${fontFamily}`,
        });
        return input.clientWidth - pen.measureText(input.placeholder).width;
      });
    expect(room, language).toBeGreaterThanOrEqual(0);
  }
});
