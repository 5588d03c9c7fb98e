import { describe, expect, it } from "vitest";
import {
  accountOf,
  codeProblems,
  contactProblems,
  newPasswordProblems,
  paymentPasswordProblems,
  sixDigits,
  type Contact,
} from "./contact.ts";

const email: Contact = { channel: "email", dialCode: "+49", phone: "", email: "you@example.com" };
const phone: Contact = { channel: "phone", dialCode: "49", phone: "0151 234-5678", email: "" };

describe("phone or e-mail", () => {
  it("makes a national number international", () => {
    expect(accountOf(phone)).toBe("+491512345678");
    expect(accountOf({ ...phone, dialCode: "+49" })).toBe("+491512345678");
  });

  it("accepts a number in the digits of any script", () => {
    expect(accountOf({ ...phone, dialCode: "+20", phone: "٠١٠ ١٢٣٤٥٦٧٨" })).toBe("+201012345678");
  });

  it("keeps a number that is already international", () => {
    expect(accountOf({ ...phone, phone: "+44 20 7946 0958" })).toBe("+442079460958");
  });

  it("keeps a number that is international with 00, and adds no second country code", () => {
    expect(accountOf({ ...phone, phone: "0049 170 1234567" })).toBe("+491701234567");
    expect(accountOf({ ...phone, phone: "(00) 44-20 7946 0958" })).toBe("+442079460958");
  });

  it("leaves out a zero that is only dialed within the country", () => {
    expect(accountOf({ ...phone, phone: "+49 (0)170 1234567" })).toBe("+491701234567");
    expect(accountOf({ ...phone, phone: "0049 (0) 170 1234567" })).toBe("+491701234567");
    expect(accountOf({ ...phone, phone: "(0)170 1234567" })).toBe("+491701234567");
  });

  it.each([
    ["nothing wrong", email, undefined],
    ["no address", { ...email, email: "  " }, "fields.enter.email"],
    ["no @", { ...email, email: "you.example.com" }, "account.wrongEmail"],
    ["no number", { ...phone, phone: "" }, "fields.enter.phone"],
    ["letters in the number", { ...phone, phone: "call me" }, "account.wrongPhone"],
    ["only the 00 of a number", { ...phone, phone: "00" }, "account.wrongPhone"],
    ["too short a number", { ...phone, phone: "12" }, "account.wrongPhone"],
  ])("finds %s", (_, contact, message) => {
    expect(contactProblems(contact)[0]?.message).toBe(message);
  });
});

describe("passwords and codes", () => {
  it.each([
    ["", "", "fields.enter.password"],
    ["short", "short", "errors.PASSWORD_TOO_SHORT"],
    ["long enough", "long enouhg", "common.passwordsDiffer"],
    ["long enough", "long enough", undefined],
  ])("judges %j with %j", (password, again, message) => {
    expect(newPasswordProblems(password, again)[0]?.message).toBe(message);
  });

  it.each([
    ["", "", "fields.enter.paymentPassword"],
    ["12345", "12345", "account.wrongSixDigits"],
    ["12345a", "12345a", "account.wrongSixDigits"],
    ["123456", "123457", "common.passwordsDiffer"],
    ["123456", "123456", undefined],
  ])("judges the transaction password %j with %j", (password, again, message) => {
    expect(paymentPasswordProblems(password, again, "fields.enter.paymentPassword")[0]?.message).toBe(message);
  });

  it.each([
    ["", "fields.enter.code"],
    ["12 345", "account.wrongCode"],
    [" 123456 ", undefined],
  ])("judges the code %j", (code, message) => {
    expect(codeProblems(code)[0]?.message).toBe(message);
  });
});

describe("six digits", () => {
  it.each([
    [" 284 877 ", "284877"],
    ["284-877", "284877"],
    ["２８４８７７", "284877"],
    ["٢٨٤٨٧٧", "284877"],
    ["۲۸۴۸۷۷", "284877"],
    ["२८४८७७", "284877"],
    ["Code: 284877.", "284877"],
    ["28487799", "284877"],
    ["abc", ""],
  ])("of %j are %j", (pasted, digits) => {
    expect(sixDigits(pasted)).toBe(digits);
  });
});
