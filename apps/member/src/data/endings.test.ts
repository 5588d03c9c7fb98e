// @vitest-environment jsdom
import type { Order } from "@fairtick/protocol";
import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { noteEnding, putAway, useEndings } from "./endings.ts";
import { endSession } from "./session.ts";
import { store } from "../shared/storage.ts";

const ended = (orderNo: string, outcome: Order["outcome"] = "won") =>
  ({ orderNo, state: outcome === null ? "open" : "settled", outcome, wallet: "practice" }) as Order;
const numbers = (orders: readonly Order[]) => orders.map(({ orderNo }) => orderNo);

afterEach(() => putAway());

it("keeps ended orders until they are dismissed, each once, and no running order", () => {
  const { result } = renderHook(useEndings);
  act(() => {
    for (const order of [ended("a"), ended("b", "lost"), ended("a"), ended("c", null)]) noteEnding(order);
  });
  expect(numbers(result.current)).toEqual(["a", "b"]);
  act(() => putAway(["a"]));
  expect(numbers(result.current)).toEqual(["b"]);
  act(() => noteEnding(ended("a")));
  expect(numbers(result.current)).toEqual(["b"]);
  act(() => putAway());
  expect(result.current).toEqual([]);
});

it("shows nothing of one member to the next", () => {
  store("exchange2508Token", "token-of-one");
  dispatchEvent(new StorageEvent("storage", { key: "exchange2508Token" }));
  const { result } = renderHook(useEndings);
  act(() => noteEnding(ended("d")));
  expect(result.current).toHaveLength(1);
  act(() => endSession("token-of-one"));
  expect(result.current).toEqual([]);
});
