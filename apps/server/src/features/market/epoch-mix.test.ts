import { type Instant, sm1Mix } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { expect, it } from "vitest";
import type { MixReading } from "../log/index.ts";
import { createMixDesk } from "./epoch-mix.ts";

const commit = new Uint8Array(32).fill(1);
const [cosignature, root] = [new Uint8Array(72).fill(2), new Uint8Array(32).fill(3)];
const cosigned: MixReading = { checkpoint: "seen", source: cosignature, final: true };
const signed: MixReading = { checkpoint: "unseen", source: root, final: false };
const nothing: MixReading = { checkpoint: null, source: null, final: false };

/** Asks for the mix once a second. Returns which one it got and when. */
async function wait(answers: (ms: bigint) => MixReading, start: bigint) {
  let now = 0n as Instant;
  const desk = createMixDesk(() => Promise.resolve(answers(now)));
  for (; now <= 700_000n; now = (now + 1_000n) as Instant) {
    // A start at short notice moves on as time passes.
    const due = start > now + 30_000n ? start : now + 1_500n;
    const found = await desk.mixFor(7n, commit, due as Instant, now);
    if (found !== null) return { at: now, ...found };
  }
  throw new Error("it never stopped waiting");
}

it("uses a cosignature as soon as there is one", async () => {
  expect(await wait(() => cosigned, 600_000n)).toEqual({
    at: 0n,
    mix: sm1Mix(nodeHashes, cosignature),
    checkpoint: "seen",
  });
  expect(await wait((ms) => (ms < 60_000n ? signed : cosigned), 600_000n)).toMatchObject({
    at: 60_000n,
    checkpoint: "seen",
  });
});

it("opens an epoch in time without the witness, with a root or else with the commit alone", async () => {
  const late = { at: 565_000n, mix: sm1Mix(nodeHashes, root), checkpoint: "unseen" };
  expect(await wait(() => signed, 600_000n)).toEqual(late);
  const alone = { at: 565_000n, mix: sm1Mix(nodeHashes, commit), checkpoint: null };
  expect(await wait(() => nothing, 600_000n)).toEqual(alone);
});

it("waits four seconds at short notice, and not at all without a log", async () => {
  expect(await wait(() => nothing, 0n)).toMatchObject({ at: 4_000n, checkpoint: null });
  const none = await createMixDesk().mixFor(1n, commit, 1_500n as Instant, 0n as Instant);
  expect(none).toEqual({ mix: sm1Mix(nodeHashes, commit), checkpoint: null });
});
