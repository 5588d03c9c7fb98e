import { waitUntil } from "@fairtick/testkit";
import { expect, it } from "vitest";
import { startRounds } from "./rounds.ts";

const told: string[] = [];
const log = { warn: (_: unknown, sentence?: string) => void told.push(sentence ?? "") } as never;

it("starts at once, continues after a failure and never runs twice at once", async () => {
  let [begun, at, most] = [0, 0, 0];
  const rounds = startRounds({ log, everyMs: 5, failed: "the next round does it" }, async () => {
    begun += 1;
    most = Math.max(most, (at += 1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    at -= 1;
    if (begun === 1) throw new Error("no connection");
  });
  expect(begun).toBe(1);
  await waitUntil("the third round", () => begun >= 3);
  await rounds.stop();
  expect([at, most, told]).toEqual([0, 1, ["the next round does it"]]);
  const ended = begun;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(begun).toBe(ended);
});

it("waits before the first round if told to", async () => {
  let begun = 0;
  const rounds = startRounds({ log, everyMs: 10, failed: "", atStart: false }, async () => void (begun += 1));
  expect(begun).toBe(0);
  await waitUntil("the first round", () => begun > 0);
  await rounds.stop();
});
