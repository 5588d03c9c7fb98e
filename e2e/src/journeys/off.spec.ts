import { marketInstruments } from "@fairtick/protocol";
import type { Page } from "@playwright/test";
import { refuse, REFUSAL, steerStream } from "../steps/faults.ts";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { STEADY } from "../steps/market.ts";
import { clientOf, ordersOf, valueOf } from "../steps/members.ts";
import { sendUntilAccepted } from "../steps/ordering.ts";

const ticket = (page: Page) => onScreen(page).getByTestId("ticket");
const confirm = (page: Page) => onScreen(page).getByTestId("confirm");
/** The button is “Buy up” under a phone's chart and “Up” with its payout at a desk. */
const up = (page: Page) => ticket(page).getByRole("button", { name: /^(?:Buy up|Up)/ });
const place = (page: Page) => confirm(page).getByRole("button", { name: /^Place order/ });

/** Opens the trade screen and changes every field of its ticket. */
async function fillTicket(page: Page): Promise<void> {
  await open(page, `/pages/trade/index?symbol=${STEADY.symbol}`);
  await expect(up(page)).not.toHaveAttribute("aria-disabled", "true");
  await ticket(page).getByRole("textbox", { name: "Amount" }).fill("37.50");
  await ticket(page).getByText("5 min", { exact: true }).click();
}

async function expectFilled(page: Page): Promise<void> {
  await expect(ticket(page).getByRole("textbox", { name: "Amount" })).toHaveValue("37.50");
  await expect(ticket(page).getByRole("radio", { name: /^5 min/ })).toBeChecked();
}

async function expectOff(page: Page, said: string): Promise<void> {
  await expect(ticket(page).getByRole("alert")).toContainText(said);
  await expect(up(page)).toHaveAttribute("aria-disabled", "true");
  await expectFilled(page);
  await expectNoSidewaysScroll(page);
}

async function expectOn(page: Page): Promise<void> {
  await expect(up(page)).not.toHaveAttribute("aria-disabled", "true");
  await expect(ticket(page).getByRole("alert")).toHaveCount(0);
  await expectFilled(page);
}

test(
  "the trade screen and the confirmation report a price that stops, and nothing typed is lost",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    const stream = await steerStream(page);
    await fillTicket(page);
    stream.stopPrices();
    await expectOff(page, "The price of this product is out of date");
    await expectAccessible(page, "trade screen with an old price");
    await picture(page, info, "off-01-old-price");
    stream.goOn();
    await expectOn(page);
    await up(page).click();
    await expect(place(page)).toBeFocused();
    stream.stopPrices();
    await expect(place(page)).toHaveAttribute("aria-disabled", "true");
    await expect(confirm(page).getByRole("alert")).toContainText("The price of this product is out of date");
    await picture(page, info, "off-02-old-price-confirming");
    stream.goOn();
    await expect(place(page)).not.toHaveAttribute("aria-disabled", "true");
    await sendUntilAccepted(page, () => place(page).click());
    expect((await ordersOf(member)).map(({ stake, duration }) => [stake, duration])).toEqual([["37.50", 300]]);
  },
);

test(
  "the trade screen reports a product that closes, and the ticket is unchanged when it opens",
  { tag: "@desk" },
  async ({ memberPage: page }, info) => {
    const stream = await steerStream(page);
    const instruments = valueOf(await clientOf(null).call(marketInstruments, {}));
    const instrument = instruments.find(({ symbol }) => symbol === STEADY.symbol);
    if (instrument === undefined) throw new Error(`${STEADY.symbol} is not offered`);
    await fillTicket(page);
    // The house still says that it is open, so the app may not ask again.
    await page.route("**/client/market/instruments", () => undefined);
    const nextChange = Date.now() + 3_600_000;
    stream.tell({ t: "instrument", d: { ...instrument, open: false, nextChange } });
    await expectOff(page, "This product is closed for orders right now");
    await picture(page, info, "off-03-closed");
    stream.tell({ t: "instrument", d: { ...instrument, suspended: true } });
    await expectOff(page, "New orders on this product are suspended");
    stream.tell({ t: "instrument", d: instrument });
    await expectOn(page);
  },
);

test(
  "the trade screen reports a lost connection, and the ticket is unchanged when it is back",
  { tag: "@desk" },
  async ({ memberPage: page, context }, info) => {
    await fillTicket(page);
    await context.setOffline(true);
    await expectOff(page, "No connection. Nothing was held.");
    await picture(page, info, "off-04-offline");
    await context.setOffline(false);
    await expectOn(page);
  },
);

test(
  "a refused order is reported where it was placed, and the ticket stays unchanged",
  { tag: "@desk" },
  async ({ memberPage: page, member }, info) => {
    await fillTicket(page);
    await up(page).click();
    await refuse(page, "order/place");
    await place(page).click();
    await expect(confirm(page).getByRole("alert")).toContainText(REFUSAL);
    await expect(confirm(page).getByRole("alert")).toContainText("nothing was held");
    await picture(page, info, "off-05-refused");
    await page.unrouteAll();
    await page.keyboard.press("Escape");
    await expectOn(page);
    await up(page).click();
    await sendUntilAccepted(page, () => place(page).click());
    expect((await ordersOf(member)).map(({ stake }) => stake)).toEqual(["37.50"]);
  },
);
