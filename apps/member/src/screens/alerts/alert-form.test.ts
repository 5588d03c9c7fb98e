import { describe, expect, it } from "vitest";
import { alertProblem, readAlert } from "./alert-form.ts";

describe("a typed alert", () => {
  it.each([
    ["1.09", "1.085000", { price: "1.09", direction: "up" }],
    ["1,08", "1.085000", { price: "1.08", direction: "down" }],
    [" 2 ", "1.085000", { price: "2", direction: "up" }],
    ["2,650", "2640.000000", { price: "2650", direction: "up" }],
    ["2,650", "2.640000", { price: "2.650", direction: "up" }],
    ["2,650.50", "2640.000000", { price: "2650.50", direction: "up" }],
    ["1.085", "1.085000", null],
    ["1.0850001", "1.085000", null],
    ["0", "1.085000", null],
    ["-1", "1.085000", null],
    ["", "1.085000", null],
    ["1.09", null, null],
  ] as const)("%j at %j is read as %j", (typed, live, read) => {
    expect(readAlert(typed, 6, live, ".")).toEqual(read);
  });
});

it.each([
  ["", "alerts.enterPrice"],
  ["1.085", "alerts.enterPrice"],
  ["1.0850001", "fields.decimal.places"],
  ["-1", "fields.decimal.sign"],
  ["1e3", "fields.decimal.digits"],
  ["1234567890", "fields.decimal.tooLarge"],
])("reports what is wrong with %j: %s", (typed, message) => {
  expect(alertProblem(typed, 6, "1.085000", ".")).toMatchObject({ message });
});
