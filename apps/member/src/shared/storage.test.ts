// @vitest-environment jsdom
import { afterEach, expect, it, vi } from "vitest";
import { readStored, removeStored, store } from "./storage.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

it("reads back what a full storage refused, until storing works again", () => {
  store("lang", "old");
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  store("lang", "new");
  expect(readStored("lang")).toBe("new");
  full.mockRestore();
  store("lang", "newer");
  expect(readStored("lang")).toBe("newer");
  removeStored("lang");
  expect(readStored("lang")).toBeNull();
});
