// @vitest-environment jsdom
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";

/** Loads the app's navigation and sheets afresh at the current history entry, as a reload does. */
async function reload() {
  vi.resetModules();
  const navigation = await import("./navigation.tsx");
  const { openEntry } = await import("@fairtick/ui/sheet-history.ts");
  return { ...navigation, openEntry };
}
/** jsdom walks its history in a separate task. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 150));

const listening = vi.spyOn(globalThis, "addEventListener");
/** A page that was reloaded hears nothing of its history any more. */
afterEach(() => {
  for (const [type, listener, options] of listening.mock.calls) removeEventListener(type, listener, options);
  listening.mockClear();
});
afterAll(() => {
  listening.mockRestore();
});
beforeEach(() => {
  history.pushState({ depth: 0 }, "", "#/pages/home/index");
  history.pushState({ depth: 1 }, "", "#/pages/qk/qk");
});

it("leaves the entry of a sheet that was open at a reload, so that the next step back leaves the screen", async () => {
  history.pushState({ depth: 1, sheet: 4 }, "");
  const { currentPlace } = await reload();
  expect(currentPlace().path).toBe("/pages/qk/qk");
  await vi.waitFor(() => expect(history.state).toEqual({ depth: 1 }));
  expect(currentPlace().path).toBe("/pages/qk/qk");
  history.back();
  await vi.waitFor(() => expect(currentPlace().path).toBe("/pages/home/index"));
});

it("leaves the entries of several sheets", async () => {
  history.pushState({ depth: 1, sheet: 4 }, "");
  history.pushState({ depth: 1, sheet: 5 }, "");
  const { currentPlace } = await reload();
  await vi.waitFor(() => expect(history.state).toEqual({ depth: 1 }));
  history.back();
  await vi.waitFor(() => expect(currentPlace().path).toBe("/pages/home/index"));
});

it("gives a sheet that opens at once its own entry", async () => {
  history.pushState({ depth: 1, sheet: 4 }, "");
  const { openEntry, currentPlace } = await reload();
  const close = vi.fn<() => void>();
  openEntry(close);
  await settle();
  expect(close).not.toHaveBeenCalled();
  expect(history.state).toMatchObject({ depth: 1, sheet: expect.any(Number) as number });
  history.back();
  await vi.waitFor(() => expect(close).toHaveBeenCalledTimes(1));
  await settle();
  expect(history.state).toEqual({ depth: 1 });
  expect(currentPlace().path).toBe("/pages/qk/qk");
});

it("keeps a place that was opened before the sheet's entry was left", async () => {
  history.pushState({ depth: 1, sheet: 4 }, "");
  const { navigateTo, currentPlace, goBack } = await reload();
  navigateTo("/pages/market/index");
  await settle();
  expect(currentPlace().path).toBe("/pages/market/index");
  expect(history.state).toEqual({ depth: 2 });
  goBack("/pages/user/index");
  await vi.waitFor(() => expect(currentPlace().path).toBe("/pages/qk/qk"));
  await settle();
  expect(history.state).toEqual({ depth: 1 });
});

it("stays where it is after a reload without a sheet", async () => {
  const back = vi.spyOn(history, "back");
  const { currentPlace } = await reload();
  await settle();
  expect(back).not.toHaveBeenCalled();
  expect(history.state).toEqual({ depth: 1 });
  expect(currentPlace().path).toBe("/pages/qk/qk");
  back.mockRestore();
});
