import { describe, expect, it } from "vitest";
import { creditParts, creditScore } from "./credit-score.ts";
import { birthDateFault, cleanDocumentNumber, cleanName, dayIn, latestBirthDate } from "./identity.ts";
import type { Instant } from "../base/time.ts";

describe("the legal age", () => {
  it.each([
    ["2026-11-21", 18, "2008-11-21"],
    ["2026-02-28", 18, "2008-02-28"],
    ["2028-02-29", 18, "2010-02-29"],
  ])("on %s someone aged %d was born on %s at the latest", (today, years, latest) => {
    expect(latestBirthDate(today, years)).toBe(latest);
  });

  it.each([
    ["2008-11-21", null],
    ["2008-11-22", "UNDER_AGE"],
    ["2026-11-21", "UNDER_AGE"],
    ["2026-11-22", "FIELD_INVALID"],
    ["1904-11-21", null],
    ["1904-11-20", "FIELD_INVALID"],
  ] as const)("born on %s: %s", (birthDate, fault) => {
    expect(birthDateFault(birthDate, "2026-11-21", 18)).toBe(fault);
  });

  it("is reached on 1 March by people born on 29 February, if the year has no such day", () => {
    expect(birthDateFault("2008-02-29", "2026-02-28", 18)).toBe("UNDER_AGE");
    expect(birthDateFault("2008-02-29", "2026-03-01", 18)).toBeNull();
  });

  it("is that of the region, such as 21", () => {
    expect(birthDateFault("2005-11-22", "2026-11-21", 21)).toBe("UNDER_AGE");
    expect(birthDateFault("2005-11-21", "2026-11-21", 21)).toBeNull();
  });

  it("counts days in the member's time zone", () => {
    // 2026-11-21 23:30 UTC
    const now = 1_795_303_800_000n as Instant;
    expect(dayIn("Asia/Tokyo", now)).toBe("2026-11-22");
    expect(dayIn("America/Sao_Paulo", now)).toBe("2026-11-21");
    expect(dayIn("Pacific/Kiritimati", now)).toBe("2026-11-22");
    expect(dayIn("Nowhere/None", now)).toBeNull();
  });
});

describe("submitted names and numbers", () => {
  it.each([
    ["l01x 00-t47", "L01X00T47"],
    ["Ｌ０１Ｘ００Ｔ４７", "L01X00T47"],
    ["529.982.247-25", "52998224725"],
    ["abc", null],
    ["abcdef", null],
    ["1234567890".repeat(4), null],
    ["12;34", null],
  ])("the number %s is compared as %s", (typed, cleaned) => {
    expect(cleanDocumentNumber(typed)).toBe(cleaned);
  });

  it.each([
    ["  Zoé   van  Dijk ", "Zoé van Dijk"],
    ["e\u0301", "é"],
    ["王", "王"],
    ["\u202eZoé\u200b\tvan", "Zoé van"],
    ["می\u200cخواهم", "می\u200cخواهم"],
    [" - ", null],
    ["123", null],
  ])("the name %j is kept as %j", (typed, kept) => {
    expect(cleanName(typed)).toBe(kept);
  });
});

describe("the credit score", () => {
  it("is the sum of its published parts", () => {
    expect(creditScore(creditParts({ identityVerified: false, depositsReversed: 0 }))).toBe(100);
    const parts = creditParts({ identityVerified: true, depositsReversed: 2 });
    expect(parts.map(({ reason, points }) => [reason, points])).toEqual([
      ["start", 100],
      ["identityVerified", 10],
      ["depositReversed", -20],
      ["depositReversed", -20],
    ]);
    expect(creditScore(parts)).toBe(70);
  });
});
