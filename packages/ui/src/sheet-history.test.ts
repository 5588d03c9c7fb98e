// @vitest-environment jsdom
import { expect, it, vi } from "vitest";
import { openEntry, waitForReturn } from "./sheet-history.ts";

const sheet = () => (history.state as { readonly sheet?: number } | null)?.sheet;
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

it("keeps a sheet open that opens while the browser is still going back from a closed one", async () => {
  history.pushState({ depth: 1 }, "", "#/a");
  const closeFirst = openEntry(() => undefined);
  closeFirst();
  await nextTask();
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
  openEntry(() => undefined)();
  await nextTask();
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
  openEntry(() => undefined)();
  await nextTask();
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
