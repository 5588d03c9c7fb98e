import { describe, expect, it } from "vitest";
import {
  authRegister,
  authSendCode,
  CALLS,
  marketTicks,
  orderExport,
  orderHistory,
  orderPlace,
  userSetLimits,
  validateInput,
  type Call,
} from "./index.ts";

const ORDER = {
  wallet: "practice",
  symbol: "EURUSD",
  direction: "up",
  stake: "12.5",
  duration: "60",
  clientOrderId: "order-0001",
};

describe("validateInput", () => {
  it("turns text into the values that rules take", () => {
    const verdict = validateInput(orderPlace, { ...ORDER, payoutRate: "0.850", fee: "0.12", limitPrice: "1.0841" });
    expect(verdict).toEqual({
      ok: true,
      value: { ...ORDER, stake: 12_500_000n, duration: 60, payoutRate: 850_000n, fee: 120_000n, limitPrice: "1.0841" },
    });
  });

  it.each([orderHistory, orderExport] as const)("takes the filters of settled orders for $path", (call) => {
    const filters = { wallet: "practice", symbol: "EURUSD", outcome: "won" };
    expect(validateInput(call, { ...filters, from: "1000", to: "2000" })).toEqual({
      ok: true,
      value: { ...filters, from: 1_000n, to: 2_000n },
    });
  });

  it("ignores unknown fields and those of the object's prototype", () => {
    expect(validateInput(orderPlace, { ...ORDER, profit: "9", constructor: "x" })).toEqual(
      validateInput(orderPlace, ORDER),
    );
    expect(validateInput(orderPlace, { ...ORDER, ["__proto__"]: ORDER, wallet: undefined })).toMatchObject({
      refusal: { error: "FIELD_MISSING" },
    });
  });

  it("treats an empty field as not sent", () => {
    expect(validateInput(orderPlace, { ...ORDER, limitPrice: "" })).toEqual(validateInput(orderPlace, ORDER));
    expect(validateInput(orderPlace, { ...ORDER, stake: "" })).toMatchObject({
      refusal: { error: "FIELD_MISSING", fields: { stake: "FIELD_MISSING" } },
    });
  });

  it.each([
    ["stake", "-5"],
    ["stake", "1e3"],
    ["stake", "12.505"],
    ["stake", "１２"],
    ["stake", "12\u0000"],
    ["stake", "Infinity"],
    ["stake", " 12"],
    ["duration", "0"],
    ["duration", "60.5"],
    ["duration", "99999999"],
    ["direction", "sideways"],
    ["symbol", "eurusd"],
    ["clientOrderId", "short"],
    ["clientOrderId", "übermäßig"],
    ["payoutRate", "-0.85"],
  ])("refuses %s = %j as FIELD_INVALID", (field, value) => {
    expect(validateInput(orderPlace, { ...ORDER, [field]: value })).toMatchObject({
      ok: false,
      refusal: { error: "FIELD_INVALID", fields: { [field]: "FIELD_INVALID" } },
    });
  });

  it("distinguishes too long from invalid, also within a choice of forms", () => {
    expect(validateInput(orderPlace, { ...ORDER, stake: "1".repeat(5000) })).toMatchObject({
      refusal: { fields: { stake: "FIELD_TOO_LONG" } },
    });
    expect(validateInput(userSetLimits, { dailyLoss: "1".repeat(5000) })).toMatchObject({
      refusal: { fields: { dailyLoss: "FIELD_TOO_LONG" } },
    });
  });

  it("requires the address of the chosen channel", () => {
    const input = {
      region: "DE",
      channel: "phone",
      code: "123456",
      password: "a",
      confirmPassword: "a",
      acceptTerms: "true",
    };
    expect(validateInput(authRegister, { ...input, email: "a@example.com" })).toMatchObject({
      refusal: { fields: { phone: "FIELD_MISSING" } },
    });
    expect(validateInput(authSendCode, { channel: "phone", to: "a@example.com", purpose: "reset" })).toMatchObject({
      refusal: { fields: { to: "FIELD_INVALID" } },
    });
  });

  it("refuses a time range that ends before it starts", () => {
    expect(validateInput(marketTicks, { symbol: "EURUSD", from: "2000", to: "1000" })).toMatchObject({
      refusal: { fields: { to: "FIELD_INVALID" } },
    });
  });

  it("names every required field that is missing", () => {
    for (const call of CALLS) {
      const verdict = validateInput<Call>(call, {});
      const required = Object.entries(call.input.entries).filter(([, schema]) => schema.type !== "optional");
      const isComplete = required.length === 0 && call.path !== "support/send";
      expect([call.path, verdict.ok]).toEqual([call.path, isComplete]);
      const named = verdict.ok ? [] : Object.keys(verdict.refusal.fields ?? {});
      expect(named).toEqual(expect.arrayContaining(required.map(([name]) => name)));
    }
  });
});

describe("the catalogue of calls", () => {
  it("has each path once: those of the specification's table and later ones", () => {
    expect(CALLS.length).toBeGreaterThanOrEqual(80);
    expect(new Set(CALLS.map((call) => call.path)).size).toBe(CALLS.length);
  });

  it("has a maximum length for every text field", () => {
    for (const call of CALLS)
      for (const name of Object.keys(call.input.entries)) {
        const verdict = validateInput<Call>(call, { [name]: "7".repeat(20_000) });
        expect([call.path, name, verdict.ok]).toEqual([call.path, name, false]);
        expect(verdict.ok || verdict.refusal.fields?.[name]).toMatch(/^FIELD_(?:TOO_LONG|INVALID)$/);
      }
  });
});
