import { expect, it } from "vitest";
import { fieldMessages, messageOf } from "./messages.ts";

it.each([
  ["user/changeLoginPassword", "WRONG_PASSWORD", "oldPassword"],
  ["user/setTradePassword", "TRADE_PASSWORD_WRONG", "oldPassword"],
  ["user/setTradePassword", "WRONG_PASSWORD", "loginPassword"],
  ["user/exportData", "WRONG_PASSWORD", "loginPassword"],
  ["user/resetTradePassword", "WRONG_PASSWORD", "loginPassword"],
  ["user/close", "WRONG_PASSWORD", "loginPassword"],
  ["withdraw/create", "TRADE_PASSWORD_WRONG", "tradePassword"],
] as const)("%s marks the field that %s is about: %s", (path, error, field) => {
  const refusal = { error, params: { left: 3 } };
  expect(fieldMessages(refusal, "en", path)).toEqual({ [field]: messageOf(refusal, "en", path) });
  expect(messageOf(refusal, "en", path)).not.toContain("{");
});

it("marks no field if the whole call is refused", () => {
  expect(fieldMessages({ error: "SUSPENDED", params: { reason: "x" } }, "en", "withdraw/create")).toBeUndefined();
});

it("shows a limit on the number of orders as a number, and one on money as money", () => {
  const running = { limit: 200, left: 0, name: "runningOrders" };
  expect(messageOf({ error: "MEMBER_LIMIT", params: running }, "en", "order/place")).toBe(
    "You can have at most 200 open orders at a time. Wait until one has settled",
  );
  const daily = { limit: "1500.00", left: "9.99", name: "dailyStake" };
  expect(messageOf({ error: "MEMBER_LIMIT", params: daily }, "en", "order/place")).toBe(
    "This order exceeds your limit of $1,500.00. You have $9.99 left",
  );
});

it.each([
  ["withdraw/create", "amount", "Amount: use digits only, at most 12 and 2 decimal places, for example 1250.50"],
  ["deposit/crypto", "quantity", "Quantity: use digits only, at most 12 and 6 decimal places, for example 1250.5"],
  ["order/place", "limitPrice", "Limit price: use digits and a decimal point only, for example 1.08540"],
])("%s explains the form of %s", (path, field, words) => {
  const refusal = { error: "FIELD_INVALID", fields: { [field]: "FIELD_INVALID" } } as const;
  expect(messageOf(refusal, "en", path)).toBe(words);
});

it.each([
  ["auth/sendCode", "Phone number or e-mail"],
  ["fund/records", "Until"],
  ["audit/list", "Until"],
])("calls the field `to` of %s %s", (path, label) => {
  const refusal = { error: "FIELD_INVALID", fields: { to: "FIELD_INVALID" } } as const;
  expect(fieldMessages(refusal, "en", path)?.["to"]).toContain(label);
});
