import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findDue, settleOnTicks } from "./due-state.ts";
import type { ClientId, DeviceId, MemberId, OrderId } from "../base/ids.ts";
import type { MicroUsd, Rate } from "../money/money.ts";
import type { AgreedOrder } from "./order.ts";
import type { Points } from "../market/price.ts";
import { calculateOutcome, decideEntry, decideExit, settleOrder } from "./settle.ts";
import type { Tick } from "../market/tick.ts";
import type { Instant } from "../base/time.ts";

const at = (ms: number): Instant => BigInt(ms) as Instant;
const STALE = 5_000n;

/** An order accepted at 1,000 ms for 30 s: 10.00 at 0.85 with a fee of 0.10. */
const agreed: AgreedOrder = {
  orderId: 1n as OrderId,
  memberId: 2n as MemberId,
  clientOrderId: "client-1" as ClientId,
  wallet: "practice",
  symbol: "EURUSD",
  direction: "up",
  sealed: null,
  stake: 10_000_000n as MicroUsd,
  fee: 100_000n as MicroUsd,
  payoutRate: 850_000n as Rate,
  profitIfWon: 8_400_000n as MicroUsd,
  limitPrice: null,
  durationSeconds: 30,
  acceptedAt: at(1_000),
  configVersion: 1,
};
const up = agreed;
const down: AgreedOrder = { ...agreed, direction: "down" };
const limited = (direction: "up" | "down", limit: number): AgreedOrder => {
  return { ...agreed, direction, limitPrice: BigInt(limit) as Points };
};

/** Makes ticks from [time, price] pairs. */
const tape = (...pairs: [number, number][]): Tick[] =>
  pairs.map(([time, price], index) => ({ seq: BigInt(index + 1), time: at(time), price: BigInt(price) as Points }));

const WON = { profit: 8_400_000n, credit: 18_500_000n };
const LOST = { profit: -10_100_000n, credit: 0n };
const BACK = { profit: 0n, credit: 10_100_000n };

