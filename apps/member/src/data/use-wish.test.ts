// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createWish } from "./use-wish.ts";

const TERMS = ["test", "0x01", "20.00"];
const HOUR_MS = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  sessionStorage.clear();
});

it("is taken up again by a form that opens within an hour, and by none later", () => {
  const open = createWish("withdrawal");
  const id = open.idOf(TERMS);
  vi.advanceTimersByTime(HOUR_MS - 1_000);
  expect(createWish("withdrawal").idOf(TERMS)).toBe(id);
  vi.advanceTimersByTime(2_000);
  expect(createWish("withdrawal").idOf(TERMS)).not.toBe(id);
  // The form that is still open promises that trying again makes no second one.
  expect(open.idOf(TERMS)).toBe(id);
});

it("is each form's own, and starts anew from storage that can't be read", () => {
  const id = createWish("withdrawal").idOf(TERMS);
  expect(createWish("claim").idOf(TERMS)).not.toBe(id);
  sessionStorage.setItem("fairtickWish.withdrawal", "{");
  expect(createWish("withdrawal").idOf(TERMS)).not.toBe(id);
});
