import { userSetLimits, userSetSettings } from "@fairtick/protocol";
import { expect, expectToast, onScreen, open, speak, stored, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { LIVELY, scriptedPrice, setPrice, STEADY, steered } from "../steps/market.ts";
import { ordersOf, placeByCall, valueOf } from "../steps/members.ts";
import { fillOrder, place, placeButton, review, sendUntilAccepted } from "../steps/ordering.ts";

const TRADE = `/pages/trade/index?symbol=${LIVELY.symbol}`;

test.use({ viewport: { width: 1440, height: 900 } });

test(
  "at a desk an order is placed by keyboard and followed from Positions to History",
  { tag: "@console" },
  async ({ memberPage: page, member }, info) => {
    const desk = onScreen(page);
    await open(page, TRADE);
    await expect(desk.locator(".chart-pane").getByTestId("live-price")).toHaveText(/[0-9]/);
    await expect(desk.getByTestId("chart")).toHaveAttribute("data-state", "shown");
    await expect(desk.getByTestId("price-state")).toHaveText("Prices live");
    await expect(desk.getByTestId("log-state")).toHaveText(/^Log size [0-9,]+, witnessed [0-9]+ s ago$/);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page, "desk");

    await expect(desk.getByTestId("seal-promise")).toHaveText(
      "We can’t see your direction until we’ve accepted your order.",
    );

    await test.step("a product is found, selected and opened without a mouse", async () => {
      await page.keyboard.press("/");
      await expect(desk.getByRole("searchbox", { name: "Search products" })).toBeFocused();
      await page.keyboard.type("yen");
      await page.keyboard.press("ArrowDown");
      await expect(desk.locator(`[data-symbol=${STEADY.symbol}] a`)).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(new RegExp(`symbol=${STEADY.symbol}$`));
      await expect(desk.getByRole("region", { name: `Chart, ${STEADY.name}` })).toBeVisible();
    });

    await test.step("letters are typed into a focused text field, and a single key places nothing", async () => {
      const search = desk.getByRole("searchbox", { name: "Search products" });
      await search.fill("");
      await search.press("u");
      await expect(search).toHaveValue("u");
      await expect(desk.getByTestId("confirm")).toHaveCount(0);
      await search.fill("");
      await search.blur();
      await page.keyboard.press("1");
      await expect(desk.getByRole("radio", { name: /^30 s/ })).toBeChecked();
      await page.keyboard.press("s");
      await expect(desk.getByRole("textbox", { name: "Amount" })).toBeFocused();
      await page.keyboard.type("20");
      await page.keyboard.press("Enter");
      await page.keyboard.press("-");
      await expect(desk.getByRole("textbox", { name: "Amount" })).toHaveValue("10.00");
      await page.keyboard.press("u");
      await expect(desk.getByTestId("confirm")).toContainText("Up: exit above entry");
      await expect(desk.getByTestId("confirm").getByTestId("pays")).toHaveText("+8.10");
      await page.keyboard.press("Escape");
      await expect(desk.getByTestId("confirm")).toHaveCount(0);
      expect(await ordersOf(member)).toEqual([]);
    });

    await test.step("U and Enter place the order, and Positions counts it down", async () => {
      await page.keyboard.press("u");
      await expect(desk.getByTestId("confirm").getByRole("button", { name: /^Place order/ })).toBeFocused();
      await picture(page, info, "desk-01-confirm");
      await sendUntilAccepted(page, () => page.keyboard.press("Enter"));
      const row = desk.getByTestId("desk-position");
      await expect(row).toContainText(STEADY.name);
      await expect(row).toContainText(/0:[0-2][0-9]/);
      await expect(desk.getByTestId("ticket")).toBeVisible();
      await picture(page, info, "desk-02-running");
    });

    await test.step("it stays for two minutes with a badge and is in History", async () => {
      const ended = desk.getByTestId("desk-ended");
      await expect(ended).toContainText("Tied", { timeout: 90_000 });
      await expect(desk.getByTestId("desk-position")).toHaveCount(0);
      await expect(desk.getByTestId("ticket").getByTestId("one-tap")).toBeVisible();
      await page.keyboard.press("Alt+2");
      await expect(desk.getByRole("tab", { name: "History" })).toHaveAttribute("aria-selected", "true");
      await expect(desk.getByTestId("desk-settled")).toHaveCount(1);
      await expect(desk.getByTestId("desk-settled")).toContainText("Tied");
    });

    await test.step("the narrowest dock cuts off no column", async () => {
      await page.setViewportSize({ width: 1200, height: 900 });
      const cutOff = () => desk.locator(".dock-body").evaluate((body) => body.scrollWidth - body.clientWidth);
      await expect.poll(cutOff).toBe(0);
      await page.keyboard.press("Alt+3");
      await expect(desk.getByTestId("desk-fund").first()).toBeVisible();
      expect(await cutOff()).toBe(0);
      await page.keyboard.press("Alt+2");
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    await test.step("its row opens the result", async () => {
      await desk.getByTestId("desk-settled").getByRole("link").click();
      await expect(desk.getByTestId("outcome")).toHaveText("Tied");
      await expect(desk.getByTestId("result").getByTestId("one-tap")).toBeVisible();
    });
  },
);

test(
  "a desk keeps its panels' sizes over a reload, separately for each width, and resets a broken layout",
  { tag: "@console" },
  async ({ memberPage: page }, info) => {
    const desk = onScreen(page);
    const gap = desk.getByRole("separator", { name: "Width of the watchlist" });
    const watchlist = desk.getByRole("region", { name: "Watchlist" });
    const width = async () => (await watchlist.boundingBox())?.width;
    await open(page, TRADE);
    await expect(watchlist).toBeVisible();
    expect(await width()).toBe(264);

    await test.step("panels are resized by arrows and by drag, and reset by a double click", async () => {
      await gap.press("ArrowRight");
      await expect.poll(width).toBe(272);
      await gap.dblclick();
      await expect.poll(width).toBe(264);
      const { x, y } = (await gap.boundingBox())!;
      await page.mouse.move(x + 4, y + 300);
      await page.mouse.down();
      await page.mouse.move(x + 44, y + 300, { steps: 4 });
      await page.mouse.up();
      await expect.poll(width).toBe(304);
    });
    await test.step("a reload and another width", async () => {
      await page.reload();
      await expect.poll(width).toBe(304);
      await page.setViewportSize({ width: 1800, height: 900 });
      await expect(desk.locator(".chart-pane")).toHaveCount(2);
      await expect.poll(width).toBe(288);
      await expect(desk.getByText("Ticket follows this chart")).toHaveCount(1);
      await picture(page, info, "desk-03-wide");
      await page.setViewportSize({ width: 1024, height: 768 });
      await expect(watchlist.getByRole("button", { name: "Search products" })).toBeVisible();
      await expectNoSidewaysScroll(page);
      await page.setViewportSize({ width: 1440, height: 900 });
      await expect.poll(width).toBe(304);
    });
    await test.step("the gear resets the layout", async () => {
      await desk.getByRole("button", { name: "Chart and layout" }).click();
      await desk.getByRole("button", { name: "Reset layout" }).click();
      await expect.poll(width).toBe(264);
    });
    await test.step("an unreadable layout is replaced by the default", async () => {
      for (const broken of ["{", '{"version":0,"layouts":{"desk":{"watch":300}}}', '{"version":1,"layouts":[]}']) {
        await page.evaluate((text) => {
          localStorage.setItem("fairtickDesk", text);
        }, broken);
        await page.reload();
        await expect.poll(width).toBe(264);
      }
      await gap.press("ArrowRight");
      expect(await stored(page, "fairtickDesk")).toContain('"watch":272');
    });
  },
);

test(
  "two linked charts share their drawings and their undo history",
  { tag: "@console" },
  async ({ memberPage: page }, info) => {
    const desk = onScreen(page);
    await page.setViewportSize({ width: 1800, height: 900 });
    await open(page, TRADE);
    const pane = (place: "main" | "second") => desk.locator(`.chart-pane[data-place=${place}]`);
    const undo = (place: "main" | "second") => pane(place).getByRole("button", { name: "Undo" });
    for (const place of ["main", "second"] as const)
      await expect(pane(place).getByTestId("chart")).toHaveAttribute("data-state", "shown");
    await pane("second").getByRole("button", { name: "1m", exact: true }).click();
    await expect(pane("second").getByTestId("chart")).toHaveAttribute("data-drawn", "1m");
    await expect(undo("second")).toBeDisabled();

    await pane("main").getByRole("button", { name: "Trend line" }).click();
    const box = (await pane("main").locator(".price-chart-host").boundingBox())!;
    await page.mouse.click(box.x + box.width * 0.3, box.y + box.height * 0.6);
    await page.mouse.click(box.x + box.width * 0.7, box.y + box.height * 0.3);
    await expect(undo("second")).toBeEnabled();
    // The other chart shows a crosshair at the same time.
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
    await picture(page, info, "desk-04-shared-drawing");

    await undo("second").click();
    await expect(undo("main")).toBeDisabled();
    expect(await stored(page, "fairtickDrawings")).toBe("{}");
    await page.keyboard.press("Control+Shift+Z");
    await expect(undo("main")).toBeEnabled();
  },
);

test("a desk lists all its keys and jumps with Ctrl K", { tag: "@console" }, async ({ memberPage: page }) => {
  const desk = onScreen(page);
  await open(page, TRADE);
  await expect(desk.getByTestId("chart")).toHaveAttribute("data-state", "shown");
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Shortcuts" });
  await expect(sheet).toContainText("Place the order from the confirm step");
  await expectAccessible(page, "desk shortcuts");
  await page.keyboard.press("u");
  await expect(desk.getByTestId("confirm"), "keys stay under the sheet").toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await page.keyboard.press("i");
  const indicators = page.getByRole("dialog", { name: "Chart tools" });
  await expect(indicators).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(indicators).toHaveCount(0);
  await page.keyboard.press("ArrowDown");
  await expect(desk.locator(".watch-row > a:focus"), "the screen has the focus again").toHaveCount(1);
  await page.keyboard.press("t");
  await expect(desk.getByRole("button", { name: "Trend line" })).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Control+k");
  const jump = page.getByRole("dialog", { name: "Jump to a product, page or order" });
  await expect(jump.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("bitcoin");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/symbol=BTCUSD/);
  await expect(desk.getByRole("region", { name: "Chart, BTC/USD" })).toBeVisible();
});

test(
  "a direction key with Shift places one order at once if confirmation is off, and never one without it",
  { tag: "@console" },
  async ({ memberPage: page, member }) => {
    const desk = onScreen(page);
    const confirm = desk.getByTestId("confirm");
    const placed = async () => {
      const orders = await ordersOf(member);
      const of = (side: "up" | "down") => orders.filter(({ direction }) => direction === side).length;
      return { all: orders.length, up: of("up"), down: of("down") };
    };
    const openTicket = async () => {
      await open(page, `/pages/trade/index?symbol=${STEADY.symbol}`);
      await expect(desk.getByRole("button", { name: /^Up/ })).toContainText("if higher");
    };
    await openTicket();
    await test.step("with confirmation on, it asks", async () => {
      await page.keyboard.press("Shift+U");
      await expect(confirm).toContainText("Up: exit above entry");
      expect((await placed()).all).toBe(0);
      await page.keyboard.press("Escape");
      await expect(confirm).toHaveCount(0);
    });
    valueOf(await member.client.call(userSetSettings, { confirmOrders: "false" }));
    await page.reload();
    await openTicket();
    await expect(desk.getByRole("switch", { name: "Order confirmation" })).not.toBeChecked();
    await test.step("the letter alone still asks", async () => {
      await page.keyboard.press("d");
      await expect(confirm).toContainText("Down: exit below entry");
      expect((await placed()).all).toBe(0);
      await page.keyboard.press("Escape");
      await expect(confirm).toHaveCount(0);
    });
    await test.step("with Shift it places one, however long it is held", async () => {
      await page.keyboard.down("Shift");
      for (let times = 0; times < 5; times += 1) await page.keyboard.down("U");
      await expectToast(page, "Order successful");
      for (let times = 0; times < 5; times += 1) await page.keyboard.down("U");
      await page.keyboard.up("U");
      await page.keyboard.up("Shift");
      await expect(desk.getByTestId("desk-position")).toHaveCount(1);
      await expect.poll(placed).toEqual({ all: 1, up: 1, down: 0 });
      await page.keyboard.press("Shift+D");
      await expectToast(page, "Order successful");
      await expect(confirm).toHaveCount(0);
      await expect(desk.getByTestId("desk-position")).toHaveCount(2);
      await expect.poll(placed).toEqual({ all: 2, up: 1, down: 1 });
    });
  },
);

test(
  "F6 moves the focus through a desk's panels, out of text fields too, and with Shift back",
  { tag: "@console" },
  async ({ memberPage: page }) => {
    const desk = onScreen(page);
    await open(page, TRADE);
    await expect(desk.getByTestId("chart")).toHaveAttribute("data-state", "shown");
    await expect(desk.getByRole("button", { name: /^Up/ })).toContainText("if higher");
    const panels = ["Watchlist", `Chart, ${LIVELY.name}`, "Orders and funds", "New order"];
    const focused = () =>
      page.evaluate(() => document.activeElement?.closest(".workspace .panel")?.getAttribute("aria-label"));
    for (const panel of [...panels, ...panels.slice(0, 2)]) {
      await page.keyboard.press("F6");
      await expect.poll(focused).toBe(panel);
    }
    for (const panel of [...panels.slice(0, 1), ...panels.toReversed()]) {
      await page.keyboard.press("Shift+F6");
      await expect.poll(focused).toBe(panel);
    }
    await desk.getByRole("textbox", { name: "Amount" }).focus();
    await page.keyboard.press("F6");
    await expect.poll(focused).toBe("Watchlist");
  },
);

test(
  "at a desk, stopped prices show their age in seconds, and both directions say why they are disabled",
  { tag: "@console" },
  async ({ memberPage: page }, info) => {
    const desk = onScreen(page);
    const { symbol } = steered(info.project.name, "stops");
    const price = await scriptedPrice(symbol);
    const state = desk.getByTestId("price-state");
    const up = desk.getByRole("button", { name: /^Up/ });
    await open(page, `/pages/trade/index?symbol=${symbol}`);
    await expect(state).toHaveText("Prices live");
    await expect(up).toContainText("+84.00 if higher");
    try {
      await setPrice(symbol, null);
      await expect(state).toHaveText(/^Prices [0-9]+ s old$/);
      await expect(up).toHaveAttribute("aria-disabled", "true");
      await expect(up).toContainText("Price out of date");
      await page.keyboard.press("u");
      await expect(desk.getByTestId("confirm")).toHaveCount(0);
      await expectToast(page, "The price of this product is out of date");
      await expectAccessible(page, "desk with old prices");
      await picture(page, info, "desk-04-old-prices");
    } finally {
      await setPrice(symbol, price);
    }
    await expect(state).toHaveText("Prices live");
    await expect(up).not.toHaveAttribute("aria-disabled", "true");
  },
);

test(
  "the ticket at a desk shows the member's own limits and how much of them today has used",
  { tag: "@console" },
  async ({ memberPage: page, member }, info) => {
    const limits = onScreen(page).getByTestId("your-limits");
    await open(page, TRADE);
    await expect(onScreen(page).getByTestId("ticket")).toBeVisible();
    await expect(limits).toHaveCount(0);
    valueOf(
      await member.client.call(userSetLimits, { dailyStake: "500.00", dailyLoss: "200.00", sessionMinutes: "30" }),
    );
    await page.reload();
    await expect(limits).toContainText("Staked today0.00 of 500.00");
    await placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "20.00" });
    await expect(limits).toContainText("Staked today20.00 of 500.00");
    await expect(limits).toContainText("Lost or at risk today20.00 of 200.00");
    await expectAccessible(page, "desk with limits");
    await picture(page, info, "desk-05-limits");
    // The order has tied, so none of it is at risk any more.
    await expect(limits).toContainText("Lost or at risk today0.00 of 200.00", { timeout: 90_000 });
    await expect(limits).toContainText("Staked today20.00 of 500.00");
    await limits.getByRole("link", { name: "Change" }).click();
    await expect(page).toHaveTitle("Responsible trading");
  },
);

