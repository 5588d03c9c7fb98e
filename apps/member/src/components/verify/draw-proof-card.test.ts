// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { drawProofCard, type ProofCard } from "./draw-proof-card.ts";

/** The words and circles on the canvas. Only the seal has a circle. */
let words: string[] = [];
let circles = 0;

const pen = {
  beginPath() {},
  arc: () => (circles += 1),
  fill() {},
  stroke() {},
  moveTo() {},
  lineTo() {},
  fillRect() {},
  fillText: (text: string) => words.push(text),
  measureText: (text: string | null) => ({ width: (text ?? "").length }),
};

beforeEach(() => {
  [words, circles] = [[], 0];
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(pen as unknown as CanvasRenderingContext2D);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation((take) => {
    take(new Blob());
  });
});
afterEach(() => void vi.restoreAllMocks());

const CARD: ProofCard = {
  name: "EUR/USD",
  terms: "Up · 1 min",
  outcome: "Won",
  facts: [["Entry", "1.085012"]],
  verified: "Verified against the public log",
  scan: "Scan to check it yourself",
  link: "https://fairtick.example/#/pages/proof/index",
  tone: "up",
};

it("seals a card whose order was verified", async () => {
  await drawProofCard(CARD, document.body);
  expect([circles, words.slice(-2)]).toEqual([1, [CARD.verified, CARD.scan]]);
});

it("draws no seal and no words about verifying on any other card", async () => {
  await drawProofCard({ ...CARD, verified: null }, document.body);
  expect([circles, words.at(-1)]).toEqual([0, CARD.scan]);
  expect(words).not.toContain(null);
});
