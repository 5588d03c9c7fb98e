// @vitest-environment jsdom
import { Toasts } from "@fairtick/ui";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { activateAllWords } from "../shared/i18n.ts";
import { currentPlace } from "../shared/navigation.tsx";
import { leadToLogin } from "./router.tsx";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it("shows for 1,800 ms why it leads to the login, which leads back afterwards", async () => {
  await activateAllWords("en");
  vi.useFakeTimers();
  render(<Toasts />);
  const said = () => screen.getByRole("status").textContent;
  const pass = (ms: number) => {
    act(() => {
      vi.advanceTimersByTime(ms);
    });
  };
  act(() => leadToLogin("/pages/order/index?tab=history"));
  act(() => {
    vi.advanceTimersToNextFrame();
  });
  expect(currentPlace()).toMatchObject({
    path: "/pages/index/index",
    search: { next: "/pages/order/index?tab=history" },
  });
  pass(1_799);
  expect(said()).toBe("Log in to continue");
  pass(1);
  expect(said()).toBe("");
});
