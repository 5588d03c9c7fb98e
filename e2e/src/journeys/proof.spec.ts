import { readFile } from "node:fs/promises";
import { LANGUAGES } from "@fairtick/i18n/server";
import type { Page } from "@playwright/test";
import { expect, onScreen, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { STEADY } from "../steps/market.ts";
import { expectOutcome, placeByHand } from "../steps/ordering.ts";

test(
  "a settled order is shared, and a stranger's browser checks it from the public log alone",
  { tag: "@desk" },
  async ({ memberPage: page, member, browser }, info) => {
    // The order's thirty seconds, and the minutes whose prices the log publishes when they are over.
    test.setTimeout(600_000);
    const orderNo = await placeByHand(page, { symbol: STEADY.symbol, direction: "Up", amount: "12.34" });
    await expectOutcome(page, "Tied");

    const link = await test.step("as a picture and a link, made on the device once the log is complete", async () => {
      await onScreen(page).getByTestId("verify-line").click();
      const share = onScreen(page).getByRole("button", { name: "Share proof" });
      await expect(share).toBeVisible({ timeout: 200_000 });
      const sent: string[] = [];
      page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
      await share.click();
      const sheet = page.getByTestId("share-proof");
      await expect(sheet.getByRole("img", { name: "Picture of the proof" })).toBeVisible();
      await picture(page, info, "proof-01-share");
      await expectAccessible(page, "share a proof");
      await expectNoSidewaysScroll(page);
      const saved = page.waitForEvent("download");
      await sheet.getByRole("button", { name: "Save picture" }).click();
      const bytes = await readFile(await (await saved).path());
      expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([
        "PNG",
        1080,
        1350,
      ]);
      await info.attach("card", { body: bytes, contentType: "image/png" });
      const link = await sheet.getByTestId("proof-link").innerText();
      // Requests in the background are short and contain nothing of the proof.
      const commitment = /order=([0-9a-f]{16})/.exec(link)?.[1] ?? link;
      expect(sent.filter((each) => each.length > 2_000 || each.includes(commitment))).toEqual([]);
      return link;
    });

    await test.step("the link says where to look but not which member or what amount", async () => {
      expect(new URL(link).search, "behind the # no server is told").toBe("");
      const { userInfo } = JSON.parse(member.stored[1]?.value ?? "{}") as { userInfo: { userId: string } };
      for (const secret of ["12.34", "12.46", orderNo, userInfo.userId, member.email])
        expect(link).not.toContain(secret);
    });

    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      locale: "en-US",
      timezoneId: "UTC",
    });
    const stranger = await context.newPage();
    const proof = stranger.getByTestId("proof");
    const asked: string[] = [];
    stranger.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (/^[/](?:client|log)[/]/.test(pathname)) asked.push(pathname);
      expect(request.headers()["authorization"]).toBeUndefined();
    });

    await test.step("a stranger without an account reads in plain words that it is verified", async () => {
      await stranger.goto(link);
      await expect(proof).toHaveAttribute("data-state", "sealed", { timeout: 60_000 });
      await expect(proof).toContainText("This order was decided by the rules");
      await expect(stranger.getByTestId("proven-order")).toContainText(STEADY.name);
      await expect(stranger.getByTestId("proven-order")).toContainText("Tied");
      await expect(stranger.locator('[data-testid="proof-check"][data-state="ok"]')).toHaveCount(6);
      await expect(stranger.locator("main")).not.toContainText("12.34");
      await expect(stranger.locator("main")).toContainText("its direction was still sealed when we accepted it");
      expect(asked.filter((path) => path.startsWith("/client/order"))).toEqual([]);
      expect(asked.some((path) => path.startsWith("/log/tile/"))).toBe(true);
      await expectAccessible(stranger, "proof");
      for (const colorScheme of ["light", "dark"] as const) {
        await stranger.emulateMedia({ colorScheme });
        for (const width of [360, 390, 768, 1440]) {
          await stranger.setViewportSize({ width, height: width < 768 ? 844 : 900 });
          await expectNoSidewaysScroll(stranger);
          await picture(stranger, info, `proof-02-holds-${width}-${colorScheme}`);
        }
      }
    });

    await test.step("an altered link isn't verified and says why", async () => {
      await openAnew(stranger, link.replace(/place=[0-9]+/, "place=77"));
      await expect(proof).toHaveAttribute("data-state", "failed");
      await expect(proof).toContainText("This proof doesn’t hold");
      await expect(stranger.locator('[data-check="accepted"]')).toContainText("doesn’t hold");
      await picture(stranger, info, "proof-03-bent");
      await expectAccessible(stranger, "bent proof");
      await openAnew(stranger, link.replace(/order=[0-9a-f]{4}/, "order=0000"));
      const accepted = stranger.locator('[data-check="accepted"]');
      await expect(accepted).toContainText(/Place [\d,]+ of the log has another order/);
      await stranger.evaluate(() => localStorage.setItem("lang", "de"));
      await openAnew(stranger, link.replace(/order=[0-9a-f]{4}/, "order=0000"));
      await expect(accepted).toContainText(/Im Eintrag [\d.]+ steht an dieser Stelle eine andere Order/);
      await stranger.evaluate(() => localStorage.setItem("lang", "en"));
      for (const end of [link.indexOf("&order"), link.length - 1]) {
        await openAnew(stranger, link.slice(0, end));
        await expect(stranger.getByText("This link is incomplete.")).toBeVisible();
      }
      await openAnew(stranger, link.replace(/(log=[0-9]+[.][0-9]+[.][0-9]+)[0-9.]*/, "$1"));
      await expect(proof).toHaveAttribute("data-state", "open");
      await expect(stranger.locator('[data-check="prices"]')).toContainText("doesn’t lead to the prices");
    });

    await test.step("a house whose log serves other prices is detected", async () => {
      await stranger.route("**/log/prices/**", async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, body: (await answer.text()).replace(/.$/, "7") });
      });
      await openAnew(stranger, link);
      await expect(proof).toHaveAttribute("data-state", "failed");
      await expect(stranger.locator('[data-check="prices"]')).toContainText("doesn’t hold");
      await stranger.unrouteAll();
    });

    await test.step("in all ten languages, on the narrowest phone", async () => {
      await stranger.setViewportSize({ width: 320, height: 720 });
      for (const { code } of LANGUAGES) {
        await stranger.evaluate((lang) => localStorage.setItem("lang", lang), code);
        await openAnew(stranger, link);
        await expect(proof).toHaveAttribute("data-state", "sealed");
        await expectNoSidewaysScroll(stranger);
        await picture(stranger, info, `proof-04-${code}`);
      }
    });
  },
);

/** Leaves the app first, because a change of the hash alone wouldn't reload the page. */
async function openAnew(page: Page, link: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(link);
}
