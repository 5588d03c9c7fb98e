import { expect, it } from "vitest";
import { createResendWatch } from "./resend-watch.ts";

it("expects resends for a second after one was seen, and not before", () => {
  let now = 5_000;
  const watch = createResendWatch(() => now);
  expect(watch.areLikely()).toBe(false);
  watch.seen();
  now += 999;
  expect(watch.areLikely()).toBe(true);
  now += 1;
  expect(watch.areLikely()).toBe(false);
});
