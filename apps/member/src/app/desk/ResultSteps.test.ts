import type { Order } from "@fairtick/protocol";
import { expect, it } from "vitest";
import { edgesOf, runningSums } from "./ResultSteps.tsx";

const settled = (settledAt: number, profit: string) => ({ settledAt, profit }) as Order;

it("adds up results in order of settlement, to the cent", () => {
  expect(runningSums([settled(3, "-59.00"), settled(1, "0.10"), settled(2, "0.20")])).toEqual([
    "0.10",
    "0.30",
    "-58.70",
  ]);
  expect(runningSums([])).toEqual([]);
});

it("marks the highest gain and the deepest loss on the way, and neither where there was none", () => {
  expect(edgesOf(["10.00", "25.50", "-3.00", "25.50", "-8.10"])).toEqual([
    { place: 1, sum: "25.50" },
    { place: 4, sum: "-8.10" },
  ]);
  expect(edgesOf(["-3.00", "-1.00"])).toEqual([{ place: 0, sum: "-3.00" }]);
  expect(edgesOf(["0.00"])).toEqual([]);
});