describe("an order settles on its ticks", () => {
  it.each<[string, AgreedOrder, [number, number][], string, string | null, object]>([
    [
      "up wins above its entry",
      up,
      [
        [1_500, 100],
        [31_500, 101],
      ],
      "won",
      null,
      WON,
    ],
    [
      "up loses below it",
      up,
      [
        [1_500, 100],
        [31_500, 99],
      ],
      "lost",
      null,
      LOST,
    ],
    [
      "down wins below it",
      down,
      [
        [1_500, 100],
        [31_500, 99],
      ],
      "won",
      null,
      WON,
    ],
    [
      "down loses above it",
      down,
      [
        [1_500, 100],
        [31_500, 101],
      ],
      "lost",
      null,
      LOST,
    ],
    [
      "equal prices tie, and stake and fee are returned",
      up,
      [
        [1_500, 100],
        [31_500, 100],
      ],
      "tied",
      null,
      BACK,
    ],
    [
      "a tick in the millisecond of acceptance is not an entry",
      up,
      [
        [1_000, 1],
        [1_001, 100],
        [31_001, 101],
      ],
      "won",
      null,
      WON,
    ],
    [
      "a tick one millisecond after the expiry is not an exit",
      up,
      [
        [1_500, 100],
        [31_000, 99],
        [31_501, 200],
      ],
      "lost",
      null,
      LOST,
    ],
    [
      "an entry ten seconds after acceptance is valid",
      up,
      [
        [11_000, 100],
        [41_000, 101],
      ],
      "won",
      null,
      WON,
    ],
    [
      "an entry one millisecond later than that is not",
      up,
      [
        [11_001, 100],
        [41_001, 101],
      ],
      "voided",
      "NO_ENTRY_TICK",
      BACK,
    ],
    ["no tick at all", up, [], "voided", "NO_ENTRY_TICK", BACK],
    [
      "up at its limit fills",
      limited("up", 100),
      [
        [1_500, 100],
        [31_500, 101],
      ],
      "won",
      null,
      WON,
    ],
    [
      "up above its limit",
      limited("up", 100),
      [
        [1_500, 101],
        [31_500, 102],
      ],
      "voided",
      "LIMIT_PASSED",
      BACK,
    ],
    [
      "up below its limit fills",
      limited("up", 100),
      [
        [1_500, 99],
        [31_500, 98],
      ],
      "lost",
      null,
      LOST,
    ],
    [
      "down at its limit fills",
      limited("down", 100),
      [
        [1_500, 100],
        [31_500, 99],
      ],
      "won",
      null,
      WON,
    ],
    [
      "down below its limit",
      limited("down", 100),
      [
        [1_500, 99],
        [31_500, 98],
      ],
      "voided",
      "LIMIT_PASSED",
      BACK,
    ],
    [
      "down above its limit fills",
      limited("down", 100),
      [
        [1_500, 101],
        [31_500, 102],
      ],
      "lost",
      null,
      LOST,
    ],
    [
      "a later tick within the limit does not help",
      limited("up", 9),
      [
        [1_500, 10],
        [1_600, 9],
      ],
      "voided",
      "LIMIT_PASSED",
      BACK,
    ],
    ["no tick after the entry", up, [[1_500, 100]], "voided", "NO_TICK_BETWEEN", BACK],
    [
      "only a tick after the expiry",
      up,
      [
        [1_500, 100],
        [31_501, 101],
      ],
      "voided",
      "NO_TICK_BETWEEN",
      BACK,
    ],
    [
      "an exit exactly as old as allowed",
      up,
      [
        [1_500, 100],
        [26_500, 101],
      ],
      "won",
      null,
      WON,
    ],
    [
      "an exit one millisecond older than allowed",
      up,
      [
        [1_500, 100],
        [26_499, 101],
      ],
      "voided",
      "STALE_EXIT",
      BACK,
    ],
  ])("%s", (_title, order, pairs, outcome, voidReason, money) => {
    const settled = settleOnTicks(order, STALE, tape(...pairs), at(60_000));
    expect(settled).toMatchObject({ outcome, voidReason, ...money });
  });

  it("names entry, exit and expiry", () => {
    const ticks = tape([900, 98], [1_500, 100], [20_000, 105], [31_400, 101], [32_000, 7]);
    expect(settleOnTicks(up, STALE, ticks, at(31_500))).toMatchObject({
      entry: ticks[1],
      exit: ticks[3],
      expiresAt: 31_500n,
    });
  });

  it("keeps the tick that passed the limit, and none if none came in time", () => {
    const ticks = tape([1_500, 101]);
    expect(settleOnTicks(limited("up", 100), STALE, ticks, at(1_500))).toMatchObject({ entry: ticks[0], exit: null });
    expect(settleOnTicks(up, STALE, tape([12_000, 5]), at(12_000))).toMatchObject({ entry: null, expiresAt: null });
  });

  it("allows the longer age of foreign exchange exits given by its terms", () => {
    const ticks = tape([1_500, 100], [16_500, 101]);
    expect(settleOnTicks(up, 15_000n, ticks, at(40_000))?.outcome).toBe("won");
    expect(settleOnTicks(up, 14_999n, ticks, at(40_000))?.voidReason).toBe("STALE_EXIT");
  });
});

