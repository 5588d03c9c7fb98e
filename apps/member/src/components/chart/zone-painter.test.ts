import { describe, expect, it, test } from "vitest";
import { paintZoneWords, wordsMiddle } from "./zone-painter.ts";

const words = { left: 100, size: 80 };

describe("the words of a zone's half", () => {
  const legend = { left: 0, right: 320, top: 0, bottom: 40 };
  const countdown = { left: 130, right: 190, top: 42, bottom: 64 };

  test.each([
    ["are where they usually are", { from: 0, to: 160, usual: 100 }, [], 100],
    ["are in their half if that is lower", { from: 0, to: 50, usual: -10 }, [], 12],
    ["are below the legend", { from: 0, to: 110, usual: 50 }, [legend], 52],
    ["are below the countdown on the expiry line", { from: 0, to: 110, usual: 50 }, [legend, countdown], 76],
    ["are left out of a half with no room beside those", { from: 0, to: 80, usual: 20 }, [legend, countdown], null],
    ["fit a half that is just as high as they are", { from: 200, to: 224, usual: 260 }, [], 212],
    ["are left out of a lower one: beyond the price they would be wrong", { from: 200, to: 223, usual: 260 }, [], null],
    ["are left out of a half that is out of view", { from: 200, to: 180, usual: 260 }, [], null],
  ])("%s", (_, half, taken, middle) => {
    expect(wordsMiddle(half, words, taken)).toBe(middle);
  });

  it("ignore a legend that ends before them", () => {
    expect(wordsMiddle({ from: 0, to: 60, usual: 0 }, words, [{ ...legend, right: 100 }])).toBe(12);
  });
});

it("always has a ground under the words, however wide the zone is", () => {
  const grounds: number[] = [];
  const texts: string[] = [];
  const context = {
    measureText: (text: string) => ({ width: text.length * 7 }),
    beginPath: () => undefined,
    fill: () => undefined,
    roundRect: (_left: number, top: number) => grounds.push(top),
    fillText: (text: string) => texts.push(text),
  } as unknown as CanvasRenderingContext2D;
  const tones = ["green", "red"] as const;
  const places = { width: 320, height: 240, covered: 0, legend: { widthPx: 0, heightPx: 0 }, x: Number, y: Number };
  const colours = { font: "sans-serif", ground: "white" } as Parameters<typeof paintZoneWords>[3]["colours"];
  const said = { words: ["Above: +84.00", "Below: −101.00"] as const, tones, taken: [] };
  paintZoneWords(context, { left: 0, right: 320, level: 120 }, said, { places, colours });
  expect(texts).toEqual(["Above: +84.00", "Below: −101.00"]);
  expect(grounds).toEqual([49, 169]);
});