test(
  "a desk's ticket says what is wrong with an amount once, at the amount",
  { tag: "@console" },
  async ({ memberPage: page }, info) => {
    const ticket = onScreen(page).getByTestId("ticket");
    const up = ticket.getByRole("button", { name: /^Up/ });
    await open(page, TRADE);
    await expect(up).toContainText("if higher");
    await ticket.getByRole("textbox", { name: "Amount" }).fill("5000");
    await expect(up).toHaveAttribute("aria-disabled", "true");
    await expect(ticket.getByRole("alert")).toHaveText("The maximum order amount is $1,000.00");
    await expect(up).not.toContainText("too high");
    await picture(page, info, "desk-06-amount-too-high");
  },
);

test(
  "a desk that is still loading already says that it is practice",
  { tag: "@console" },
  async ({ memberPage: page }) => {
    let load = () => undefined as void;
    const held = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route("**/assets/Workspace-*.js", async (route) => {
      await held;
      await route.continue();
    });
    await open(page, TRADE);
    await expect(onScreen(page).getByRole("main")).toHaveAttribute("aria-busy", "true");
    await expect(onScreen(page).getByText("Practice · play money")).toBeVisible();
    load();
    await expect(onScreen(page).locator(".chart-pane").getByTestId("live-price")).toHaveText(/[0-9]/);
    await expect(onScreen(page).getByText("Practice · play money")).toHaveCount(1);
  },
);

