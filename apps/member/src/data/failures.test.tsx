// @vitest-environment jsdom
import { Toasts } from "@fairtick/ui";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { activateAllWords } from "../shared/i18n.ts";
import { navigateTo } from "../shared/navigation.tsx";
import { reportFailure } from "./failures.ts";
import { queryClient } from "./queries.ts";
import { CallError, type FailureKind } from "./transport.ts";

const failing = (kind: FailureKind, words: string) => () => Promise.reject(new CallError(kind, words));
const ask = (name: string, words = "Nerwork Error") =>
  act(async () => {
    await queryClient
      .fetchQuery({ queryKey: [name], queryFn: failing("refused", words), staleTime: 0 })
      .catch(() => undefined);
  });

/** Returns the text of the current toast and removes it. */
function said(): string {
  const words = screen.getByRole("status").textContent;
  act(() => {
    vi.advanceTimersByTime(2_000);
  });
  return words;
}

beforeEach(async () => {
  await activateAllWords("en");
  vi.useFakeTimers();
  navigateTo(`/pages/x/${Math.random()}`);
  render(<Toasts />);
});
afterEach(() => {
  vi.advanceTimersByTime(10_000);
  cleanup();
  queryClient.clear();
  vi.useRealTimers();
});

it("reports a background failure once, whichever call failed, and again after a quiet minute", async () => {
  await ask("one");
  expect(said()).toBe("Nerwork Error");
  for (const name of ["one", "two", "one"]) {
    await ask(name);
    expect(said()).toBe("");
  }
  await ask("two", "Insufficient balance");
  expect(said()).toBe("Insufficient balance");
  vi.advanceTimersByTime(60_000);
  await ask("one");
  expect(said()).toBe("Nerwork Error");
});

it("reports it again for a tap that asked for it, once for all calls of that tap", async () => {
  await ask("one");
  expect(said()).toBe("Nerwork Error");
  document.body.click();
  await ask("one");
  expect(said()).toBe("Nerwork Error");
  document.body.click();
  await ask("two");
  await ask("one");
  expect(said()).toBe("Nerwork Error");
});

it("reports it again on another screen", async () => {
  await ask("one");
  expect(said()).toBe("Nerwork Error");
  navigateTo("/pages/another/screen");
  await ask("one");
  expect(said()).toBe("Nerwork Error");
});

it.each([
  [undefined, "Connection timed out. Please try again"],
  ["Check again", "Check again"],
])("doesn't say to tap the screen if an action timed out (%s)", (timedOut, words) => {
  act(() => reportFailure(new CallError("timeout", "Connection timed out. Tap the screen to retry"), timedOut));
  expect(said()).toBe(words);
});

it("leaves an ended session to the login screen", () => {
  act(() => reportFailure(new CallError("session", "Login expired, please log in again")));
  expect(said()).toBe("");
});
