import { describe, expect, it } from "vitest";
import { toHex } from "../log/bytes.ts";
import { nodeHashes } from "../log/node-hashes.ts";
import type { Points } from "./price.ts";
import {
  SM1_DEFAULT_SWITCHES,
  sm1Bytes,
  sm1Commit,
  sm1EpochKey,
  sm1InstrumentKey,
  sm1Quote,
  sm1Start,
  sm1Step,
  type Sm1Params,
} from "./sm1.ts";

const params: Sm1Params = {
  symbol: "EURUSD",
  name: "EUR/USD",
  anchor: 1_085_000n as Points,
  sigma: 11_075_708n,
  jump: 5,
  spread: 60n,
  pull: 22,
  switches: SM1_DEFAULT_SWITCHES,
  digits: 6,
};
const seed = new Uint8Array(32).fill(0x11);
const mix = new Uint8Array(32).fill(0x22);
const paramsHash = new Uint8Array(32).fill(0x33);

describe("SM1 meets its published test vector", () => {
  const epochKey = sm1EpochKey(nodeHashes, 7n, seed, mix);
  const instrumentKey = sm1InstrumentKey(nodeHashes, epochKey, "EUR/USD");

  it("derives the commitment, both keys and the first random bytes", () => {
    expect(toHex(sm1Commit(nodeHashes, 7n, seed, paramsHash))).toBe(
      "871c457d3b5b8b4ea8cd332719d6345bcbe9e65b4de37de2b5041e449369133d",
    );
    expect(toHex(epochKey)).toBe("4ae516874b357cd084db8b016fad5e01472689fb87b921e065ffc9c7a8216af3");
    expect(toHex(instrumentKey)).toBe("e13e956901b8be0c100e755746eb8c1252c2aa10872feef08cc2288f8addbe43");
    expect(toHex(sm1Bytes(nodeHashes, instrumentKey, 0))).toBe(
      "29f168ef6fc2162ab212e136bc26896af05383ee9eea5a4d3cb28f98fc46b479",
    );
  });

  it.each([
    [0, 4660056960379304n, 1084974n, 1085004n, 1085034n],
    [1, 4660089765285657n, 1084982n, 1085012n, 1085042n],
    [2, 4660097488975945n, 1084983n, 1085013n, 1085043n],
    [3, 4660046674180104n, 1084972n, 1085002n, 1085032n],
    [4, 4659992340158024n, 1084959n, 1084989n, 1085019n],
  ])("tick %i has the published x, bid, mid and ask", (t, x, bid, mid, ask) => {
    let state = sm1Start(params);
    for (let step = 0; step <= t; step += 1) {
      state = sm1Step(params, state, sm1Bytes(nodeHashes, instrumentKey, step));
    }
    expect(state.x).toBe(x);
    expect(sm1Quote(params, state)).toEqual({ bid, mid, ask });
  });
});

describe("one step", () => {
  // Bytes whose twelve halves average out, so that they cause no move (sum 393210 = 12 · 32767.5).
  function bytes(options: { a?: number; j?: number; q?: number; halves?: readonly number[] }): Uint8Array {
    const out = new Uint8Array(32);
    const view = new DataView(out.buffer);
    const halves = options.halves ?? [0, 65535, 0, 65535, 0, 65535, 0, 65535, 0, 65535, 0, 65535];
    halves.forEach((half, index) => view.setUint16(index * 2, half));
    view.setUint32(24, options.a ?? 0xffff_ffff);
    view.setUint16(28, options.j ?? 0xffff);
    view.setUint16(30, options.q ?? 0);
    return out;
  }

  it.each([
    [0, 3_579_138, 1],
    [0, 3_579_139, 0],
    [1, 3_579_138, 0],
    [1, 3_579_139, 2],
    [1, 7_555_960, 2],
    [1, 7_555_961, 1],
    [2, 17_895_696, 1],
    [2, 17_895_697, 2],
  ] as const)("from regime %i with draw %i goes to regime %i", (from, draw, to) => {
    expect(sm1Step(params, { x: params.anchor << 32n, regime: from }, bytes({ a: draw })).regime).toBe(to);
  });

  it("jumps up or down by 8 to 24 sigma when the draw is below the instrument's chance", () => {
    const start = sm1Start(params);
    const still = sm1Step(params, start, bytes({ j: 5 }));
    expect(still.x).toBe(start.x);
    const up = sm1Step(params, start, bytes({ j: 4, q: 0x8000 }));
    const down = sm1Step(params, start, bytes({ j: 4, q: 16 }));
    expect(up.x).toBeGreaterThan(start.x);
    expect(down.x).toBeLessThan(start.x);
    const ratio = Number(start.x - down.x) / Number(up.x - start.x);
    expect(ratio).toBeCloseTo(3, 4);
  });

  it("doubles the spread in a storm and keeps bid, mid and ask in order when the spread is odd", () => {
    const odd = { ...params, spread: 61n };
    expect(sm1Quote(odd, { x: 1_085_000n << 32n, regime: 1 })).toEqual({ bid: 1084970n, mid: 1085000n, ask: 1085031n });
    expect(sm1Quote(odd, { x: 1_085_000n << 32n, regime: 2 })).toEqual({ bid: 1084939n, mid: 1085000n, ask: 1085061n });
  });

  it("keeps the price between a quarter and four times the anchor", () => {
    const wild = { ...params, sigma: 1n << 45n, pull: 0 };
    const rise = bytes({ halves: Array.from({ length: 12 }, () => 65535) });
    const fall = bytes({ halves: Array.from({ length: 12 }, () => 0) });
    expect(sm1Step(wild, sm1Start(wild), rise).x).toBe((wild.anchor << 32n) * 4n);
    expect(sm1Step(wild, sm1Start(wild), fall).x).toBe((wild.anchor << 32n) / 4n);
  });
});
