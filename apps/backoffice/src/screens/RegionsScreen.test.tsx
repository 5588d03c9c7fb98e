// @vitest-environment jsdom
import { regionTermsList } from "@fairtick/protocol/operator";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { answer, renderFor } from "../testing.tsx";
import { RegionsScreen } from "./RegionsScreen.tsx";

afterEach(cleanup);

it("shows the year of a region's rule as a year, not as a count", () => {
  const region = {
    iso2: "US",
    policy: "blocked" as const,
    deposits: false,
    products: [],
    legalAge: 18,
    rule: { name: "Dodd-Frank Act", year: 2010 },
  };
  const list = answer(regionTermsList, {}, { regions: [region], versions: [], proposals: [] });
  renderFor(["admin"], [list], <RegionsScreen chosen={null} />);
  expect(screen.getByRole("cell", { name: "2010" })).toBeDefined();
});
