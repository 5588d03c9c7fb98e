// @vitest-environment jsdom
import { expect, it } from "vitest";
import type { Limits } from "../../data/limits.ts";
import { activateAllWords, text } from "../../shared/i18n.ts";
import { decimalSign } from "../../shared/format.ts";
import { readLimit, typedLimit } from "./limit-form.ts";

const LIMITS = { dailyLoss: "1250.50", dailyStake: null, sessionMinutes: 45, pending: [] } as unknown as Limits;

it.each([
  ["en", "dailyLoss", "1250.50"],
  ["de", "dailyLoss", "1250,50"],
  ["de", "sessionMinutes", "45"],
] as const)("in %s %s stands in its field as one types it there", async (lang, name, shown) => {
  await activateAllWords(lang);
  expect(typedLimit(LIMITS, name)).toBe(shown);
  expect(readLimit(name, shown, decimalSign())).toEqual({ value: String(LIMITS[name]) });
});

it.each(["en", "de", "xby", "fr"] as const)(
  "in %s accepts the most minutes as its own message writes them",
  async (lang) => {
    await activateAllWords(lang);
    const most = /1\D?440/.exec(text("limits.enterMinutes"))?.[0] ?? "";
    expect(readLimit("sessionMinutes", most, decimalSign())).toEqual({ value: "1440" });
  },
);

it("is empty if there is no limit", () => {
  expect(typedLimit(LIMITS, "dailyStake")).toBe("");
});
