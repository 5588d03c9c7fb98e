import { translate } from "@fairtick/i18n/server";
import { expect, it } from "vitest";
import type { Text } from "./i18n.ts";
import { counterWords, tooLongWords } from "./text-length.ts";

const t: Text = (id, values) => translate("en", id, { ...(values as Record<string, string>) });

it.each([
  [25, 32, undefined, undefined],
  [26, 32, "26 of 32 characters", undefined],
  [32, 32, "32 of 32 characters", undefined],
  [33, 32, "33 of 32 characters", "At most 32 characters. Please shorten it by 1"],
  [4_250, 4_000, "4,250 of 4,000 characters", "At most 4,000 characters. Please shorten it by 250"],
])("%s characters of at most %s give %j and %j", (length, max, counted, wrong) => {
  const text = "a".repeat(length);
  expect(counterWords(t, text, max)).toBe(counted);
  expect(tooLongWords(t, text, max)).toBe(wrong);
});
