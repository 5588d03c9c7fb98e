// @vitest-environment jsdom
import { type PolicyProposal, regionTermsList } from "@fairtick/protocol/operator";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { answer, renderFor } from "../testing.tsx";
import { RegionsScreen } from "./RegionsScreen.tsx";

afterEach(cleanup);

const region = {
  iso2: "US",
  policy: "blocked" as const,
  deposits: false,
  products: [],
  legalAge: 18,
  rule: { name: "Dodd-Frank Act", year: 2010 },
};
function renderRegions(proposals: PolicyProposal[], regions = [region]) {
  const list = answer(regionTermsList, {}, { regions, versions: [], proposals });
  renderFor(["admin"], [list], <RegionsScreen chosen={null} />);
}

it("shows the year of a region's rule as a year, not as a count", () => {
  renderRegions([]);
  expect(screen.getByRole("cell", { name: "2010" })).toBeDefined();
  expect(screen.getByRole("tab", { name: "Proposals" })).toBeDefined();
});

it("finds a region by its name without accents", () => {
  renderRegions([], [region, { ...region, iso2: "AX" }]);
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "aland" } });
  expect(screen.getByRole("cell", { name: "Åland Islands AX" })).toBeDefined();
  expect(screen.queryByRole("cell", { name: "United States US" })).toBeNull();
});

it("shows on their tab how many proposals wait, without the decided ones", () => {
  const proposal = (proposalId: string, state: PolicyProposal["state"]): PolicyProposal => ({
    proposalId,
    state,
    madeBy: { operatorId: "opr_2", login: "admin-2", name: "Admin" },
    madeAt: 0,
    reason: "A new rule",
    decidedBy: null,
    decidedAt: null,
    decisionReason: null,
    version: 2,
    effectiveAt: null,
    differences: [],
    overtaken: [],
    late: false,
  });
  renderRegions([proposal("p1", "waiting"), proposal("p2", "approved"), proposal("p3", "waiting")]);
  expect(screen.getByRole("tab", { name: "Proposals (2)" })).toBeDefined();
});