describe("an order settles once its ticks are sealed", () => {
  const ticks = tape([1_500, 100], [31_400, 101], [31_600, 99]);
  it.each([
    [1_499, "waiting", false],
    [1_500, "entered", false],
    [31_499, "entered", false],
    [31_500, "entered", true],
    [99_999, "entered", true],
  ])("when sealed through %i, its entry is %s and it is settled: %j", (sealed, entry, isSettled) => {
    const due = findDue(up, STALE, ticks, at(sealed));
    expect(decideEntry(up, due.firstTick, due.sealedThrough).kind).toBe(entry);
    expect(settleOrder(due) !== null).toBe(isSettled);
  });

  it("waits until the ten seconds are sealed before it voids an order without an entry", () => {
    expect(settleOnTicks(up, STALE, [], at(10_999))).toBeNull();
    expect(settleOnTicks(up, STALE, [], at(11_000))?.voidReason).toBe("NO_ENTRY_TICK");
    expect(settleOnTicks(limited("up", 9), STALE, ticks, at(1_500))?.voidReason).toBe("LIMIT_PASSED");
  });

  it("throws for ticks that cannot be an entry or an exit", () => {
    const [first, last] = tape([1_000, 1], [40_000, 2]);
    expect(() => decideEntry(up, first!, at(50_000))).toThrow(/no entry/);
    expect(() => decideExit(first!, at(31_000), last!, at(50_000), STALE)).toThrow(/no exit/);
  });

  it("gives the same result whatever the seal is and whatever ticks follow", () => {
    const steps = fc.array(
      fc.record({ gap: fc.integer({ min: 1, max: 12_000 }), price: fc.integer({ min: 95, max: 105 }) }),
    );
    fc.assert(
      fc.property(
        steps,
        fc.integer({ min: 0, max: 90_000 }),
        fc.constantFrom(up, down, limited("up", 100)),
        (list, cut, order) => {
          let time = 0;
          const all = list.map(({ gap, price }, index): Tick => {
            time += gap;
            return { seq: BigInt(index), time: at(time), price: BigInt(price) as Points };
          });
          const final = settleOnTicks(order, STALE, all, at(1_000_000));
          const sealed = all.filter((tick) => tick.time <= BigInt(cut));
          const early = settleOnTicks(order, STALE, sealed, at(cut));
          const late = settleOnTicks(order, STALE, all, at(cut));
          expect(final).not.toBeNull();
          expect(late).toEqual(early);
          expect(early === null || JSON.stringify(early, text) === JSON.stringify(final, text)).toBe(true);
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe("a sealed order", () => {
  const closed: AgreedOrder = {
    ...agreed,
    direction: null,
    sealed: {
      seal: new Uint8Array(32),
      deviceId: 1n as DeviceId,
      seenSlot: 1n,
      seenHash: new Uint8Array(32),
      signature: new Uint8Array(64),
    },
  };
  const ticks = tape([1_500, 100], [31_500, 101]);
  const week = 604_800_000;

  it("waits after its expiry, is lost a week later, and settles like any other once it is revealed", () => {
    const due = findDue(closed, STALE, ticks, at(31_500));
    expect(settleOrder(due)).toBeNull();
    expect(settleOrder({ ...due, now: at(31_500 + week - 1) })).toBeNull();
    const late = settleOrder({ ...due, now: at(31_500 + week) });
    expect(late).toMatchObject({ outcome: "unrevealed", voidReason: null, entry: ticks[0], exit: ticks[1], ...LOST });
    for (const [direction, outcome] of [
      ["up", "won"],
      ["down", "lost"],
    ] as const) {
      const order = { ...closed, direction };
      expect(settleOrder({ ...due, order, now: at(31_500 + week) })?.outcome).toBe(outcome);
    }
  });

  it("is voided without being revealed if its ticks void either direction", () => {
    expect(settleOnTicks(closed, STALE, [], at(11_000))).toMatchObject({ voidReason: "NO_ENTRY_TICK", ...BACK });
    expect(settleOnTicks(closed, STALE, tape([1_500, 100]), at(40_000))).toMatchObject({
      voidReason: "NO_TICK_BETWEEN",
      ...BACK,
    });
    const stale = tape([1_500, 100], [20_000, 101]);
    expect(settleOnTicks(closed, STALE, stale, at(40_000))).toMatchObject({ voidReason: "STALE_EXIT", ...BACK });
  });
});

const text = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? value.toString() : value);

it("an outcome depends on entry, exit and direction alone, and the two directions mirror each other", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 9n }), fc.bigInt({ min: 1n, max: 9n }), (entry, exit) => {
      const [a, b] = [entry as Points, exit as Points];
      const mirrored = { won: "lost", lost: "won", tied: "tied" } as const;
      expect(calculateOutcome(a, b, "down")).toBe(mirrored[calculateOutcome(a, b, "up")]);
      expect(calculateOutcome(a, b, "up")).toBe(calculateOutcome(b, a, "down"));
    }),
  );
});
