// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

/** Loads the offer as a page does that has just been opened: it knows only what the device stores. */
async function openPage({ running = 0 } = {}) {
  vi.resetModules();
  const { I18nProvider } = await import("@lingui/react");
  const { QueryClientProvider } = await import("@tanstack/react-query");
  const { activateAllWords, i18n } = await import("../../shared/i18n.ts");
  const { keys, queryClient } = await import("../../data/queries.ts");
  const { changeSettings } = await import("../../data/settings.ts");
  const { OneTapOffer } = await import("./OneTapOffer.tsx");
  const { offerOneTap } = await import("./one-tap-offer.ts");
  await activateAllWords("en");
  queryClient.setQueryData(keys.positions("practice"), { items: Array.from({ length: running }, () => ({})) });
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <OneTapOffer />
      </QueryClientProvider>
    </I18nProvider>,
  );
  return { offerOneTap, changeSettings };
}
const offer = () => screen.queryByTestId("one-tap");

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => new EventTarget());
  vi.stubGlobal("fetch", () => new Promise(() => {}));
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it("is still made after a reload during the first order, until it is answered", async () => {
  const { offerOneTap } = await openPage({ running: 1 });
  offerOneTap();
  expect(offer()).toBeNull();
  cleanup();

  await openPage();
  fireEvent.click(screen.getByRole("button", { name: "Keep confirming" }));
  expect(offer()).toBeNull();
  cleanup();

  const later = await openPage();
  later.offerOneTap();
  expect(offer()).toBeNull();
});

it("isn't made to a member who has turned the confirmation off elsewhere", async () => {
  const first = await openPage({ running: 1 });
  first.offerOneTap();
  first.changeSettings({ confirmOrders: false });
  cleanup();
  await openPage();
  expect(offer()).toBeNull();
});
