import { describe, expect, it } from "vitest";
import { FIRST_REGIONS as REGIONS } from "./first-regions.ts";

const EU_AND_EEA = "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS LI NO".split(
  " ",
);

describe("regions", () => {
  it("are those of ISO 3166-1, each once, none below eighteen", () => {
    expect(REGIONS.size).toBe(249);
    const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
    const wrong = [...REGIONS.values()].filter(({ iso2, legalAge }) => names.of(iso2) === undefined || legalAge < 18);
    expect(wrong).toEqual([]);
  });

  it.each([
    ...EU_AND_EEA.map((iso2) => [iso2, "ESMA", 2018] as const),
    ["GB", "PS19/11", 2019],
    ["AU", "2021/240", 2021],
    ["CA", "91-102", 2017],
    ["IL", "Amendment 66", 2018],
    ["US", "Commodity Exchange Act", 2010],
    ["JP", "FFAJ", 2013],
    ["SG", "Securities and Futures", 2018],
    ["IN", "Foreign Exchange Management Act", 2022],
  ] as const)("%s is left the practice wallet by %s of %i", (iso2, name, year) => {
    const region = REGIONS.get(iso2);
    expect(region).toMatchObject({ policy: "practice", rule: { year } });
    expect(region?.rule?.name).toContain(name);
  });

  it.each(["CU", "IR", "KP", "SY", "RU", "BY", "MM"])("%s is blocked, with its rule", (iso2) => {
    expect(REGIONS.get(iso2)).toMatchObject({ policy: "blocked", rule: { name: expect.any(String) } });
  });
});
