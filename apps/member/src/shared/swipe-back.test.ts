// @vitest-environment jsdom
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { currentPlace, navigate, navigateTo, watchPlace } from "./navigation.tsx";

const ROOT = join(import.meta.dirname, "../../../..");

/** The swipe itself belongs to the browser and the phone: it goes one step back in the history. */
it("is left to the browser: no scrolling element keeps a sideways swipe for itself", () => {
  const rules = ["apps/member/src", "packages/ui/src"]
    .flatMap((folder) => globSync(`${folder}/**/*.css`, { cwd: ROOT }))
    .flatMap((file) =>
      [...readFileSync(join(ROOT, file), "utf8").matchAll(/overscroll-behavior[a-z-]*:[^;}]*/g)].map(([rule]) => ({
        file,
        rule,
      })),
    );
  expect(rules.length).toBeGreaterThan(2);
  expect(rules.filter(({ rule }) => !rule.startsWith("overscroll-behavior-y:"))).toEqual([]);
});

it("goes back through the screens in the order in which they were opened", async () => {
  navigateTo("/pages/home/index");
  const seen: string[] = [];
  const stop = watchPlace(() => void seen.push(currentPlace().href));
  navigate({ to: "/pages/market/index" });
  navigate({ to: "/pages/trade/index", search: { symbol: "EURUSD" } });
  navigate({ to: "/pages/trade/trade", search: { symbol: "EURUSD" } });
  // An order replaces its form, so that a swipe doesn't lead back to what was sent.
  navigate({ to: "/pages/trade/trade", search: { orderNo: "ord_1" }, replace: true });
  history.back();
  await vi.waitFor(() => expect(currentPlace().href).toBe("/pages/trade/index?symbol=EURUSD"));
  history.back();
  await vi.waitFor(() => expect(currentPlace().href).toBe("/pages/market/index"));
  history.back();
  await vi.waitFor(() => expect(currentPlace().href).toBe("/pages/home/index"));
  expect(seen.slice(-3)).toEqual(["/pages/trade/index?symbol=EURUSD", "/pages/market/index", "/pages/home/index"]);
  stop();
});
