// @vitest-environment jsdom
import type { Instrument } from "@fairtick/protocol";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { AlertForm } from "./AlertForm.tsx";

const EURUSD = { symbol: "EURUSD", name: "EUR/USD", decimals: 5, price: "1.08500" } as unknown as Instrument;

beforeEach(async () => {
  await activateAllWords("en");
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("requests one alert under one id, and another price under another", async () => {
  const ids: (string | null)[] = [];
  const refusal = { code: 409, msg: "Not now.", error: "CONFLICT", data: null };
  vi.stubGlobal("fetch", (url: string, { body }: { body: BodyInit }) => {
    if (!url.includes("alert/create")) return new Promise(() => {});
    ids.push(new URLSearchParams(body as string).get("clientId"));
    return Promise.resolve(Response.json(refusal, { status: 409 }));
  });
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <AlertForm instruments={[EURUSD]} first="EURUSD" />
      </QueryClientProvider>
    </I18nProvider>,
  );
  for (const price of ["1.09", "1.09", "1.1"]) {
    const before = ids.length;
    fireEvent.change(screen.getByLabelText("Price", { selector: "input" }), { target: { value: price } });
    fireEvent.submit(document.forms[0]!);
    await waitFor(() => expect(ids.length).toBe(before + 1));
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>("button", { name: "Set alert" }).disabled).toBe(false),
    );
  }
  expect(ids[0]).toBe(ids[1]);
  expect(ids[2]).not.toBe(ids[0]);
});
