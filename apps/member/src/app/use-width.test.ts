// @vitest-environment jsdom
import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { changeSettings } from "../data/settings.ts";
import { useRoom, useWidth } from "./use-width.ts";

afterEach(() => {
  changeSettings({ textSize: "100" });
});

function resize(width: number, height = 800) {
  act(() => {
    window.innerWidth = width;
    window.innerHeight = height;
    dispatchEvent(new Event("resize"));
  });
}

it("chooses each layout from its width, and follows the window", () => {
  const { result } = renderHook(() => useWidth());
  const drawn = [767, 768, 1199, 1200, 1759, 1760].map((width) => {
    resize(width);
    return result.current;
  });
  expect(drawn).toEqual(["phone", "tablet", "tablet", "desk", "desk", "wide"]);
});

it("stays the phone's layout on a phone on its side, but not in a low window of a desk", () => {
  const { result } = renderHook(() => useWidth());
  const drawn = (
    [
      [844, 390],
      [932, 430],
      [999, 479],
      [999, 480],
      [1_000, 479],
      [1_440, 400],
    ] as const
  ).map(([width, height]) => {
    resize(width, height);
    return result.current;
  });
  expect(drawn).toEqual(["phone", "phone", "phone", "tablet", "tablet", "desk"]);
});

it("has as much room as the text size leaves", () => {
  resize(1280);
  const { result } = renderHook(() => useRoom());
  const room = (["100", "115", "150", "200"] as const).map((textSize) => {
    act(() => {
      changeSettings({ textSize });
    });
    return result.current;
  });
  expect(room).toEqual(["desk", "tablet", "tablet", "phone"]);
});
