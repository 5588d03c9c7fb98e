// @vitest-environment jsdom
import { Toasts } from "@fairtick/ui";
import { act, cleanup, render, renderHook, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepPending, readPending, type PendingOrder } from "../../data/pending-order.ts";
import { keys, queryClient } from "../../data/queries.ts";
import { answerDevice, bringHead } from "../../data/sealed/test-sealing.ts";
import { activateAllWords } from "../../shared/i18n.ts";
import { usePlaceOrder } from "./use-place-order.ts";

const ORDER: PendingOrder = {
  clientOrderId: "order-0001",
  member: "mem_1",
  wallet: "practice",
  symbol: "EURUSD",
  direction: "up",
  stake: "12.50",
  duration: 60,
  payoutRate: "0.9",
  fee: "0.12",
  sentAt: 1_000,
};
const ANSWER = { ...ORDER, orderNo: "ord_1", state: "accepted", acceptance: { proof: "of the first" } };

const logIn = (userId: string) => {
  localStorage.setItem("exchange2508Token", `token of ${userId}`);
  localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId } }));
};
let answer: (envelope: object) => void;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  queryClient.clear();
  logIn("mem_1");
  const { promise, resolve } = Promise.withResolvers<Response>();
  answer = (envelope) => {
    resolve(new Response(JSON.stringify(envelope)));
  };
  bringHead();
  vi.stubGlobal("fetch", (path: string) => {
    const device = answerDevice(path);
    if (device !== null) return Promise.resolve(device);
    return path === "/client/order/place" ? promise : new Promise(() => {});
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  ["its answer", { code: 200, msg: "", data: ANSWER }],
  ["its refusal", { code: 422, msg: "INSUFFICIENT", data: { error: "INSUFFICIENT_BALANCE" } }],
])("shows and keeps nothing of one member's order where %s comes when another is logged in", async (_, envelope) => {
  const placed = vi.fn<() => void>();
  const { result } = renderHook(() => usePlaceOrder(placed));
  act(() => {
    result.current.place(ORDER);
  });
  logIn("mem_2");
  queryClient.setQueryData(keys.positions("practice"), { items: [], nextCursor: null });
  const own = { ...ORDER, clientOrderId: "order-0002", member: "mem_2" };
  keepPending(own);
  answer(envelope);
  await waitFor(() => {
    expect(result.current.state).toEqual({ step: "idle" });
  });
  expect(placed).not.toHaveBeenCalled();
  expect(queryClient.getQueryData(keys.order("ord_1"))).toBeUndefined();
  expect(queryClient.getQueryData(keys.positions("practice"))).toEqual({ items: [], nextCursor: null });
  expect(localStorage.getItem("fairtickAcceptances") ?? "").not.toContain("of the first");
  expect(readPending()).toEqual(own);
});

it("shows the member's own", async () => {
  const placed = vi.fn<() => void>();
  const { result } = renderHook(() => usePlaceOrder(placed));
  act(() => {
    result.current.place(ORDER);
  });
  answer({ code: 200, msg: "", data: { ...ANSWER, acceptance: null } });
  await waitFor(() => {
    expect(placed).toHaveBeenCalledTimes(1);
  });
  expect(readPending()).toBeNull();
});

it.each([
  ["nothing", null],
  ["another order", { ...ANSWER, clientOrderId: "order-0002" }],
])("keeps an order whose answer is about %s, and asks again with the same number", async (_, data) => {
  await activateAllWords("en");
  const placed = vi.fn<() => void>();
  const { result } = renderHook(() => usePlaceOrder(placed));
  act(() => {
    result.current.place(ORDER);
  });
  answer({ code: 200, msg: "", data });
  await waitFor(() => {
    expect(result.current.state).toEqual({ step: "cut", asking: true });
  });
  expect(placed).not.toHaveBeenCalled();
  expect(readPending()).toEqual(ORDER);
});

it("says after a minute without an answer that the same order is sent again, and never places a second", async () => {
  await activateAllWords("en");
  const ids: (string | null)[] = [];
  vi.stubGlobal("fetch", (path: string, { body, signal }: RequestInit) => {
    const device = answerDevice(path);
    if (device !== null) return Promise.resolve(device);
    ids.push((body as URLSearchParams).get("clientOrderId"));
    return new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    render(<Toasts />);
    const { result } = renderHook(() => usePlaceOrder(() => {}));
    act(() => {
      result.current.place(ORDER);
    });
    await vi.waitFor(() => expect(ids).toHaveLength(1));
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(screen.getByRole("status").textContent).toBe(
      "We haven’t heard back. We’re asking again with the same number, so this can’t place a second order.",
    );
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(result.current.state).toEqual({ step: "cut", asking: true });
    await vi.waitFor(() => expect(ids).toEqual(["order-0001", "order-0001"]));
  } finally {
    vi.useRealTimers();
  }
});
