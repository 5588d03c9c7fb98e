import { describe, expect, it } from "vitest";
import { addressProblems } from "../../components/withdrawals/address-problems.ts";
import { amountProblems, EMPTY_FORM, mostOf, passwordProblems, sumsOf } from "./withdraw-form.ts";

const method = {
  chain: "test",
  kind: "evm" as const,
  name: "Test chain",
  currency: "USDT",
  minimum: "10.00",
  maximum: "50000.00",
  dayMax: null,
  automaticMax: "500.00",
  dayLeft: null,
  coming: null,
  fee: "1.00",
  times: null,
  frozenSince: null,
  restsUntil: null,
  addressHours: 24,
};
const form = (change: Partial<typeof EMPTY_FORM>) => ({ ...EMPTY_FORM, ...change });

describe("the withdrawal form", () => {
  it.each([
    ["", "fields.enter.address"],
    ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", undefined],
    [" 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 ", undefined],
    ["0x70997970c51812dc3A010C7d01b50e0d17dc79C8", "errors.ADDRESS_CHECKSUM"],
    ["TFSR9HKDBvBx7nQ5RQ2RaXwzzPCChhneuW", "errors.ADDRESS_OTHER_CHAIN"],
    ["0x7099", "errors.ADDRESS_INVALID"],
  ])("reports for the address %j: %s", (address, message) => {
    expect(addressProblems(form({ address }), method)[0]?.message).toBe(message);
  });

  it.each([
    ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", undefined],
    ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T", "errors.ADDRESS_CHECKSUM"],
    ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "errors.ADDRESS_OTHER_CHAIN"],
    ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6", "errors.ADDRESS_INVALID"],
  ])("reports for the TRON address %j: %s", (address, message) => {
    expect(addressProblems(form({ address }), { kind: "tron" })[0]?.message).toBe(message);
  });

  it.each([
    ["", "fields.enter.withdrawalAmount", undefined],
    ["0", "errors.WITHDRAWAL_BELOW_MINIMUM", { min: "10.00" }],
    ["abc", "fields.decimal.digits", { example: "1,250.50" }],
    ["20.005", "fields.decimal.places", { places: 2 }],
    ["-20", "fields.decimal.sign", undefined],
    ["+20", "fields.decimal.sign", undefined],
    ["1e2", "fields.decimal.digits", { example: "1,250.50" }],
    ["9999999999999", "fields.decimal.tooLarge", undefined],
    ["9.99", "errors.WITHDRAWAL_BELOW_MINIMUM", { min: "10.00" }],
    ["50,000.01", "errors.WITHDRAWAL_TOO_LARGE", { max: "820.00" }],
    ["820.01", "errors.WITHDRAWAL_TOO_LARGE", { max: "820.00" }],
    ["820", undefined, undefined],
  ])("reports for the amount %j: %s", (amount, message, values) => {
    const [problem] = amountProblems(form({ amount }), method, "820.00", ".");
    expect(problem?.message).toBe(message);
    expect(problem?.values).toEqual(values);
  });

  it("shows what arrives and what remains, and nothing below zero", () => {
    expect(sumsOf(form({ amount: "300" }), method, "820.00", ".")).toEqual({
      amount: "300.00",
      receives: "299.00",
      left: "520.00",
    });
    expect(sumsOf(form({ amount: "0,5" }), method, "0.20", ",")).toEqual({
      amount: "0.50",
      receives: null,
      left: null,
    });
  });

  it.each([
    ["what is available", "820.00", "50000.00", null, "820.00"],
    ["what one withdrawal may be", "820.00", "500.00", null, "500.00"],
    ["what is left of the day", "820.00", "500.00", "90.50", "90.50"],
    ["nothing on a day that is used up", "820.00", "500.00", "0.00", "0.00"],
  ])("fills in %s as the most", (_, available, maximum, dayLeft, most) => {
    expect(mostOf({ maximum, dayLeft }, available)).toBe(most);
  });

  it("requires six digits", () => {
    expect(passwordProblems(form({ password: "12345" }))).toHaveLength(1);
    expect(passwordProblems(form({ password: "123456" }))).toEqual([]);
  });
});
