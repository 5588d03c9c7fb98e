// @vitest-environment jsdom
import type { Instrument } from "@fairtick/protocol";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { refreshInstruments, takeInstrument, useShownInstrument } from "./instruments.ts";
import { keys, queryClient } from "./queries.ts";

const EURO = { symbol: "EURUSD", open: false, suspended: false } as Instrument;
const ETHER = { symbol: "ETHUSD", open: true, suspended: true } as Instrument;
const BITCOIN = { symbol: "BTCUSD", open: true, suspended: false } as Instrument;

beforeEach(() => {
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  queryClient.setQueryData(keys.instruments, [EURO, ETHER, BITCOIN]);
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

function shown(symbol?: string) {
  const { result, rerender } = renderHook(({ at }) => useShownInstrument(at)?.symbol, {
    initialProps: { at: symbol },
    wrapper: ({ children }: { readonly children: ReactNode }) => (
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    ),
  });
  return { result, rerender };
}

it("is the one in the address, closed or not, and none that the house doesn't know", () => {
  expect([shown("EURUSD").result.current, shown("XAUUSD").result.current]).toEqual(["EURUSD", undefined]);
});

it("is otherwise the first that takes orders, and the first of all if none does", () => {
  expect(shown().result.current).toBe("BTCUSD");
  queryClient.setQueryData(keys.instruments, [EURO, ETHER]);
  expect(shown().result.current).toBe("EURUSD");
});

it("stays when another market opens, until the address says another", () => {
  const { result, rerender } = shown();
  act(() => {
    queryClient.setQueryData(keys.instruments, [{ ...EURO, open: true }, ETHER, { ...BITCOIN, open: false }]);
  });
  expect(result.current).toBe("BTCUSD");
  rerender({ at: "EURUSD" });
  expect(result.current).toBe("EURUSD");
});

it("is as the stream told it, whatever an older answer says that arrives later", async () => {
  const answers: ((instruments: readonly Instrument[]) => void)[] = [];
  vi.stubGlobal("fetch", () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answers.push((data) => resolve(Response.json({ code: 200, msg: "", data })));
    return promise;
  });
  shown();
  void refreshInstruments();
  const opened = { ...EURO, open: true };
  takeInstrument(opened);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[0]?.([EURO]);
  answers[1]?.([opened, { ...BITCOIN, suspended: true }]);
  const known = () => queryClient.getQueryData<Instrument[]>(keys.instruments);
  await vi.waitFor(() => expect(known()).toMatchObject([{ open: true }, { suspended: true }]));
});
