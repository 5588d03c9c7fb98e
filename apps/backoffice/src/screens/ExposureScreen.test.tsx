// @vitest-environment jsdom
import { overviewRead, reportExposure, reportResult } from "@fairtick/protocol/operator";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { answer, renderFor } from "../testing.tsx";
import { ExposureScreen } from "./ExposureScreen.tsx";

afterEach(cleanup);

it("names products as other screens do", () => {
  const overview = answer(
    overviewRead,
    {},
    {
      at: 0,
      queues: [],
      alarms: null,
      exposure: null,
      result: null,
      withdrawals: null,
      prices: [{ symbol: "EURUSD", name: "EUR/USD", isOpen: true, lastAt: null }],
      log: null,
      ledger: null,
    },
  );
  const instrument = (symbol: string) => ({ symbol, exposure: "0.00", exposureMax: "100.00" });
  const report = answer(reportExposure, {}, [
    {
      wallet: "real",
      pool: "0.00",
      fees: "0.00",
      capital: "0.00",
      owed: "0.00",
      receivable: "0.00",
      exposure: "0.00",
      exposureMax: "100.00",
      instruments: [instrument("EURUSD"), instrument("ENDED")],
    },
  ]);
  renderFor(["finance"], [overview, report, answer(reportResult, { days: "14" }, [])], <ExposureScreen />);
  expect(screen.getByRole("cell", { name: "EUR/USD" })).toBeDefined();
  // A product that the overview doesn't list keeps its symbol.
  expect(screen.getByRole("cell", { name: "ENDED" })).toBeDefined();
});
