// @vitest-environment jsdom
import { expect, it, vi } from "vitest";
import { openEntry, waitForReturn } from "./sheet-history.ts";

const sheet = () => (history.state as { readonly sheet?: number } | null)?.sheet;

/**
 * Closes a sheet and waits until the browser has been asked to go back, which it hasn't done yet by then. A timer would
 * not do: the browser may be back before it fires.
 */
async function leave(closeSheet: () => void): Promise<void> {
  const goBack = history.back.bind(history);
  const asked = Promise.withResolvers<undefined>();
  const back = vi.spyOn(history, "back").mockImplementation(() => {
    goBack();
    asked.resolve(undefined);
  });
  closeSheet();
  await asked.promise;
  back.mockRestore();
}

it("keeps a sheet open that opens while the browser is still going back from a closed one", async () => {
  history.pushState({ depth: 1 }, "", "#/a");
  await leave(openEntry(() => undefined));
  const close = vi.fn<() => void>();
  openEntry(close);
  await vi.waitFor(() => {
    expect(sheet()).toBeGreaterThan(0);
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(close).not.toHaveBeenCalled();
  history.back();
  await vi.waitFor(() => {
    expect(close).toHaveBeenCalledOnce();
  });
  expect(history.state).toEqual({ depth: 1 });
});

it("leaves no entry for a sheet that is closed before it had one", async () => {
  history.pushState({ depth: 2 }, "", "#/b");
  await leave(openEntry(() => undefined));
  openEntry(() => undefined)();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(history.state).toEqual({ depth: 2 });
});

it("delays navigation until the browser has gone back from a closed sheet", async () => {
  // Wait until the earlier sheet's entry is gone.
  await vi.waitFor(() => {
    expect(waitForReturn(() => undefined)).toBe(false);
  });
  history.pushState({ depth: 3 }, "", "#/c");
  await leave(openEntry(() => undefined));
  const goOn = vi.fn<() => void>(() => {
    history.pushState({ depth: 4 }, "", "#/d");
  });
  expect(waitForReturn(goOn)).toBe(true);
  expect(goOn).not.toHaveBeenCalled();
  await vi.waitFor(() => {
    expect(location.hash).toBe("#/d");
  });
  expect(waitForReturn(goOn)).toBe(false);
  history.back();
  await vi.waitFor(() => {
    expect(history.state).toEqual({ depth: 3 });
  });
});