test.describe("on a tablet", () => {
  test.use({ viewport: { width: 1024, height: 768 }, hasTouch: true });

  test(
    "orders placed from the trade screen run and end, with their results in view, in both orientations",
    { tag: "@console" },
    async ({ memberPage: page }, info) => {
      const desk = onScreen(page);
      const running = page.getByTestId("desk-position");
      const ended = page.getByTestId("desk-ended");
      const placeOne = async (direction: "Up" | "Down") => {
        await open(page, `/pages/trade/index?symbol=${STEADY.symbol}`);
        await expect(desk.getByRole("button", { name: /^Up/ })).toContainText("if higher");
        await fillOrder(page, { direction, amount: "20" });
        for (const name of [/^Up/, /^Down/])
          await expect(desk.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
        await review(page);
        await expect(placeButton(page)).toBeInViewport({ ratio: 1 });
        await place(page);
      };
      const expectResult = async () => {
        await expect(desk.getByTestId("outcome")).toHaveText("Tied");
        await expect(desk.getByTestId("outcome")).toBeInViewport({ ratio: 1 });
        await expect(desk.getByTestId("profit")).toContainText("0.00");
        await expect(desk.getByTestId("profit")).toBeInViewport({ ratio: 1 });
        await expectNoSidewaysScroll(page);
      };

      await test.step("beside the chart", async () => {
        await placeOne("Up");
        await expect(running).toContainText(/0:[0-2][0-9]/);
        await expect(running).toBeInViewport({ ratio: 1 });
        await picture(page, info, "desk-07-tablet-running");
        await expect(ended).toContainText("Tied", { timeout: 90_000 });
        await expect(ended).toBeInViewport({ ratio: 1 });
        await expect(ended.getByTestId("desk-verified")).toBeVisible({ timeout: 15_000 });
        await ended.getByRole("link").tap();
        await expectResult();
        await picture(page, info, "desk-07-tablet-result");
      });
      await test.step("below it", async () => {
        await page.setViewportSize({ width: 768, height: 1024 });
        await placeOne("Down");
        await desk.getByRole("button", { name: "Orders and funds" }).tap();
        await expect(running).toContainText(/0:[0-2][0-9]/);
        await expect(running).toBeInViewport({ ratio: 1 });
        await expect(running).toHaveCount(0, { timeout: 90_000 });
        await expect(ended.first()).toContainText("Tied");
        await ended.first().getByRole("link").tap();
        await expectResult();
        await picture(page, info, "desk-08-upright-result");
      });
    },
  );
});

test(
  "at a desk with little room no chart tool is cut, and the dock starts collapsed below 720 px of height",
  { tag: "@console" },
  async ({ memberPage: page }, info) => {
    const desk = onScreen(page);
    const layout = (watch: number, ticket: number) =>
      JSON.stringify({ version: 1, layouts: { desk: { watch, ticket }, wide: { charts: 0.3 } } });
    /** Returns the buttons of the chart's rows that exceed their row or lie in another one's place. */
    const cutTools = () =>
      desk.locator(".chart-pane").evaluateAll((panes) =>
        panes.flatMap((pane) => {
          const edge = pane.getBoundingClientRect();
          return [...pane.querySelectorAll(".pane-head > *, .pane-acts > *, .pane-tools > *, .chart-intervals > *")]
            .filter((part) => {
              const { left, right, width } = part.getBoundingClientRect();
              const isCut = part.matches(".chart-intervals") && part.scrollWidth > part.clientWidth;
              return width > 0 && (left < edge.left || right > edge.right || isCut);
            })
            .map((part) => part.getAttribute("aria-label") ?? part.textContent);
        }),
      );
    for (const language of ["en", "de", "fr", "xby"] as const)
      for (const [width, watch, ticket] of [
        [1200, 264, 312],
        [1200, 360, 400],
        [1240, 264, 312],
        [1280, 264, 312],
        [1320, 264, 312],
        [1366, 264, 312],
        [1440, 264, 312],
        [1440, 224, 296],
        [1800, 288, 336],
      ] as const) {
        await page.setViewportSize({ width, height: 720 });
        await speak(page, language);
        await page.evaluate(
          (stored) => {
            localStorage.setItem("fairtickDesk", stored);
          },
          layout(watch, ticket),
        );
        await open(page, TRADE);
        await expect(desk.getByTestId("price-state").first()).toBeVisible();
        await expect.poll(cutTools, `${language}, ${width} px, panels of ${watch} and ${ticket}`).toEqual([]);
      }
    await speak(page, "en");
    await page.evaluate(() => {
      localStorage.removeItem("fairtickDesk");
    });
    await page.setViewportSize({ width: 1280, height: 720 });
    await open(page, TRADE);
    const body = desk.locator(".dock-body");
    const chart = desk.locator(".price-chart-host");
    await expect(body).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 700 });
    await expect(body).toBeHidden();
    expect((await chart.boundingBox())?.height).toBeGreaterThan(320);
    await picture(page, info, "desk-08-low");

    await test.step("pressing a tab opens it there, and a reload collapses it again", async () => {
      await desk.getByRole("tab", { name: "History" }).click();
      await expect(body).toBeVisible();
      await page.reload();
      await expect(desk.getByRole("tab", { name: "History" })).toBeVisible();
      await expect(body).toBeHidden();
      await page.setViewportSize({ width: 1280, height: 720 });
      await expect(body).toBeVisible();
    });
  },
);
