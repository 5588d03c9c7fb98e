// @vitest-environment jsdom
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { currentPlace, navigateTo } from "../../shared/navigation.tsx";
import { useDeskCharts } from "./desk-charts.ts";
import { changeLayout, forgetLayouts } from "./layout-store.ts";
import type { Breakpoint } from "./layout-store.ts";

beforeEach(() => {
  navigateTo("/pages/trade/index?symbol=EURUSD");
});
afterEach(() => {
  localStorage.clear();
  forgetLayouts();
});

/** Renders the hook as the workspace uses it, with the product from the address. */
function charts(breakpoint: Breakpoint = "wide") {
  const { result, rerender } = renderHook(() => useDeskCharts(breakpoint, currentPlace().search["symbol"] ?? "EURUSD"));
  const show = (symbol: string) => {
    navigateTo(`/pages/trade/index?symbol=${symbol}`, { replace: true });
    rerender();
  };
  const run = (what: () => void) => {
    act(what);
    rerender();
  };
  return { result, show, run };
}

it("shows the first chart's product in a linked second chart, whichever it is", () => {
  const { result, show } = charts();
  expect([result.current.main, result.current.second, result.current.isLinked]).toEqual(["EURUSD", "EURUSD", true]);
  show("BTCUSD");
  expect([result.current.main, result.current.second]).toEqual(["BTCUSD", "BTCUSD"]);
});

it("leaves the other chart alone once unlinked, and puts the active one's product in the address", () => {
  const { result, show, run } = charts();
  run(() => {
    result.current.link(false);
  });
  run(() => {
    result.current.activate("second");
  });
  show("XAUUSD");
  expect([result.current.active, result.current.main, result.current.second]).toEqual(["second", "EURUSD", "XAUUSD"]);
  run(() => {
    result.current.activate("main");
  });
  expect(currentPlace().search).toEqual({ symbol: "EURUSD" });
  expect([result.current.active, result.current.main, result.current.second]).toEqual(["main", "EURUSD", "XAUUSD"]);
});

it("has one chart if there is no room for two or the second was closed", () => {
  changeLayout("wide", { secondSymbol: "XAUUSD" });
  expect(charts("desk").result.current.second).toBeNull();
  const { result, run } = charts();
  run(() => {
    result.current.activate("second");
  });
  expect(currentPlace().search).toEqual({ symbol: "XAUUSD" });
  run(() => {
    result.current.setTwo(false);
  });
  expect([result.current.active, result.current.second]).toEqual(["main", null]);
  expect(currentPlace().search).toEqual({ symbol: "EURUSD" });
});

it("keeps the order that the ticket shows where the other chart has the same product", () => {
  navigateTo("/pages/trade/trade?orderNo=ord_1");
  const { result, run } = charts();
  run(() => {
    result.current.activate("second");
  });
  expect(result.current.active).toBe("second");
  expect(currentPlace().search).toEqual({ orderNo: "ord_1" });
});
