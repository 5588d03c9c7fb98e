import { LANGUAGES } from "@fairtick/i18n";
import fc from "fast-check";
import { expect, test } from "vitest";
import { writeDecimal, writingOf, type DecimalOptions } from "./decimal-writing.ts";

const decimal = fc
  .tuple(fc.boolean(), fc.bigInt(0n, 10n ** 24n), fc.integer({ min: 0, max: 12 }))
  .map(([negative, amount, places]) => {
    const digits = String(amount).padStart(places + 1, "0");
    const whole = digits.slice(0, digits.length - places);
    return `${negative ? "-" : ""}${whole}${places === 0 ? "" : `.${digits.slice(-places)}`}`;
  });

test.each(LANGUAGES)("$name decimals are formatted as Intl formats them", ({ locale }) => {
  const places = fc.integer({ min: 0, max: 8 });
  fc.assert(
    fc.property(decimal, places, places, fc.boolean(), fc.boolean(), (value, one, other, signed, percent) => {
      const options: DecimalOptions = { atLeast: Math.min(one, other), atMost: Math.max(one, other), signed, percent };
      const intl = new Intl.NumberFormat(locale, {
        minimumFractionDigits: Math.min(one, other),
        maximumFractionDigits: Math.max(one, other),
        signDisplay: signed ? "exceptZero" : "auto",
        style: percent ? "percent" : "decimal",
      });
      expect(writeDecimal(locale, value, options)).toBe(intl.format(value as Intl.StringNumericLiteral));
    }),
    { numRuns: 300 },
  );
});

test("a float near zero, whose text has an exponent, is formatted too", () => {
  expect(writeDecimal("en-US", String(-1.5e-7), { atLeast: 2, signed: true, percent: true })).toBe("0.00%");
  expect(writeDecimal("en-US", String(-1.5e-7), { atLeast: 8 })).toBe("-0.00000015");
});

test("anything but a decimal is refused", () => {
  for (const text of ["", "-", ".", "1,5", "NaN", "1 000"])
    expect(() => writeDecimal("en-US", text)).toThrow("is no decimal");
});

test("the separators of a language are told apart", () => {
  expect(writingOf("fr-FR")).toMatchObject({ point: ",", group: "\u202f" });
  expect(writingOf("")).toMatchObject({ point: ".", group: "," });
});
