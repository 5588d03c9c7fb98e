// @vitest-environment jsdom
import type { Order } from "@fairtick/protocol";
import { afterEach, expect, it, vi } from "vitest";
import { BUZZES, noteEnding, putAway, useEndings } from "./endings.ts";
import { act, renderHook } from "@testing-library/react";
import { keepRunning, takeMissed, tellHowTheyEnded } from "./last-running.ts";

const running = (orderNo: string, wallet: Order["wallet"] = "practice") => ({ orderNo, wallet });
const settled = (orderNo: string, outcome: Order["outcome"] = "won") =>
  ({ orderNo, state: "settled", outcome, wallet: "practice" }) as Order;

afterEach(() => {
  putAway();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it("returns what ran at the last opening and has ended since, once, and only to the same member", () => {
  expect(takeMissed("mem_1", [running("a")])).toEqual([]);
  keepRunning("mem_1", [running("a"), running("b"), running("c", "real")]);
  expect(takeMissed("mem_1", [running("b")])).toEqual([
    ["a", "practice"],
    ["c", "real"],
  ]);
  expect(takeMissed("mem_1", [running("b")])).toEqual([]);
  expect(takeMissed("mem_2", [])).toEqual([]);
  expect(takeMissed("mem_1", []), "another member was here since").toEqual([]);
});

it("ignores what another version stored", () => {
  localStorage.setItem("fairtickRunning", JSON.stringify(["a"]));
  expect(takeMissed("mem_1", [])).toEqual([]);
});

it("announces how they ended, silently and each once, even if the stream announced it too", async () => {
  const vibrate = vi.fn<(pattern: readonly number[]) => boolean>(() => true);
  vi.stubGlobal("navigator", Object.assign(Object.create(navigator) as Navigator, { vibrate }));
  const page = { totals: {}, items: [settled("m3", "lost"), settled("m2"), settled("other")], nextCursor: null };
  vi.stubGlobal("fetch", async () => Response.json({ code: 200, data: page }));
  const { result } = renderHook(useEndings);
  await act(async () =>
    tellHowTheyEnded([
      ["m2", "practice"],
      ["m3", "practice"],
      ["gone", "practice"],
    ]),
  );
  expect(result.current.map(({ orderNo }) => orderNo)).toEqual(["m2", "m3"]);
  expect(vibrate).not.toHaveBeenCalledWith(BUZZES.won);
  act(() => noteEnding(settled("m2")));
  expect(result.current).toHaveLength(2);
});
