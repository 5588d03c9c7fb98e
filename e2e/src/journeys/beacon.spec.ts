import { execFileSync } from "node:child_process";
import { marketTicks } from "@fairtick/protocol";
import { type Product, startProduct } from "../product.ts";
import { test as base, expect, onScreen } from "../steps/journey.ts";
import { picture } from "../steps/look.ts";
import { LIVELY } from "../steps/market.ts";
import { type Member, orderOf, placeByCall, summaryOf, valueOf } from "../steps/members.ts";
import { expectOutcome, openOrderForm, placeByHand } from "../steps/ordering.ts";

/** A product of this journey's own, because it stops all prices. */
const test = base.extend<object, { readonly product: Product }>({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from it what a fixture needs: here nothing
    async ({}, use) => {
      const product = await startProduct({ MARKET_SOURCES: "simulated" });
      // API calls go to this product too; no other journey uses this worker.
      process.env["JOURNEY_URL"] = product.url;
      await use(product);
      await product.stop();
    },
    { scope: "worker", auto: true, timeout: 240_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
});

function beaconOf({ dataDir }: Product): number {
  const found = execFileSync("pgrep", ["-f", `roles/beacon.ts --folder ${dataDir}/beacon`], { encoding: "utf8" });
  return Number.parseInt(found, 10);
}

interface Health {
  readonly accepting: boolean;
  readonly degraded: readonly { readonly part: string; readonly cause: string }[];
}

async function health({ url }: Product): Promise<Health> {
  return (await (await fetch(`${url}/health/ready`)).json()) as Health;
}

/** Counts the prices from an order's entry on, including the entry. */
async function pricesSince(member: Member, symbol: string, orderNo: string): Promise<number> {
  const { entryAt } = await orderOf(member, orderNo);
  if (entryAt === null) return 0;
  const span = { symbol, from: BigInt(entryAt), to: BigInt(entryAt + 60_000) };
  return valueOf(await member.client.call(marketTicks, span)).length;
}

test("a stopped beacon stops prices, members read why, the running order is voided, and everything recovers", async ({
  memberPage: page,
  member,
  product,
}, info) => {
  const { symbol } = LIVELY;
  const beacon = beaconOf(product);
  const orderNo = await placeByHand(page, { symbol, direction: "Up", amount: "25" });
  await expect(onScreen(page).getByTestId("entry-price")).toHaveText(/[0-9]/);
  // Wait for a price after the entry, so that the order is voided because of that price's age.
  await expect.poll(() => pricesSince(member, symbol, orderNo)).toBeGreaterThan(1);
  try {
    // A stopped process keeps its port but never answers, so requests to it time out.
    process.kill(beacon, "SIGSTOP");

    await test.step("members read why, and no order is accepted", async () => {
      const visitor = await page.context().newPage();
      await openOrderForm(visitor, symbol);
      await expect(onScreen(visitor).getByText(/Waiting for the beacon since \d\d:\d\d:\d\d/)).toBeVisible();
      await picture(visitor, info, "beacon-01-away");
      await visitor.close();
      await expect(placeByCall(member, { symbol, direction: "up", stake: "25.00" })).rejects.toThrow(
        // The price is refused as stale at once; a few seconds later the house accepts no orders at all.
        /The price of this product is out of date|This isn’t possible right now/,
      );
    });

    await test.step("the health report says why", async () => {
      await expect.poll(async () => (await health(product)).accepting).toBe(false);
      // Missing prices are detected independently, either before or after the beacon.
      await expect
        .poll(async () => (await health(product)).degraded.find(({ part }) => part === "beacon")?.cause)
        .toContain("the randomness beacon does not answer");
    });

    await test.step("the running order is voided by the published rule", async () => {
      await expectOutcome(page, "Voided");
      await expect(
        onScreen(page).getByText("The last price before expiry was too old to decide the order."),
      ).toBeVisible();
      await picture(page, info, "beacon-02-voided");
      expect((await orderOf(member, orderNo)).voidReason).toBe("STALE_EXIT");
      expect(await summaryOf(member)).toMatchObject({ available: "10000.00", locked: "0.00" });
    });
  } finally {
    process.kill(beacon, "SIGCONT");
  }

  await test.step("the beacon answers again: prices resume and decide the next order", async () => {
    // On a busy machine, the log and the settlements have to catch up first.
    await expect.poll(async () => (await health(product)).degraded, { timeout: 90_000 }).toEqual([]);
    const next = await placeByHand(page, { symbol, direction: "Down", amount: "25" });
    await expect.poll(async () => (await orderOf(member, next)).outcome, { timeout: 90_000 }).toMatch(/won|lost|tied/);
    expect(beaconOf(product)).toBe(beacon);
  });
});
