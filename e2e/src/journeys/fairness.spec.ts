import type { Page } from "@playwright/test";
import type { Fairness } from "@fairtick/protocol";
import { expect, logInByStorage, onScreen, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { LIVELY, STEADY } from "../steps/market.ts";
import { type Member, newMember, placeByCall, summaryOf } from "../steps/members.ts";

test("anyone can read how all orders ended and find a new one counted", { tag: "@desk" }, async ({ page }, info) => {
  const member = await newMember();
  await placeByCall(member, { symbol: STEADY.symbol, direction: "up", stake: "33.33" });
  // Whichever way the simulated price moves, one of these wins and one loses.
  await placeByCall(member, { symbol: LIVELY.symbol, direction: "up", stake: "10" });
  await placeByCall(member, { symbol: LIVELY.symbol, direction: "down", stake: "10" });
  await expect.poll(async () => (await summaryOf(member)).openPositions, { timeout: 120_000 }).toBe(0);

  const figures = await test.step("as data, for other people's programs", async () => {
    // The tables are read at most every thirty seconds.
    const tied = async () => {
      const answer = await page.request.get("/fairness.json");
      expect(answer.headers()["access-control-allow-origin"]).toBe("*");
      const read = (await answer.json()) as Fairness;
      const terms = read.byTerms.filter((each) => each.symbol === STEADY.symbol && each.duration === 30);
      const isThere = terms.some(({ tied }) => tied > 0) && read.byTerms.some(({ symbol }) => symbol === LIVELY.symbol);
      return isThere ? read : null;
    };
    await expect.poll(async () => (await tied()) !== null, { timeout: 120_000, intervals: [3_000] }).toBe(true);
    return tied();
  });

  await test.step("at its address, without a login", async () => {
    await page.goto("/fairness");
    await expect(page).toHaveTitle("Fairness");
    const counts = onScreen(page).getByTestId("fairness-counts");
    await expect(counts).toContainText("All settled orders of the last 30 days");
    await expect(counts).toContainText("Members who lost money");
    await expect(counts.locator(".fairness-heroes > *")).toHaveCount(3);
    await expect(onScreen(page).getByTestId("fairness-chart")).toBeVisible();
    await expect(onScreen(page).getByTestId("fairness-outcomes")).toContainText("Sealed orders nobody revealed");
    await expect(onScreen(page).getByTestId("fairness-terms")).toContainText(STEADY.name);
    expect(figures?.wallets[0]?.tied).toBeGreaterThan(0);
    await expect(onScreen(page).getByTestId("fairness-terms")).toContainText(LIVELY.name);
    await expectAccessible(page, "fairness");
    await expectNoSidewaysScroll(page);
    await picture(page, info, "fairness-01-figures");
  });

  await test.step("for each day, by product and duration", async () => {
    await openFold(page, "fairness-days");
    const day = onScreen(page).getByTestId("fairness-day").first();
    await day.locator("summary").click();
    const row = day.getByTestId("share-row").filter({ hasText: STEADY.name }).first();
    await expect(row).toContainText(/Tied [1-9]/);
    await day.scrollIntoViewIfNeeded();
    await expectAccessible(page, "fairness, a day");
    await expectNoSidewaysScroll(page);
    await picture(page, info, "fairness-06-day");
  });

  await test.step("with how to check them and what can't be checked", async () => {
    await expect(onScreen(page).locator("main")).toContainText("/verifier.tgz verify --log");
    const told = await (await page.request.get("/verifier.tgz.sha256")).text();
    await expect(onScreen(page).getByTestId("verifier-hash")).toContainText(told.slice(0, 64));
    const refused = onScreen(page).getByTestId("fairness-refused");
    await expect(refused).toContainText("Orders refused with a signed answer");
    await expect(refused).toContainText("Downtime recorded in the public log");
    await expect(onScreen(page).locator("main")).toContainText("Refusals that never reach your device");
    const watcher = onScreen(page).getByTestId("watcher");
    await expect(watcher).toHaveAttribute("data-signed", "true");
    await expect(watcher).toContainText(/Last signed at .*\+[0-9a-f]{8}\+/);
    const cannot = onScreen(page).getByText("What cannot be checked");
    await cannot.scrollIntoViewIfNeeded();
    for (const claim of ["That we pay.", "That we could pay everyone at once.", "a source’s data before others do"])
      await expect(onScreen(page).locator("main")).toContainText(claim);
    await picture(page, info, "fairness-02-checking");
    for (const fold of ["fairness-service", "fairness-refused", "fairness-terms"]) await openFold(page, fold);
    await onScreen(page).getByTestId("fairness-service").scrollIntoViewIfNeeded();
    await expectNoSidewaysScroll(page);
    await picture(page, info, "fairness-03-service");
    await page.emulateMedia({ colorScheme: "dark" });
    await onScreen(page).getByTestId("fairness-terms").scrollIntoViewIfNeeded();
    await picture(page, info, "fairness-04-terms");
  });
});

test("a member's own browser finds their balance in the house's published liabilities", async ({ page }, info) => {
  const stored = JSON.parse(process.env["JOURNEY_OWED"] ?? "[]") as Member["stored"];
  await logInByStorage(page, { stored });
  const own = onScreen(page).getByTestId("own-share");
  // The figures are counted at most every thirty seconds; anything published later appears in the next count.
  await expect(async () => {
    await page.goto("/fairness");
    await expect(own).toHaveAttribute("data-state", "ok", { timeout: 6_000 });
  }).toPass({ timeout: 120_000 });
  await expect(own).toContainText("120.00");
  await own.scrollIntoViewIfNeeded();
  await expectNoSidewaysScroll(page);
  await picture(page, info, "fairness-05-own-share");

  const bends: readonly (readonly [what: string, bend: (proof: LiabilityProof) => void])[] = [
    ["the way to the sum", ({ path }) => path.push({ side: "right", sum: "1.00", hash: "ab".repeat(32) })],
    ["the member's amount", ({ leaf }) => (leaf.amount = "119.00")],
    [
      "the nonce of their leaf",
      ({ leaf }) => (leaf.nonce = leaf.nonce.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))),
    ],
    ["the sum", ({ root }) => (root.sum = "119.00")],
    ["the entry in the log", ({ logged }) => (logged.entry = logged.entry.replace('"members":', '"members":1'))],
  ];
  for (const [what, bend] of bends) {
    await test.step(`and detects a house that changes ${what}`, async () => {
      await page.route("**/client/user/liabilityPath", async (route) => {
        const answer = await route.fetch();
        const body = (await answer.json()) as { data: LiabilityProof };
        bend(body.data);
        await route.fulfill({ response: answer, json: body });
      });
      await page.goto("/fairness");
      await expect(own).toHaveAttribute("data-state", "failed");
      await expect(own).toContainText("Not verified: nothing proves that your balance is part of the total.");
      await page.unroute("**/client/user/liabilityPath");
    });
  }
  await own.scrollIntoViewIfNeeded();
  await expectAccessible(page, "fairness, not verified");
  await picture(page, info, "fairness-07-bent");

  await test.step("also if the page and the proof agree on a wrong sum", async () => {
    await page.route("**/client/user/liabilityPath", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: LiabilityProof };
      body.data.root.sum = "119.00";
      await route.fulfill({ response: answer, json: body });
    });
    await page.route("**/fairness.json", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as Fairness;
      if (body.liabilities !== null) body.liabilities.sum = "119.00";
      await route.fulfill({ response: answer, json: body });
    });
    await page.goto("/fairness");
    await expect(own).toHaveAttribute("data-state", "failed");
    await page.unrouteAll();
  });

  const HOUR_MS = 3_600_000;
  for (const [what, later, state, sentence] of [
    [
      "is told that they were left out of a sum read after their money came",
      HOUR_MS,
      "leftOut",
      "Left out: according to your fund records, 120.00",
    ],
    ["has no part in one that was read before it", -HOUR_MS, "none", "your real wallet was empty at that time"],
  ] as const) {
    await test.step(`and ${what}`, async () => {
      // A day without a published sum has no share either; this is what the real server answers for one.
      await page.route("**/client/user/liabilityPath", (route) => route.continue({ postData: "day=1999-01-01" }));
      await page.route("**/fairness.json", async (route) => {
        const answer = await route.fetch();
        const body = (await answer.json()) as Fairness;
        if (body.liabilities !== null) body.liabilities.at += later;
        await route.fulfill({ response: answer, json: body });
      });
      await page.goto("/fairness");
      await expect(own).toHaveAttribute("data-state", state);
      await expect(own).toContainText(sentence);
      await page.unrouteAll();
    });
  }

  await page.goto("/fairness");
  await expect(own).toHaveAttribute("data-state", "ok");
});

/** Opens a section that is collapsed at first. */
async function openFold(page: Page, testId: string): Promise<void> {
  await onScreen(page).getByTestId(testId).locator("summary").first().click();
}

interface LiabilityProof {
  readonly leaf: { amount: string; nonce: string };
  readonly path: { side: string; sum: string; hash: string }[];
  readonly root: { sum: string; hash: string };
  readonly logged: { entry: string };
}
