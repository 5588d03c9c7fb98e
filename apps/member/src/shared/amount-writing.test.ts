import { LANGUAGES } from "@fairtick/i18n";
import { expect, it } from "vitest";
import { amountWriting, quantityWriting } from "./amount-writing.ts";
import { decimalSign, formatMoney, typedDecimal } from "./format.ts";
import { i18n } from "./i18n.ts";

function speak(locale: string) {
  i18n.loadAndActivate({ locale, messages: {} });
}

it("formats an amount while it is typed as the language does everywhere else", () => {
  for (const { code, locale } of LANGUAGES) {
    speak(locale);
    const { group, groupSign } = amountWriting();
    const typed = typedDecimal("1234567.89");
    expect([code, group(typed)]).toEqual([code, formatMoney("1234567.89")]);
    expect(group(typed).replaceAll(groupSign, "")).toBe(typed);
    expect(group(`1234${decimalSign()}`)).toBe(`${formatMoney("1234").slice(0, -3)}${decimalSign()}`);
  }
});

it("reformats what was typed in another language's way once the field is left", () => {
  speak("de-DE");
  const { settle } = amountWriting();
  expect(["12.50", "1.000", "1.234,5", "$ 20", "0,5", "7"].map(settle)).toEqual([
    "12,50",
    "1000",
    "1234,5",
    "20",
    "0,5",
    "7",
  ]);
  expect(["", "zehn", "-5", "1,2,3"].map(settle)).toEqual(["", "zehn", "-5", "123"]);
});

it("leaves an ambiguous quantity as it was typed", () => {
  speak("en-US");
  const { settle } = quantityWriting();
  expect(["2,650", "2,65", "0,650", "2.650"].map(settle)).toEqual(["2,650", "2.65", "0.650", "2.650"]);
});
