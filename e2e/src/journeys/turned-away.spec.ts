import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@fairtick/postgres";
import { orderPlace } from "@fairtick/protocol";
import { type Product, startProduct } from "../product.ts";
import { expect, onScreen, open, test as base } from "../steps/journey.ts";
import { picture } from "../steps/look.ts";
import { LIVELY } from "../steps/market.ts";
import { fillOrder, openOrderForm, placeButton, review } from "../steps/ordering.ts";

interface House extends Product {
  takeDatabaseAway(): Promise<void>;
  bringDatabaseBack(): Promise<void>;
}

/** A product of this journey's own, because its database server is stopped. */
const test = base.extend<object, { readonly house: House }>({
  house: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from it what a fixture needs: here nothing
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), "fairtick-away-"));
      // When run as root, the database runs as another user, who needs to enter this folder.
      await chmod(folder, 0o755);
      let postgres = await startPostgres({ folder });
      const product = await startProduct({ MARKET_SOURCES: "simulated", DATABASE_URL: postgres.url });
      // API calls go to this product too; no other journey uses this worker.
      process.env["JOURNEY_URL"] = product.url;
      await use({
        ...product,
        takeDatabaseAway: () => postgres.stop(),
        async bringDatabaseBack() {
          postgres = await startPostgres({ folder, port: postgres.port });
        },
      });
      await product.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker", auto: true, timeout: 300_000 },
  ],
  baseURL: async ({ house }, use) => use(house.url),
  // The status 503 is what this journey is about.
  // oxlint-disable-next-line no-empty-pattern -- as above
  watchFaults: async ({}, use) => use(),
});

async function isAccepting({ url }: Product): Promise<boolean> {
  const answer = await fetch(`${url}/health/ready`).catch(() => null);
  return answer !== null && ((await answer.json()) as { readonly accepting: boolean }).accepting;
}

test("a member turned away while the database is gone reads how often, although nothing was signed", async ({
  memberPage: page,
  house,
}, info) => {
  test.slow();
  await openOrderForm(page, LIVELY.symbol);
  await fillOrder(page, { direction: "Up", amount: "10" });
  await review(page);
  const answers: (string | undefined)[] = [];
  page.on("response", async (response) => {
    if (!response.url().endsWith(`/client/${orderPlace.path}`)) return;
    const { data } = (await response.json()) as {
      readonly data: { readonly error?: string; readonly refusal?: object };
    };
    answers.push(data.refusal === undefined ? data.error : "signed");
  });
  // The database goes while the wish is on its way, so that the app could still seal it on fresh prices.
  await page.route(
    `**/client/${orderPlace.path}`,
    async (route) => {
      await house.takeDatabaseAway();
      await route.continue();
    },
    { times: 1 },
  );
  try {
    await placeButton(page).click();
    // The app sends the same wish again after one, two and four seconds.
    await expect.poll(() => answers, { timeout: 120_000 }).toEqual(["NOT_NOW", "NOT_NOW", "NOT_NOW", "NOT_NOW"]);
    await picture(page, info, "turned-away-01-cut");
  } finally {
    await house.bringDatabaseBack();
  }
  await expect.poll(() => isAccepting(house), { timeout: 120_000 }).toBe(true);

  await open(page, "/pages/fairness/index");
  await expect(onScreen(page).getByText("they have no signature and are in no log")).toBeVisible();
  const evidence = onScreen(page).getByTestId("fairness-evidence");
  await evidence.locator("summary").click();
  const kept = evidence.getByTestId("kept-evidence");
  await expect(kept).toContainText(/Turned away without a signatureLast time: .+ \d\d:\d\d:\d\d4We/);
  await kept.scrollIntoViewIfNeeded();
  await picture(page, info, "turned-away-02-counted");
});
