// @vitest-environment jsdom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { navigateTo } from "../shared/navigation.tsx";
import { Ahead } from "./Ahead.tsx";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});
const wait = (ms: number) => {
  act(() => void vi.advanceTimersByTime(ms));
};

it("shows that a screen is loading until it is there", () => {
  navigateTo("/pages/home/index");
  const { rerender } = render(<Ahead shown="/pages/home/index" />);
  expect(screen.queryByTestId("ahead")).toBeNull();
  act(() => {
    navigateTo("/pages/home/index?view=falling");
  });
  wait(1_000);
  expect(screen.queryByTestId("ahead")).toBeNull();
  act(() => {
    navigateTo("/pages/market/index");
  });
  wait(200);
  expect(screen.queryByTestId("ahead")).toBeNull();
  wait(100);
  expect(screen.queryByTestId("ahead")).not.toBeNull();
  rerender(<Ahead shown="/pages/market/index" />);
  expect(screen.queryByTestId("ahead")).toBeNull();
});
