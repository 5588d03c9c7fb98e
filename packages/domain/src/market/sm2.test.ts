import { createHash, hkdfSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Instant } from "../base/time.ts";
import { FIRST_SM1_PARAMS } from "../config/first-config.ts";
import { concatBytes, toHex, u64, utf8 } from "../log/bytes.ts";
import { nodeHashes } from "../log/node-hashes.ts";
import { beaconRoundAt } from "./beacon-time.ts";
import { sm1EpochKey, sm1InstrumentKey, sm1Start, sm1TickTime } from "./sm1.ts";
import { sm1EpochTicks } from "./sm1-epoch.ts";
import { sm2EpochTicks, sm2Walk, sm2WindowKey, type Sm2Epoch } from "./sm2.ts";

const params = FIRST_SM1_PARAMS.find(({ symbol }) => symbol === "EURUSD")!;
const beacon = { genesis: 1_692_803_367n, period: 3n };
// In the middle of a round's time, because epochs don't have to begin with a round.
const start = 1_800_000_001_250n as Instant;
const epochKey = sm1EpochKey(nodeHashes, 7n, new Uint8Array(32).fill(0x11), new Uint8Array(32).fill(0x22));
const epoch: Sm2Epoch = { params, epochKey, start, beacon };
const from = sm1Start(params);
/** Stand-ins for signatures; to the generator a signature is just 48 bytes. */
const signatureOf = (round: bigint) => new Uint8Array(createHash("sha384").update(u64(round)).digest());
const first = beaconRoundAt(beacon, start);
const rounds = new Map(
  Array.from({ length: 202 }, (_, nth) => [first + BigInt(nth), signatureOf(first + BigInt(nth))]),
);
const all = sm2EpochTicks(nodeHashes, epoch, from, rounds);

describe("SM2", () => {
  it("derives the same noise as Node's HKDF", () => {
    const key = sm1InstrumentKey(nodeHashes, epochKey, params.name);
    const info = concatBytes(utf8("SM2/round\0"), u64(first));
    const expected = Buffer.from(hkdfSync("sha256", key, signatureOf(first), info, 32)).toString("hex");
    expect(toHex(sm2WindowKey(nodeHashes, key, first, signatureOf(first)))).toBe(expected);
  });

  it("makes 1200 ticks, one by one or all at once, which differ from SM1's", () => {
    const walk = sm2Walk(nodeHashes, epoch, from);
    const ticks = all.ticks.map(() => walk.next(rounds.get(walk.round())!));
    expect(ticks).toEqual(all.ticks);
    expect(all.ticks).toHaveLength(1200);
    expect([walk.t, walk.state]).toEqual([1200, all.end]);
    expect(() => walk.next(signatureOf(first))).toThrow(/is over/);
    expect(() => walk.skip()).toThrow(/is over/);
    expect(all.ticks[0]).not.toEqual(sm1EpochTicks(nodeHashes, params, epochKey, from)[0]);
  });

  it("depends on a round only from its time on: another signature changes later prices and no earlier ones", () => {
    const changed = first + 50n;
    const other = sm2EpochTicks(nodeHashes, epoch, from, new Map([...rounds, [changed, signatureOf(1n)]]));
    const differing = other.ticks.findIndex((tick, place) => tick.state.x !== all.ticks[place]!.state.x);
    expect(beaconRoundAt(beacon, sm1TickTime(start, differing))).toBe(changed);
    expect(beaconRoundAt(beacon, sm1TickTime(start, differing - 1))).toBe(changed - 1n);
  });

  it("has no ticks in the time of a round that never came, and continues from the last price", () => {
    const missing = first + 10n;
    const without = new Map([...rounds].filter(([round]) => round !== missing));
    const { ticks } = sm2EpochTicks(nodeHashes, epoch, from, without);
    expect(ticks).toHaveLength(1194);
    const gone = all.ticks.filter(({ t }) => !ticks.some((tick) => tick.t === t)).map(({ t }) => sm1TickTime(start, t));
    expect(gone.map((time) => beaconRoundAt(beacon, time))).toEqual(Array.from({ length: 6 }, () => missing));
    const before = ticks.filter(({ t }) => sm1TickTime(start, t) < gone[0]!);
    expect(before).toEqual(all.ticks.slice(0, before.length));
    expect(sm2EpochTicks(nodeHashes, epoch, from, new Map())).toEqual({ ticks: [], end: from });
  });

  it("produces its published prices", () => {
    expect(all.ticks.slice(0, 5).map(({ mid }) => mid)).toMatchInlineSnapshot(`
      [
        1084990n,
        1084985n,
        1085001n,
        1084993n,
        1084989n,
      ]
    `);
    expect([all.end.x, all.end.regime]).toMatchInlineSnapshot(`
      [
        4659260374527186n,
        1,
      ]
    `);
  });
});
