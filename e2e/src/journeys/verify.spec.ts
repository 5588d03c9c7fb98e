import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { STEADY } from "../steps/market.ts";
import { expectOutcome, placeByHand } from "../steps/ordering.ts";

const FAIRTICK = resolve(import.meta.dirname, "../../../packages/transparency/bin/fairtick.mjs");

test(
  "a member's own browser checks their settled order, and so does the command",
  { tag: "@desk" },
  async ({ memberPage: page }, info) => {
    // The order's thirty seconds, and the minutes whose prices the log publishes when they are over.
    test.setTimeout(600_000);
    const orderNo = await placeByHand(page, { symbol: STEADY.symbol, direction: "Up", amount: "10" });
    const line = onScreen(page).getByTestId("verify-line");

    await test.step("automatically, with every check in plain words", async () => {
      await expectOutcome(page, "Tied");
      await expect(line).toHaveAttribute("data-state", /ok|pending/);
      await line.click();
      await picture(page, info, "verify-01-soon");
      await expect(line).toHaveAttribute("data-state", "ok", { timeout: 200_000 });
      await expect(line).toContainText("Verified: all 25 checks passed");
      // In a worker thread, which the page's security policy must allow.
      expect(
        page
          .workers()
          .map((worker) => worker.url())
          .join(),
      ).toContain("/assets/examine-worker-");
      await expect(onScreen(page).locator('[data-testid="sentence"][data-state="ok"]')).toHaveCount(6);
      await expect(onScreen(page).getByTestId("check"), "folded until somebody asks").toHaveCount(0);
      const accepted = onScreen(page).getByRole("button", {
        name: "We accepted your order before we knew its direction",
      });
      await picture(page, info, "verify-02-sentences");
      await accepted.click();
      const others = [
        "Nobody could change",
        "Entry and exit are",
        "The prices come",
        "Result and payout",
        "Acceptance and",
      ];
      for (const name of others)
        await onScreen(page)
          .getByRole("button", { name: new RegExp(`^${name}`) })
          .click();
      await expect(onScreen(page).locator('[data-testid="check"][data-state="ok"]')).toHaveCount(25);
      await expect(onScreen(page).getByTestId("check")).toHaveCount(25);
      await expect(onScreen(page).getByTestId("witnesses"), "folded until somebody asks").toBeHidden();
      for (const name of ["How this was checked", "Check it on another computer"])
        await onScreen(page).getByText(name, { exact: true }).click();
      await expect(onScreen(page).getByTestId("witnesses")).toContainText(/Witness \S+ last signed at/);
      await expect(onScreen(page).getByTestId("log-root")).toHaveText(/: (?:[0-9a-f]{4} ){3}[0-9a-f]{4}$/);
      await expectAccessible(page, "verify");
      await expectNoSidewaysScroll(page);
      await onScreen(page).locator('[data-check="commitment"]').scrollIntoViewIfNeeded();
      await picture(page, info, "verify-02-checks");
    });

    await test.step("the command verifies the receipt, saved as a file, with the same keys", async () => {
      const saved = page.waitForEvent("download");
      await onScreen(page).getByRole("button", { name: "Save receipt" }).click();
      const receipt = info.outputPath("receipt.json");
      await (await saved).saveAs(receipt);
      const keys = info.outputPath("fairtick.keys");
      const url = `${info.project.use.baseURL}/log`;
      await writeFile(keys, execFileSync(process.execPath, [FAIRTICK, "keys", "--log", url]));
      const said = execFileSync(process.execPath, [FAIRTICK, "verify", receipt, "--keys", keys], { encoding: "utf8" });
      expect(said.trim().split("\n").at(-1)).toBe("VERIFIED");
    });

    await test.step("on the order's sheet too", async () => {
      await open(page, `/pages/order/index?tab=history&orderNo=${orderNo}`);
      await expect(onScreen(page).getByTestId("verify-line")).toHaveAttribute("data-state", "ok");
    });

    await test.step("a server that reports another outcome is detected, in red", async () => {
      await page.route("**/client/order/receipt", async (route) => {
        const answer = await route.fetch();
        const body = (await answer.json()) as { data: { result: { outcome: string } } };
        body.data.result.outcome = "lost";
        await route.fulfill({ response: answer, json: body });
      });
      await expectBent(page, orderNo, ["shown", "outcome"]);
      await page.unroute("**/client/order/receipt");
    });

    await test.step("so are other prices and a log that lost its entries", async () => {
      await page.route("**/log/prices/**", async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, body: (await answer.text()).replace(/.$/, "~") });
      });
      await expectBent(page, orderNo, ["prices"]);
      await page.unroute("**/log/prices/**");
      await page.route("**/log/tile/**", (route) => route.fulfill({ status: 404, body: "" }));
      await expectBent(page, orderNo, ["entries"]);
      await picture(page, info, "verify-03-not-verified");
      await page.unroute("**/log/tile/**");
    });

    await test.step("new keys in the log aren't trusted automatically", async () => {
      // Acceptance keys are signed by the log's own; a log key that the known one didn't hand over to belongs to
      // another log.
      const lines = await page.evaluate(
        () => (JSON.parse(localStorage.getItem("fairtickKeys") ?? "{}") as { lines: string[] }).lines,
      );
      const others = lines.map((each) => (each.startsWith("log ") ? strangersKey(each) : each));
      await page.evaluate((changed) => {
        const kept = JSON.parse(localStorage.getItem("fairtickKeys") ?? "{}") as { since: number };
        localStorage.setItem("fairtickKeys", JSON.stringify({ ...kept, lines: changed }));
      }, others);
      await expectBent(page, orderNo, ["log", "accepted-in-log"]);
      await onScreen(page).getByRole("button", { name: "Accept the new keys" }).click();
      await expect(onScreen(page).getByTestId("verify-line")).toHaveAttribute("data-state", "ok");
    });
  },
);

/** Returns `log name+id+key` with a stranger's key under the same name. */
function strangersKey(line: string): string {
  const name = line.slice("log ".length, line.indexOf("+"));
  const key = Buffer.concat([Buffer.of(1), Buffer.alloc(32, 7)]);
  const id = createHash("sha256").update(`${name}\n`).update(key).digest("hex").slice(0, 8);
  return `log ${name}+${id}+${key.toString("base64")}`;
}

/** Opens the order with everything fetched again and expects “not verified” because of these checks. */
async function expectBent(page: Page, orderNo: string, ids: readonly string[]): Promise<void> {
  // Leave the app first: a sheet that closes on the way goes back in the history, which would abort a reload.
  await page.goto("about:blank");
  await open(page, `/pages/trade/trade?orderNo=${orderNo}`);
  const line = onScreen(page).getByTestId("verify-line");
  await expect(line).toHaveAttribute("data-state", "failed");
  await expect(line).toContainText("Not verified");
  await line.click();
  for (const id of ids)
    await expect(onScreen(page).locator(`[data-check="${id}"]`)).toHaveAttribute("data-state", "failed");
}
