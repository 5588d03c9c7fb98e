import { describe, expect, it } from "vitest";
import { FIRST_SM1_PARAMS } from "../config/first-config.ts";
import { nodeHashes } from "../log/node-hashes.ts";
import { sm1Bytes, sm1Commit, sm1EpochKey, sm1InstrumentKey, sm1Mix, sm1Start, sm1TickTime } from "./sm1.ts";
import { sm1Digest, sm1EpochTicks, sm1ParamsEntry, sm1ParamsHash, sm1Walk } from "./sm1-epoch.ts";
import type { Instant } from "../base/time.ts";
import { toHex, utf8 } from "../log/bytes.ts";

const seed = new Uint8Array(32).fill(0x55);
const two = FIRST_SM1_PARAMS.slice(0, 2);
const paramsHash = sm1ParamsHash(nodeHashes, sm1ParamsEntry(two));
const commit = sm1Commit(nodeHashes, 3n, seed, paramsHash);
const mix = sm1Mix(nodeHashes, commit);
const epochKey = sm1EpochKey(nodeHashes, 3n, seed, mix);

describe("an epoch", () => {
  it("makes 1200 ticks half a second apart, one by one or all at once", () => {
    const params = two[0]!;
    const walk = sm1Walk(nodeHashes, params, epochKey, sm1Start(params));
    const ticks = sm1EpochTicks(nodeHashes, params, epochKey, sm1Start(params));
    expect(ticks.map(() => walk.next())).toEqual(ticks);
    expect([walk.t, walk.state]).toEqual([1200, ticks.at(-1)!.state]);
    expect(() => walk.next()).toThrow(/is over/);
    expect(sm1TickTime(1_000n as Instant, 1200)).toBe(601_000n);
  });

  it("takes its mix from its commit if there is no log yet", () => {
    const expected = nodeHashes.sha256(new Uint8Array([...utf8("SM1/mix\0"), ...commit]));
    expect(toHex(mix)).toBe(toHex(expected));
  });

  it("writes the digest's lines in the published form", () => {
    const params = two[0]!;
    const [first, second] = sm1EpochTicks(nodeHashes, params, epochKey, sm1Start(params));
    const line = (t: number, { bid, mid, ask, state }: typeof first & {}): string =>
      `3,${t},${bid},${mid},${ask},${state.regime}`;
    const expected = nodeHashes.sha256(utf8(`${line(0, first!)}\n${line(1, second!)}`));
    expect(toHex(sm1Digest(nodeHashes, 3n, [first!, second!]))).toBe(toHex(expected));
  });
});

describe("the market's figures, over eight hours of a fixed seed", () => {
  // Without jumps, because their few large moves would dominate a sample of this size.
  const params = { ...FIRST_SM1_PARAMS[0]!, jump: 0 };
  const key = sm1InstrumentKey(nodeHashes, epochKey, params.name);
  const COUNT = 60_000;
  const mids: number[] = [];
  const regimes = [0, 0, 0];
  let walk = sm1Walk(nodeHashes, params, epochKey, sm1Start(params));
  let epoch = 0;
  for (let index = 0; index < COUNT; index += 1) {
    if (walk.t === 1200) {
      epoch += 1;
      const next = sm1Bytes(nodeHashes, key, epoch);
      walk = sm1Walk(nodeHashes, params, next, walk.state);
    }
    const { mid, state } = walk.next();
    mids.push(Number(mid));
    regimes[state.regime]! += 1;
  }

  it("moves by the annual volatility", () => {
    let squares = 0;
    for (let index = 1; index < COUNT; index += 1) squares += Math.log(mids[index]! / mids[index - 1]!) ** 2;
    const annual = Math.sqrt((squares / (COUNT - 1)) * (31_536_000_000 / 500));
    expect(annual).toBeGreaterThan(0.08 * 0.75);
    expect(annual).toBeLessThan(0.08 * 1.25);
  });

  it("leaves about six in a thousand thirty-second orders tied", () => {
    let tied = 0;
    for (let index = 60; index < COUNT; index += 1) if (mids[index] === mids[index - 60]) tied += 1;
    const share = tied / (COUNT - 60);
    expect(share).toBeGreaterThan(0.002);
    expect(share).toBeLessThan(0.011);
  });

  it("favours neither direction", () => {
    let up = 0;
    let moved = 0;
    for (let index = 60; index < COUNT; index += 60) {
      if (mids[index] !== mids[index - 60]) moved += 1;
      if (mids[index]! > mids[index - 60]!) up += 1;
    }
    // About 1,000 windows: four standard errors.
    expect(Math.abs(up / moved - 0.5)).toBeLessThan(4 * Math.sqrt(0.25 / moved));
  });

  it("passes through calm, normal and storm", () => {
    expect(regimes.every((count) => count > COUNT / 100)).toBe(true);
  });
});
