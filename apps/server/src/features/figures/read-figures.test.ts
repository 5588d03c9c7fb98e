import type { Instant, MemberId } from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrderWorld, instant, type OrderWorld, usd } from "../orders/test-world.ts";
import { readFigures, startOfWeek, WEEK_MS } from "./read-figures.ts";

let world: OrderWorld;
beforeAll(async () => {
  world = await createOrderWorld();
});
afterAll(() => world.close());

const MONDAY = BigInt(Date.UTC(2026, 10, 16));

describe("a week", () => {
  it.each([
    ["Monday's first instant", 0n],
    ["Sunday's last", WEEK_MS - 1n],
  ])("begins on Monday at 00:00 UTC, seen from %s", (_, into) => {
    expect(startOfWeek((MONDAY + into) as Instant)).toBe(MONDAY);
  });
});

describe("own figures", () => {
  it("have only this week and no rates for a member without orders", async () => {
    const memberId = (await world.build.createMember()) as MemberId;
    const now = instant(await world.build.now());
    expect(await readFigures(world.context, memberId, "practice", now)).toEqual({
      weeks: [
        {
          start: Number(startOfWeek(now)),
          orders: 0,
          won: 0,
          lost: 0,
          tied: 0,
          voided: 0,
          staked: "0.00",
          profit: "0.00",
        },
      ],
      breakEven: null,
      ownRate: null,
    });
  });

  it("count each outcome in its wallet and week, and give the rate that the orders needed to break even", async () => {
    const memberId = (await world.build.createMember({ real: usd(1000) })) as MemberId;
    await world.tick();
    const wish = { duration: 30, stake: usd(10) } as const;
    const won = await world.accepted(memberId, { ...wish, direction: "up" });
    await world.accepted(memberId, { ...wish, direction: "up", stake: usd(20) });
    await world.accepted(memberId, { ...wish, direction: "down", stake: usd(30) });
    await world.accepted(memberId, { ...wish, direction: "down", wallet: "real" });
    await world.accepted(memberId, { ...wish, direction: "up", limitPrice: "1.000000" });
    const at = (await world.build.now()) + 1n;
    expect(at).toBeGreaterThan(BigInt(won.acceptedAt));
    await world.build.feedTicks("EURUSD", [
      { time: at, price: 1_085_000n },
      { time: at + 30_000n, price: 1_085_010n },
      { time: at + 30_500n, price: 1_085_010n },
    ]);
    await world.settlement.settleNow();
    const now = instant(await world.build.now());
    const figures = await readFigures(world.context, memberId, "practice", now);
    expect(figures.weeks).toHaveLength(1);
    // Stakes of 10 and 20 won at a rate of 0.82 less a fee of 1 %, 30 was lost with its fee, and the fifth order was voided by
    // its limit price.
    expect(figures.weeks[0]).toMatchObject({ orders: 4, won: 2, lost: 1, tied: 0, voided: 1, staked: "60.00" });
    expect(figures.weeks[0]?.profit).toBe("-6.00");
    expect(figures.ownRate).toBe("0.666667");
    expect(figures.breakEven).toBe("0.554946");
    const real = await readFigures(world.context, memberId, "real", now);
    expect(real.weeks[0]).toMatchObject({ orders: 1, lost: 1, profit: "-10.10" });

    const later = (now + 3n * WEEK_MS) as Instant;
    const grown = await readFigures(world.context, memberId, "practice", later);
    expect(grown.weeks.map(({ orders }) => orders)).toEqual([4, 0, 0, 0]);
    const gone = await readFigures(world.context, memberId, "practice", (now + 30n * WEEK_MS) as Instant);
    expect(gone.weeks).toHaveLength(1);
    expect(gone.ownRate).toBeNull();
  });
});
