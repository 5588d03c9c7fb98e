import { expect, it } from "vitest";
import { layOutTags } from "./running-painter.ts";

/** Seven px for each letter. */
const context = { measureText: (text: string) => ({ width: text.length * 7 }) } as CanvasRenderingContext2D;
const colours = { font: "sans-serif" } as Parameters<typeof layOutTags>[2]["colours"];
const running = {
  orderNo: "ord_1",
  direction: "up",
  entryAt: 100,
  entryPrice: "40",
  expiresAt: 300,
  words: "Up 50.00",
  winWords: "",
  loseWords: "",
} as const;

/** Lays out one order's tags in a plot whose instants and prices are its px. */
const tagsAt = (entryPrice: string, legendWidth: number, covered = 0) =>
  layOutTags(context, [{ ...running, entryPrice }], {
    places: {
      width: 320,
      height: 240,
      legend: { widthPx: legendWidth, heightPx: 24 },
      covered,
      x: (at) => at,
      y: (price) => price,
    },
    colours,
    now: 0,
  });

it("leaves out an entry's words where they would cover the figures in the corner", () => {
  expect(tagsAt("20", 200).words).toEqual([]);
  expect(tagsAt("60", 200).words).toMatchObject([{ words: "Up 50.00", y: 60 }]);
  expect(tagsAt("20", 0).words).toMatchObject([{ words: "Up 50.00", y: 20 }]);
});

it("keeps countdowns below those figures if they reach that far", () => {
  expect(tagsAt("60", 200).countdowns).toMatchObject([{ y: 14 }]);
  expect(tagsAt("60", 310).countdowns).toMatchObject([{ y: 38 }]);
});

it("keeps countdowns and figures below what the page covers", () => {
  expect(tagsAt("100", 200, 46).countdowns).toMatchObject([{ y: 60 }]);
  expect(tagsAt("60", 200, 46).words).toEqual([]);
});
