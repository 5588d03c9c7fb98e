// @vitest-environment jsdom
import { Toasts } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { activateAllWords, i18n } from "../shared/i18n.ts";
import { CodeField } from "./CodeField.tsx";

const fieldFor = (to: string) => (
  <I18nProvider i18n={i18n}>
    <CodeField
      purpose="reset"
      channel="email"
      to={to}
      recipient={() => to}
      value=""
      onChange={() => undefined}
      wrong={undefined}
    />
  </I18nProvider>
);
const send = () => screen.queryByRole("button", { name: "Send code" });

beforeEach(async () => {
  await activateAllWords("en");
  vi.stubGlobal("fetch", () =>
    Promise.resolve(new Response(JSON.stringify({ code: 200, msg: "", data: { retryAt: Date.now() + 60_000 } }))),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("makes only the address that a code was sent to wait for another one", async () => {
  const { rerender } = render(fieldFor("misspelt@example.com"));
  fireEvent.click(send()!);
  await vi.waitFor(() => {
    expect(send()).toBeNull();
  });
  rerender(fieldFor("right@example.com"));
  expect(send()).not.toBeNull();
  rerender(fieldFor("misspelt@example.com"));
  expect(send()).toBeNull();
});

it("keeps waiting after its screen was left and opened again", async () => {
  const { unmount } = render(fieldFor("back-soon@example.com"));
  fireEvent.click(send()!);
  await vi.waitFor(() => {
    expect(send()).toBeNull();
  });
  unmount();
  render(fieldFor("back-soon@example.com"));
  expect(send()).toBeNull();
});

it("counts down the time in a refusal, as after a reload", async () => {
  const data = { error: "RATE_LIMITED", params: { retryAt: Date.now() + 40_000 }, fields: {} };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ code: 429, msg: "Too many", data }))));
  render(fieldFor("reloaded@example.com"));
  fireEvent.click(send()!);
  await screen.findByText(/New code in 0:[34]\d/, {}, { timeout: 8_000 });
  expect(send()).toBeNull();
});

it("says to look for the code first if its sending timed out, and not to tap the screen", async () => {
  vi.stubGlobal(
    "fetch",
    (_: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(new Error("aborted")));
      }),
  );
  vi.useFakeTimers();
  try {
    render(
      <>
        {fieldFor("slow@example.com")}
        <Toasts />
      </>,
    );
    fireEvent.click(send()!);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(screen.getByText(/^Connection timed out\. Check whether the code has arrived/)).not.toBeNull();
  } finally {
    vi.useRealTimers();
  }
});
