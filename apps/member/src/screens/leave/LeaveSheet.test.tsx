// @vitest-environment jsdom
import { SheetFrame, Toasts } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keys, queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { LeaveSheet } from "./LeaveSheet.tsx";

const SUMMARY = { available: "0.00", totalAssets: "0.00", openPositions: 0, serverTime: 1 };

beforeEach(async () => {
  await activateAllWords("en");
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  queryClient.setQueryData(keys.info, { userId: "mem_1", account: "ana@example.com" });
  for (const wallet of ["real", "practice"]) queryClient.setQueryData(keys.summary(wallet), { ...SUMMARY, wallet });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

it.each(["consent", "close"] as const)("marks what is missing to leave (%s), until it is given", async (kind) => {
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <SheetFrame value={document.body}>
          <LeaveSheet kind={kind} onClose={() => {}} />
        </SheetFrame>
        <Toasts />
      </QueryClientProvider>
    </I18nProvider>,
  );
  const tick = await screen.findByRole("checkbox");
  const password = screen.getByLabelText("Login password", { selector: "input" });
  const wrong = () => [password, tick].map((field) => field.getAttribute("aria-invalid") === "true");
  const submit = () => fireEvent.submit(document.forms[0]!);
  expect(wrong()).toEqual([false, false]);
  submit();
  expect(wrong()).toEqual([true, true]);
  fireEvent.change(password, { target: { value: "slate-harbour-7421" } });
  expect(wrong()).toEqual([false, true]);
  submit();
  expect(wrong()).toEqual([false, true]);
  expect(document.querySelector(".toasts")?.textContent).toContain(i18n._("leave.understandFirst"));
  fireEvent.click(tick);
  expect(wrong()).toEqual([false, false]);
});
