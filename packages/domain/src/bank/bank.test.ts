import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  crc16,
  creditorReference,
  currencyDigits,
  fiatOfUsd,
  findReference,
  formatFiat,
  isCreditorReference,
  remittanceCode,
  usdOfFiat,
} from "./bank.ts";
import type { MicroUsd } from "../money/money.ts";

describe("a creditor reference", () => {
  it("has the check digits of ISO 11649", () => {
    // The standard's own example.
    expect(creditorReference("539007547034")).toBe("RF18539007547034");
    expect(isCreditorReference("RF18539007547034")).toBe(true);
    expect(isCreditorReference("RF18539007547043")).toBe(false);
  });

  it("detects every single typing error and every swap of neighbouring digits", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{12}$/), fc.nat(15), fc.nat(9), (body, place, digit) => {
        const reference = creditorReference(body);
        expect(isCreditorReference(reference)).toBe(true);
        const at = 2 + (place % (reference.length - 2));
        const slip = reference.slice(0, at) + String(digit) + reference.slice(at + 1);
        expect(isCreditorReference(slip)).toBe(slip === reference);
        const swapped =
          reference.slice(0, at) + reference.charAt(at + 1) + reference.charAt(at) + reference.slice(at + 2);
        expect(isCreditorReference(swapped)).toBe(swapped === reference);
      }),
    );
  });

  it.each([
    ["RF18 5390 0754 7034", "RF18539007547034"],
    ["Deposit rf18-5390.0754/7034, thanks", "RF18539007547034"],
    ["NOTPROVIDED", null],
    ["RF19 5390 0754 7034", null],
    ["RF18539007547034 RF18539007547034", "RF18539007547034"],
    [`RF18539007547034 ${creditorReference("000000000001")}`, null],
  ])("is found in %s", (text, found) => {
    expect(findReference(text)).toBe(found);
  });
});

describe("an amount in a currency", () => {
  it.each([
    ["EUR", 20_000_000n, 921_500n, "18.43"],
    ["EUR", 20_010_000n, 921_500n, "18.43"],
    ["VND", 100_000_000n, 25_410_500_000n, "2541050"],
    ["KWD", 100_000_000n, 306_915n, "30.691"],
  ])("in %s of %d micro-USD at %d is %s", (currency, amount, rate, text) => {
    const digits = currencyDigits(currency);
    expect(formatFiat(fiatOfUsd(amount as MicroUsd, rate, digits), digits)).toBe(text);
  });

  it("is never worth more than the deposit, and with one unit more never less", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 2_000n, max: 5_000_000n }),
        fc.bigInt({ min: 1_000n, max: 10n ** 12n }),
        fc.nat(3),
        (cents, rate, digits) => {
          const amount = (cents * 10_000n) as MicroUsd;
          const fiat = fiatOfUsd(amount, rate, digits);
          fc.pre(fiat > 0n);
          expect(usdOfFiat(fiat, rate, digits)).toBeLessThanOrEqual(amount);
          expect(usdOfFiat(fiat + 1n, rate, digits)).toBeGreaterThanOrEqual(amount);
        },
      ),
    );
  });
});

describe("a code for banking apps", () => {
  const remittance = {
    holder: "Fairtick",
    number: "DE89370400440532013000",
    bankCode: "COBADEFF370",
    fiat: 1_843n,
    reference: "RF18539007547034",
  };

  it("follows EPC for EUR", () => {
    expect(remittanceCode({ ...remittance, currency: "EUR" })?.split("\n")).toEqual([
      "BCD",
      "002",
      "1",
      "SCT",
      "COBADEFF370",
      "Fairtick",
      "DE89370400440532013000",
      "EUR18.43",
      "",
      "RF18539007547034",
    ]);
  });

  it("follows VietQR for VND, with its checksum", () => {
    const code = remittanceCode({
      ...remittance,
      number: "0011009950446",
      bankCode: "970436",
      fiat: 2_541_050n,
      currency: "VND",
    });
    expect(code).toContain("38570010A00000072701270006970436011300110099504460208QRIBFTTA");
    expect(code).toContain("53037045407254105058 02VN".replace(" ", ""));
    expect(code).toMatch(/6304[0-9A-F]{4}$/);
  });

  it("computes the EMV checksum's published check value", () => {
    expect(crc16("123456789")).toBe("29B1");
  });

  it("is null for other currencies", () => {
    expect(remittanceCode({ ...remittance, currency: "USD" })).toBeNull();
  });
});
