import { orderDetail } from "@fairtick/protocol";
import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "../steps/journey.ts";
import { STEADY } from "../steps/market.ts";
import { type Member, valueOf } from "../steps/members.ts";
import { placeByHand } from "../steps/ordering.ts";

// What happens to an order if the app is closed right after the house accepted it: the service worker opens the order.

const ORDER = { symbol: STEADY.symbol, direction: "Up", amount: "10" } as const;

test.use({ serviceWorkers: "allow" });

async function detailOf({ client }: Member, orderNo: string) {
  return valueOf(await client.call(orderDetail, { orderNo }));
}

/** Keeps the page from sending reveals itself, as if it were closed first. Closing it in time would be a race. */
function neverReveal(): void {
  const send = window.fetch.bind(window);
  window.fetch = (...args) =>
    new Request(...args).url.includes("order/reveal")
      ? Promise.reject(new TypeError("the page is being closed"))
      : send(...args);
}

/** Waits for the service worker, which is registered a while after the first render. */
async function awaitWorker(page: Page): Promise<void> {
  await page.goto("/#/pages/market/index");
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

async function placeAndClose(page: Page, context: BrowserContext): Promise<string> {
  await context.addInitScript(neverReveal);
  await awaitWorker(page);
  const orderNo = await placeByHand(page, ORDER);
  await page.close();
  return orderNo;
}

test("an order is opened and settled while no page is open", async ({ memberPage: page, member, context }) => {
  test.slow();
  const orderNo = await placeAndClose(page, context);
  expect(await detailOf(member, orderNo)).toMatchObject({ direction: null, sealed: true });
  expect(context.pages()).toEqual([]);
  await expect.poll(async () => (await detailOf(member, orderNo)).direction, { timeout: 30_000 }).toBe("up");
  await expect
    .poll(async () => (await detailOf(member, orderNo)).outcome, { timeout: 90_000 })
    .toMatch(/^(?:won|lost|tied)$/);
  const settled = await detailOf(member, orderNo);
  const profit = { won: "8.10", lost: "-10.10", tied: "0.00" }[settled.outcome as "won" | "lost" | "tied"];
  expect(settled).toMatchObject({ direction: "up", profit });
});

test("Background Sync wakes a service worker that was stopped, which then opens the order", async ({
  memberPage: page,
  member,
  context,
}) => {
  const tab = await context.newPage();
  await tab.goto("/health/live");
  const devtools = await context.newCDPSession(tab);
  const registered = new Promise<{ registrationId: string; scopeURL: string }>((resolve) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) resolve(first);
    });
  });
  await devtools.send("ServiceWorker.enable");
  const orderNo = await placeAndClose(page, context);
  await devtools.send("ServiceWorker.stopAllWorkers");
  const { registrationId, scopeURL } = await registered;
  const origin = new URL(scopeURL).origin;
  expect(await detailOf(member, orderNo)).toMatchObject({ direction: null });
  await devtools.send("ServiceWorker.dispatchSyncEvent", {
    origin,
    registrationId,
    tag: "fairtickOpenOrders",
    lastChance: false,
  });
  await expect.poll(async () => (await detailOf(member, orderNo)).direction, { timeout: 30_000 }).toBe("up");
});
