import { expect, it } from "vitest";
import { compareWins, isBeyond, winShare } from "./win-rates.ts";

it.each([
  // Calculated separately in Python, by Wilson's formula.
  [{ won: 0, decided: 0 }, 0.5, 0, 1],
  [{ won: 5, decided: 10 }, 0.5, 0.184, 0.816],
  [{ won: 0, decided: 12 }, 0, 0, 0.356],
  [{ won: 1_020, decided: 2_000 }, 0.51, 0.481, 0.539],
])("calculates the share of %j and its interval", (count, share, from, to) => {
  const made = winShare(count);
  expect(made.share).toBeCloseTo(share, 6);
  expect(made.from).toBeCloseTo(from, 3);
  expect(made.to).toBeCloseTo(to, 3);
});

it("distinguishes a biased selection from chance", () => {
  const fair = compareWins({ won: 512, decided: 1_000 }, { won: 495, decided: 1_000 });
  expect(isBeyond(fair, 0)).toBe(false);
  const chosen = compareWins({ won: 440, decided: 1_000 }, { won: 560, decided: 1_000 });
  expect(chosen.share).toBeCloseTo(-0.12, 6);
  expect(isBeyond(chosen, 0)).toBe(true);
});

it("has wider intervals for few orders, and finds no difference without any", () => {
  expect(isBeyond(compareWins({ won: 0, decided: 0 }, { won: 900, decided: 1_000 }), 0)).toBe(false);
  expect(isBeyond(winShare({ won: 0, decided: 5 }), 0.5)).toBe(false);
  expect(isBeyond(winShare({ won: 0, decided: 8 }), 0.5)).toBe(true);
});
