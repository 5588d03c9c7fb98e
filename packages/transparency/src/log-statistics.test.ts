import {
  concatBytes,
  type Direction,
  type Instant,
  type Points,
  refusalCommitment,
  sealOf,
  termsHash,
  termsJson,
  toHex,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { describe, expect, it } from "vitest";
import { toBase64 } from "./base64.ts";
import { statisticsLines } from "./cli/statistics-lines.ts";
import { createStatistics } from "./log-statistics.ts";
import { parseRefusedOpenings, type RefusedOpening } from "./refused-openings.ts";
import {
  makeEpochLog,
  makeWorld,
  policyOf,
  POLICY,
  TEST_BEACON,
  testLogKey,
  testWitness,
  type TestEntry,
} from "./testing.ts";
import { START } from "./testing-house.ts";
import { verifyLog } from "./verify-log.ts";

const AT = START + 30_130n;
const BATCH = 5;

/** Makes the opening of a wish for 30 s on EUR/USD, refused in a batch that has only refusals. */
function refusedWish(place: number, direction: Direction): RefusedOpening {
  const fill = (byte: number, length: number) => new Uint8Array(length).fill(byte + place);
  const sealNonce = fill(1, 32);
  const seal = new Uint8Array(sealOf(nodeHashes, sealNonce, { direction, limitPrice: null }));
  return {
    batch: BATCH,
    place,
    symbol: "EURUSD",
    duration: 30,
    direction,
    limitPrice: null,
    nonce: fill(2, 16),
    own: fill(3, 32),
    seal,
    sealNonce,
  };
}

function commitmentOf({ symbol, duration, direction, seal, nonce, own }: RefusedOpening): Uint8Array {
  const json = termsJson({ symbol, durationSeconds: duration, direction, limitPrice: null as Points | null, seal });
  return refusalCommitment(nodeHashes, termsHash(nodeHashes, nonce, json), own);
}

function refusing(wishes: readonly RefusedOpening[]) {
  const fields = {
    acceptedAt: AT,
    batch: BATCH,
    commitments: "",
    config: 1,
    open: 0,
    reasons: { LATE: 1, PRICE_STALE: wishes.length - 1 },
    refusals: toBase64(concatBytes(...wishes.map(commitmentOf))),
    v: 2,
  };
  return (entries: TestEntry[]): TestEntry[] =>
    [...entries, { time: AT, kind: "orders.accept", fields }].toSorted((left, right) => Number(left.time - right.time));
}

const wishes = [refusedWish(0, "up"), refusedWish(1, "down"), refusedWish(2, "up")];
const orders = [{ at: 30_130n }, { at: 60_130n, direction: "down" as const }];

describe("the report of a log", () => {
  it("counts outcomes by direction, refusals by reason, missing batch numbers and changes", async () => {
    const world = await makeWorld(nodeHashes, orders, { change: refusing(wishes), ordersPerBatch: 1 });
    const { statistics } = await verifyLog(nodeHashes, world, POLICY);
    expect(statistics.wins.decided).toBe(2);
    expect(statistics.winsBySide.up.decided).toBe(1);
    expect([...statistics.refusals]).toEqual([
      ["LATE", 1],
      ["PRICE_STALE", 2],
    ]);
    expect(statistics.batches).toBe(3);
    expect(statistics.missingBatches).toEqual([{ from: 3, to: 4 }]);
    expect(statistics.changes.get("config")).toBe(1);
    expect(statistics.changes.get("policy regions")).toBe(1);
    expect(statistics.opened).toBeNull();
    const lines = statisticsLines(statistics).join("\n");
    expect(lines).toContain("refused: LATE 1, PRICE_STALE 2");
    expect(lines).toContain("batch numbers: 2 of 5 are not in the log: 3 to 4");
    expect(lines).toMatch(
      /changes: params 1, source EURUSD 1.*config 1.*policy regions 1|changes: params 1, config 1, policy regions 1/,
    );
  });

  it("counts the rounds of a beacon that the house says never came, over all epochs", async () => {
    const witness = testWitness("first", 3);
    const policy = policyOf([testLogKey(1)], [witness]);
    const beacon = { sinceEpoch: 2n, secret: TEST_BEACON, missing: [10, 11, 199] };
    const log = makeEpochLog(nodeHashes, { epochs: [{ e: 1n }, { e: 2n }, { e: 3n }], witness, beacon });
    const { statistics } = await verifyLog(nodeHashes, log, policy);
    expect(statistics.rounds).toEqual({ shown: 400, missing: 6 });
    expect(statisticsLines(statistics)).toContain("beacon: 6 of 400 rounds never came, says the house");
    expect(statisticsLines({ ...statistics, rounds: { shown: 400, missing: 0 } }).join("\n")).not.toContain("beacon:");
  });

  it("lists each change with its entry and when it takes effect or was logged", async () => {
    const world = await makeWorld(nodeHashes, orders, { sources: { EURUSD: [[-50_000n, "kraken"]] } });
    const { statistics } = await verifyLog(nodeHashes, world, POLICY);
    const lines = statisticsLines(statistics).filter((line) => line.startsWith("change "));
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
    for (const line of [
      `config at entry \\d+: version 1 takes effect at ${time}`,
      `policy at entry \\d+: version 1 of regions takes effect at ${time}`,
      `source at entry \\d+: EURUSD comes from kraken from ${time} on`,
      `params at entry \\d+: terms of simulated prices were logged (first of all|after ${time})`,
    ])
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^change {2}${line}$`)));
    const [source] = statistics.changed.get("source")?.first ?? [];
    expect(source?.entry).toMatchObject({ symbol: "EURUSD", since: START - 50_000n });
  });

  it("lists the first twenty changes of a kind, and says how many more there are", () => {
    const book = createStatistics(null);
    const entry = { kind: "source", source: "kraken", v: 1 } as const;
    for (let index = 0; index < 23; index += 1)
      book.add(index, { ...entry, symbol: `SYM${index}`, since: BigInt(index) as Instant }, 0n);
    const lines = statisticsLines(book.read()).filter((line) => line.startsWith("change "));
    expect(lines).toHaveLength(21);
    expect(lines[19]).toBe("change  source at entry 19: SYM19 comes from kraken from 1970-01-01T00:00:00.019Z on");
    expect(lines[20]).toBe("change  source: 3 more");
  });

  it("names a moment beyond all calendars in milliseconds", () => {
    const book = createStatistics(null);
    const since = BigInt(Number.MAX_SAFE_INTEGER) as Instant;
    book.add(7, { kind: "source", source: "kraken", symbol: "EURUSD", since, v: 1 }, 0n);
    expect(statisticsLines(book.read())).toContain(
      `change  source at entry 7: EURUSD comes from kraken from ${since} on`,
    );
  });

  it("counts voids by reason and direction", async () => {
    const skip = (symbol: string, time: bigint) => symbol === "EURUSD" && time > 40_000n && time < 100_000n;
    const world = await makeWorld(nodeHashes, [{ at: 30_130n }, { at: 31_130n, direction: "down" }], {
      skip,
      sources: { EURUSD: [[-50_000n, "kraken"]] },
    });
    const { statistics } = await verifyLog(nodeHashes, world, POLICY);
    expect(Object.fromEntries(statistics.voids)).toEqual({ STALE_EXIT: { up: 1, down: 1 } });
    expect(statisticsLines(statistics)).toContain("voided: STALE_EXIT (1 up, 1 down)");
  });

  it("finds opened refusals in their batch, and counts how they would have ended", async () => {
    const world = await makeWorld(nodeHashes, orders, { change: refusing(wishes), ordersPerBatch: 1 });
    const report = await verifyLog(nodeHashes, world, POLICY, null, null, { opened: wishes });
    const { opened } = report.statistics;
    expect(opened).toMatchObject({ found: 3, wrong: 0, decided: 3 });
    // All three depend on the same prices, so the two up orders end alike and the down order the other way.
    expect([1, 2]).toContain(opened?.won);
    expect(statisticsLines(report.statistics).join("\n")).toMatch(
      /opened refusals: 3, of which .* of the accepted: the difference lies between .* no more than chance explains$/m,
    );
  });

  it("counts a refusal once, however often it is listed", async () => {
    const world = await makeWorld(nodeHashes, orders, { change: refusing(wishes), ordersPerBatch: 1 });
    const listed = [...wishes, ...wishes.slice(0, 1), ...wishes.slice(0, 1)];
    const { statistics } = await verifyLog(nodeHashes, world, POLICY, null, null, { opened: listed });
    expect(statistics.opened).toMatchObject({ found: 3, wrong: 0, decided: 3 });
  });

  it.each<[string, (wish: RefusedOpening) => Partial<RefusedOpening>]>([
    ["the other direction", () => ({ direction: "down" })],
    ["another seal's nonce", () => ({ sealNonce: new Uint8Array(32) })],
    ["another private part", () => ({ own: new Uint8Array(32) })],
    ["another place", () => ({ place: 1 })],
    ["a batch that isn't there", () => ({ batch: 4 })],
    ["another duration", () => ({ duration: 60 })],
  ])("rejects an opening with %s", async (_what, change) => {
    const [first] = wishes;
    if (first === undefined) throw new Error("no wish");
    const world = await makeWorld(nodeHashes, orders, { change: refusing(wishes), ordersPerBatch: 1 });
    const bent = [{ ...first, ...change(first) }];
    const { statistics } = await verifyLog(nodeHashes, world, POLICY, null, null, { opened: bent });
    expect(statistics.opened).toEqual({ found: 0, wrong: 1, won: 0, decided: 0 });
    expect(statisticsLines(statistics).join("\n")).toContain("1 openings make no refusal of this log");
  });
});

describe("openings of refusals", () => {
  it("are parsed from JSON, with an error that names the wrong field", () => {
    const [wish] = wishes;
    if (wish?.seal === undefined || wish.seal === null || wish.sealNonce === null) throw new Error("no wish");
    const told = {
      ...wish,
      nonce: toHex(wish.nonce),
      own: toHex(wish.own),
      seal: toHex(wish.seal),
      sealNonce: toHex(wish.sealNonce),
    };
    expect(parseRefusedOpenings(JSON.stringify([told]))).toEqual([wish]);
    expect(() => parseRefusedOpenings(JSON.stringify([{ ...told, place: -1 }]))).toThrow(
      /no openings of refusals: openings\[0\]\.place/,
    );
    expect(() => parseRefusedOpenings("[{}]")).toThrow(/no openings of refusals/);
  });
});
