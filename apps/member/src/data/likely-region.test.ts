import { expect, it } from "vitest";
import { guessRegion } from "./likely-region.ts";

const REGIONS = ["AT", "BR", "CH", "DE", "US", "VN"];

it.each([
  ["the clock, whatever the language", "America/Sao_Paulo", ["en-US"], "BR"],
  ["the clock of one of a region's several zones", "America/Denver", ["de-DE"], "US"],
  ["the language, where the clock says nothing of a region", "UTC", ["vi", "en"], "VN"],
  ["the first language that is one of a region on the list", "UTC", ["nl-NL", "de-AT", "pt-BR"], "AT"],
  ["the language's usual region, where it names none", "Etc/GMT+3", ["pt"], "BR"],
])("goes by %s", (_, timeZone, languages, region) => {
  expect(guessRegion({ timeZone, languages }, REGIONS)).toBe(region);
});

it.each([
  ["nothing fits", { timeZone: "Asia/Tokyo", languages: ["ja"] }],
  ["what the browser says is no language", { timeZone: "", languages: ["", "no language at all"] }],
  ["it says nothing", { timeZone: "UTC", languages: [] }],
])("guesses nothing where %s", (_, place) => {
  expect(guessRegion(place, REGIONS)).toBeNull();
});

it("guesses no region that isn't offered", () => {
  expect(guessRegion({ timeZone: "America/Sao_Paulo", languages: ["pt-BR"] }, ["DE"])).toBeNull();
});
