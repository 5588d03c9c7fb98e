import type { Order } from "@fairtick/protocol";
import { expect, it } from "vitest";
import { runningSums } from "./ResultSteps.tsx";

const settled = (settledAt: number, profit: string) => ({ settledAt, profit }) as Order;

it("adds up results in order of settlement, to the cent", () => {
  expect(runningSums([settled(3, "-59.00"), settled(1, "0.10"), settled(2, "0.20")])).toEqual([
    "0.10",
    "0.30",
    "-58.70",
  ]);
  expect(runningSums([])).toEqual([]);
});
