import { expect, it } from "vitest";
import { guessRegion } from "./likely-region.ts";

const REGIONS = ["AT", "BR", "CH", "DE", "US", "VN"];

it.each([
  ["the time zone, whatever the language", "America/Sao_Paulo", ["en-US"], "BR"],
  ["one of a region's several time zones", "America/Denver", ["de-DE"], "US"],
  ["the language, if the time zone has no region", "UTC", ["vi", "en"], "VN"],
  ["the first language of a region on the list", "UTC", ["nl-NL", "de-AT", "pt-BR"], "AT"],
  ["the language's usual region, if the tag names none", "Etc/GMT+3", ["pt"], "BR"],
])("goes by %s", (_, timeZone, languages, region) => {
  expect(guessRegion({ timeZone, languages }, REGIONS)).toBe(region);
});

it.each([
  ["nothing fits", { timeZone: "Asia/Tokyo", languages: ["ja"] }],
  ["the browser's language is invalid", { timeZone: "", languages: ["", "no language at all"] }],
  ["the browser has no hints", { timeZone: "UTC", languages: [] }],
])("guesses nothing if %s", (_, place) => {
  expect(guessRegion(place, REGIONS)).toBeNull();
});

it("guesses no region that isn't offered", () => {
  expect(guessRegion({ timeZone: "America/Sao_Paulo", languages: ["pt-BR"] }, ["DE"])).toBeNull();
});
