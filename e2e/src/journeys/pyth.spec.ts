import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { SIGNED } from "../steps/market.ts";
import { placeByHand } from "../steps/ordering.ts";

const FAIRTICK = resolve(import.meta.dirname, "../../../packages/transparency/bin/fairtick.mjs");

test("an order on prices signed by Pyth is settled, and the member's browser checks the signatures", async ({
  memberPage: page,
}, info) => {
  // The order's thirty seconds, and the minutes whose prices the log publishes when they are over.
  test.setTimeout(600_000);
  const line = onScreen(page).getByTestId("verify-line");

  await test.step("the product is shown with its price", async () => {
    await open(page, "/pages/market/index");
    const row = onScreen(page).locator("main").getByText(SIGNED.name).first();
    await expect(row).toBeVisible();
  });

  await placeByHand(page, { symbol: SIGNED.symbol, direction: "Up", amount: "10" });
  await picture(page, info, "pyth-01-running");

  await test.step("the order is decided by the signed prices, and every check passes", async () => {
    await expect(onScreen(page).getByTestId("outcome")).toHaveText(/Won|Lost|Tied/, { timeout: 120_000 });
    await line.click();
    await expect(line).toHaveAttribute("data-state", "ok", { timeout: 200_000 });
    await onScreen(page).getByRole("button", { name: "The prices come from the source" }).click();
    const check = onScreen(page).locator('[data-check="quotes"]');
    await expect(check).toHaveAttribute("data-state", "ok");
    await expect(check).toContainText("any signature by Pyth is genuine");
    await expect(check).toContainText("2/3");
    await check.scrollIntoViewIfNeeded();
    await expectAccessible(page, "signed quotes");
    await expectNoSidewaysScroll(page);
    await picture(page, info, "pyth-02-holds");
  });

  await test.step("the receipt contains the signed update, and the command verifies both receipt and log", async () => {
    const saved = page.waitForEvent("download");
    await onScreen(page).getByRole("button", { name: "Save receipt" }).click();
    const receipt = info.outputPath("receipt.json");
    await (await saved).saveAs(receipt);
    const { quotes } = JSON.parse(await readFile(receipt, "utf8")) as { quotes: { quote: { vaa: string } | null }[] };
    expect(quotes.map(({ quote }) => Buffer.from(quote?.vaa ?? "", "base64")[0])).toEqual([1, 1]);
    const keys = info.outputPath("fairtick.keys");
    const url = `${info.project.use.baseURL}/log`;
    await writeFile(keys, execFileSync(process.execPath, [FAIRTICK, "keys", "--log", url]));
    const said = execFileSync(process.execPath, [FAIRTICK, "verify", receipt, "--keys", keys], { encoding: "utf8" });
    expect(said).toMatch(/^ok +quotes: signed 2, set 7/m);
    expect(said.trim().split("\n").at(-1)).toBe("VERIFIED");
  });

  await test.step("a house that alters what was signed is detected", async () => {
    await page.route("**/client/order/receipt", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: { quotes: { quote: { vaa: string } }[] } };
      for (const { quote } of body.data.quotes) {
        const vaa = Buffer.from(quote.vaa, "base64");
        vaa[30] = (vaa[30] ?? 0) ^ 1;
        quote.vaa = vaa.toString("base64");
      }
      await route.fulfill({ response: answer, json: body });
    });
    await page.reload();
    await expect(line).toHaveAttribute("data-state", "failed");
    await line.click();
    await expect(onScreen(page).locator('[data-check="quotes"]')).toHaveAttribute("data-state", "failed");
    await picture(page, info, "pyth-03-not-verified");
    await page.unrouteAll();
  });
});
