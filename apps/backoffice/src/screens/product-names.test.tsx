// @vitest-environment jsdom
import { memberOrders, overviewRead, reportExposure, reportFairness, reportResult } from "@fairtick/protocol/operator";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { answer, renderFor } from "../testing.tsx";
import { ExposureScreen } from "./ExposureScreen.tsx";
import { FairnessScreen } from "./FairnessScreen.tsx";
import { MemberOrders } from "./MemberRecords.tsx";

afterEach(cleanup);

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

const cells = (name: string | RegExp) => screen.queryAllByRole("cell", { name });

describe("products are named as on other screens", () => {
  it("in the exposure report; one that the overview doesn't list keeps its symbol", () => {
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
    expect(cells("EUR/USD")).toHaveLength(1);
    expect(cells("ENDED")).toHaveLength(1);
  });

  it("in the fairness report, by terms and where prices were missing", () => {
    const times = { count: 0, p50: null, p95: null };
    const sums = {
      orders: 1,
      won: 1,
      lost: 0,
      tied: 0,
      voided: { NO_ENTRY_TICK: 0, LIMIT_PASSED: 0, NO_TICK_BETWEEN: 0, STALE_EXIT: 0 },
      share: null,
      shareFrom: null,
      shareTo: null,
      staked: "10.00",
      result: "0.00",
      fairResult: "0.00",
      fairFrom: "0.00",
      fairTo: "0.00",
    };
    const report = answer(
      reportFairness,
      {},
      {
        asOf: 0,
        days: 30,
        wallets: [],
        byDay: [],
        byTerms: [{ wallet: "real", symbol: "EURUSD", duration: 30, direction: "up", ...sums }],
        entryDelay: times,
        settlementDelay: times,
        withdrawalTime: times,
        corrections: { count: 0, credited: "0.00", debited: "0.00" },
        gaps: [{ symbol: "EURUSD", minutes: 60, missing: 1 }],
        liabilities: null,
        refusals: [],
        incidents: [],
        verifier: null,
        reserves: { house: "0.000000", chains: [] },
      },
    );
    renderFor(["finance"], [overview, report], <FairnessScreen />);
    expect(cells("EUR/USD")).toHaveLength(2);
    expect(cells("EURUSD")).toHaveLength(0);
  });

  it("in a member's orders", () => {
    const sent = { memberId: "usr_1", wallet: "real", state: "running", limit: "50" } as const;
    const items = [
      {
        orderNo: "ord_1",
        symbol: "EURUSD",
        direction: "up",
        duration: 30,
        acceptedAt: 0,
        stake: "10.00",
        state: "open",
        outcome: null,
        profit: null,
      },
    ];
    const orders = answer(memberOrders, sent, { items, nextCursor: null } as never);
    renderFor(["finance"], [overview, orders], <MemberOrders memberId="usr_1" wallet="real" />);
    expect(cells("EUR/USD up 30 s")).toHaveLength(1);
  });
});
