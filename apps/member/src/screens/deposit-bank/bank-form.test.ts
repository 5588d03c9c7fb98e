import { currencyDigits, fiatOfUsd, formatFiat, type MicroUsd } from "@fairtick/domain";
import { describe, expect, it } from "vitest";
import { amountSent } from "../../components/deposits/deposit-amount.ts";
import { bankProblems, fiatPreview } from "./bank-form.ts";

const FORM = { region: "BR", currency: "EUR", cardId: "crd_1", amount: "100" };
const BOUNDS = { minimum: "20.00", maximum: "50000.00" };

describe("the remittance form", () => {
  it.each([
    [{ region: "" }, "region", "account.chooseRegion"],
    [{ currency: "" }, "currency", "bank.chooseCurrency"],
    [{ cardId: "" }, "cardId", "bank.chooseCard"],
    [{ amount: "" }, "amount", "bank.enterAmount"],
    [{ amount: "0" }, "amount", "bank.enterAmount"],
    [{ amount: "20.005" }, "amount", "fields.decimal.places"],
    [{ amount: "-20" }, "amount", "fields.decimal.sign"],
    [{ amount: "+20" }, "amount", "fields.decimal.sign"],
    [{ amount: "1e2" }, "amount", "fields.decimal.digits"],
    [{ amount: "9999999999999" }, "amount", "fields.decimal.tooLarge"],
    [{ amount: "19.99" }, "amount", "bank.tooSmall"],
    [{ amount: "50000.01" }, "amount", "bank.tooLarge"],
  ])("with %o reports what is wrong with %s", (change, field, message) => {
    expect(bankProblems({ ...FORM, ...change }, BOUNDS, ".")).toMatchObject([{ field, message }]);
  });

  it("accepts amounts as people type them", () => {
    expect(bankProblems({ ...FORM, amount: "1,250.50" }, BOUNDS, ".")).toEqual([]);
    expect(amountSent("1,250.50", ".")).toBe("1250.50");
    expect(bankProblems({ ...FORM, amount: "1.000" }, BOUNDS, ",")).toEqual([]);
    expect(amountSent("1.000", ",")).toBe("1000");
  });

  it.each([
    ["100", "0.9215", "EUR"],
    ["20.01", "0.9215", "EUR"],
    ["100", "25410.5", "VND"],
    ["33.33", "0.306915", "KWD"],
  ])("shows %s at %s %s as the server will", (typed, rate, currency) => {
    const digits = currencyDigits(currency);
    const [whole = "", part = ""] = typed.split(".");
    const [rateWhole = "", ratePart = ""] = rate.split(".");
    const fiat = fiatOfUsd(
      BigInt(whole + part.padEnd(6, "0")) as MicroUsd,
      BigInt(rateWhole + ratePart.padEnd(6, "0")),
      digits,
    );
    expect(fiatPreview(typed, rate, digits, ".")).toBe(formatFiat(fiat, digits));
  });
});
