import { expect, it } from "vitest";
import { fitSpan } from "./chart-span.ts";

it("shows a fixed time span, with less room the later the newest bar is", () => {
  const span = { kind: "fixed", from: 0, to: 100_000 } as const;
  const plot = { widthPx: 300, lengthMs: 500 };
  expect(fitSpan(span, { ...plot, lastAt: 40_000 })).toEqual({ barPx: 1.5, roomPx: 180 });
  expect(fitSpan(span, { ...plot, lastAt: 90_000 })).toEqual({ barPx: 1.5, roomPx: 30 });
});

it("moves along with the newest bar", () => {
  const span = { kind: "moving", pastMs: 90_000, aheadMs: 60_000 } as const;
  expect(fitSpan(span, { widthPx: 300, lengthMs: 1_000, lastAt: 5 })).toEqual({ barPx: 2, roomPx: 120 });
});

it("keeps the end in view if bars would be narrower than a pixel", () => {
  const span = { kind: "fixed", from: 0, to: 1_000_000 } as const;
  expect(fitSpan(span, { widthPx: 100, lengthMs: 1_000, lastAt: 980_000 })).toEqual({ barPx: 1, roomPx: 20 });
});
