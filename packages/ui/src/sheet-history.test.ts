// @vitest-environment jsdom
import { expect, it, vi } from "vitest";
import { openEntry } from "./sheet-history.ts";

const sheet = () => (history.state as { readonly sheet?: number } | null)?.sheet;
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

it("keeps a sheet open that opens while the browser still goes back from one that was closed", async () => {
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

it("leaves no entry for one that is closed before it had any", async () => {
  history.pushState({ depth: 2 }, "", "#/b");
  openEntry(() => undefined)();
  await nextTask();
  openEntry(() => undefined)();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(history.state).toEqual({ depth: 2 });
});
