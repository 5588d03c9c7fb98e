import { expect, it } from "vitest";
import { CallFailure } from "../data/call.ts";
import { rowsOf, sayRefused, sumOf } from "./statement-words.ts";

const refused = (params: Record<string, string | number>) =>
  sayRefused(new CallFailure(400, "Statement isn’t valid", "FIELD_INVALID", {}, params));

it.each([
  [
    { by: "finance-1", importedAt: 1_795_000_000_000 },
    "This file was already imported by finance-1, 2026-11-18 11:06:40 UTC.",
  ],
  [
    { cause: "xml", line: 1_204, detail: "Expected closing tag 'Amt'." },
    "The file is broken. Line 1,204: Expected closing tag 'Amt'.",
  ],
  [{ cause: "document", found: "CstmrCdtTrfInitn" }, "camt.054): it holds CstmrCdtTrfInitn."],
  [{ cause: "documentType", line: 2 }, "Line 2: it has a document type"],
  [{ cause: "lines", line: 70_001, max: 5_000 }, "Line 70,001: more than 5,000 can’t be imported at once."],
  [{ cause: "account", account: "DE02" }, "account DE02, which isn’t one of the receiving cards"],
  [{ cause: "size" }, "at most 2,000,000 characters"],
])("a refusal with %j is shown as a sentence", (params, sentence) => {
  expect(refused(params)).toContain(sentence);
});

it("leaves every other failure to its own message", () => {
  expect(refused({})).toBeNull();
  expect(sayRefused(new Error("x"))).toBeNull();
});

it("puts what needs a person first, and adds up to the cent", () => {
  const one = { depositNo: "dep_1", fiat: "EUR 1.00", amount: "1.10" };
  const rows = rowsOf({
    message: "M1",
    lines: 3,
    known: 0,
    unread: 1,
    unreadLines: [{ line: 1_500, cause: "date" }],
    credited: [one],
    waiting: [],
    differing: [],
    open: 0,
    returned: [{ depositNo: "dep_2", fiat: "EUR 2.00" }],
  });
  expect(rows.map(({ what, about }) => `${what} ${about}`)).toEqual([
    "Unreadable Line 1,500: the booking date isn’t valid",
    "Reversed dep_2",
    "Credited dep_1",
  ]);
  expect(sumOf(["0.10", "0.20", "90071992547409.93"])).toBe("90071992547410.23");
  expect(sumOf([])).toBe("0.00");
});
