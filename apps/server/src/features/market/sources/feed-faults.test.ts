import {
  type AgreedOrder,
  type Instant,
  type MicroUsd,
  type Points,
  type Rate,
  settleOnTicks,
  type Tick,
} from "@fairtick/domain";
import { createFakeClock } from "@fairtick/testkit";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { InstrumentClock } from "../market-rows.ts";
import { createComposedSource } from "./composed-source.ts";
import type { Feed, FeedListener } from "./feed.ts";

const TAPES = 30;
const SECONDS = 120;
const STALE_EXIT_MS = 5_000n;
const BAND = 50_000n as Rate;
const AGREEMENT = 10_000n as Rate;

/** A seeded random generator (mulberry32), so that a failing tape can be repeated by its number. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Player extends Feed {
  listener: FeedListener | null;
}

function player(name: string): Player {
  return {
    name,
    listener: null,
    start(listener) {
      this.listener = listener;
    },
    stop: () => Promise.resolve(),
  };
}

/** Faults of honest sources. The third source lies instead. */
const FAULTS = [
  "none",
  "gap",
  "frozen",
  "duplicate",
  "reorder",
  "spike",
  "zero",
  "negative",
  "NaN",
  "crossed",
] as const;
const text = (points: bigint) => `${points / 100n}.${(points % 100n).toString().padStart(2, "0")}`;

/** Plays one tape: three sources quote an honest price path. Two fail now and then, and one lies all the time. */
function playTape(seed: number) {
  const random = randomOf(seed);
  const clock = createFakeClock();
  const start = clock.now();
  const feeds = ["a", "b", "liar"].map(player);
  const source = createComposedSource({
    feeds,
    instruments: [{ symbol: "BTCUSD", decimals: 2, band: BAND, quorum: 2, agreement: AGREEMENT }],
    clock,
    log: pino({ level: "silent" }),
  });
  const first: InstrumentClock = {
    symbol: "BTCUSD",
    seq: 0n,
    time: 0n as Instant,
    price: 0n as Points,
    sealedThrough: (start - 1n) as Instant,
    writerEpoch: 1n,
  };
  void source.resume(new Map([["BTCUSD", first]]), start);

  let honest = 9_700_000n;
  const ticks: Tick[] = [];
  let sealed = (start - 1n) as Instant;
  const recent: { at: bigint; price: bigint }[] = [];
  const heardHonestAt = new Map<string, bigint>();
  const faults = feeds.map(() => ({ kind: "none" as (typeof FAULTS)[number], until: 0n }));
  const said = new Map<string, { bid: string; ask: string; order: bigint }>();

  function speak(feed: Player, index: number, now: bigint): void {
    const fault = faults[index]!;
    if (now >= fault.until) {
      const kind = random() < 0.5 ? "none" : FAULTS[Math.floor(random() * FAULTS.length)]!;
      faults[index] = { kind, until: now + BigInt(Math.floor(random() * 6_000)) };
    }
    const kind = feed.name === "liar" ? "lying" : faults[index]!.kind;
    const say = (bid: string, ask: string, order: bigint) =>
      feed.listener?.quote({ symbol: "BTCUSD", bid, ask, order });
    const before = said.get(feed.name);
    switch (kind) {
      case "gap":
        return;
      case "frozen":
      case "duplicate":
        if (before) say(before.bid, before.ask, before.order);
        return;
      case "reorder":
        if (before) say(text(honest + 900n), text(honest + 900n), before.order - 1_000n);
        return;
      case "spike":
        return say(text(honest * 2n), text(honest * 2n), now);
      case "zero":
        return say("0", "0", now);
      case "negative":
        return say("-1.00", "-1.00", now);
      case "NaN":
        return say("NaN", "NaN", now);
      case "crossed":
        return say(text(honest + 50n), text(honest - 50n), now);
      case "lying": {
        // The lie stays within the band, so that only the quorum and the median can stop it.
        const lie = honest + BigInt(Math.floor((random() - 0.5) * 0.08 * Number(honest)));
        return say(text(lie), text(lie), now);
      }
      case "none": {
        const quote = { bid: text(honest - 10n), ask: text(honest + 10n), order: now };
        said.set(feed.name, quote);
        heardHonestAt.set(feed.name, now);
        return say(quote.bid, quote.ask, quote.order);
      }
    }
  }

  for (let step = 0; step < SECONDS * 20; step += 1) {
    clock.advance(50);
    const now = clock.now();
    honest += BigInt(Math.floor((random() - 0.5) * 600));
    recent.push({ at: now, price: honest });
    while (recent[0]!.at < now - 2_000n) recent.shift();
    for (const [index, feed] of feeds.entries()) if (random() < 0.4) speak(feed, index, now);
    // Now and then a slot can't be stored. It is not repeated.
    const slot = source.next(now);
    if (random() < 0.02) {
      continue;
    }
    for (const tick of slot.ticks) {
      const fresh = [...heardHonestAt.values()].filter((at) => now - at <= 2_000n).length;
      const bounds = { low: recent[0]!.price, high: recent[0]!.price };
      for (const { price } of recent) {
        if (price < bounds.low) bounds.low = price;
        if (price > bounds.high) bounds.high = price;
      }
      ticks.push({ seq: BigInt(ticks.length + 1), time: tick.time, price: tick.price });
      checks.push({
        seed,
        fresh,
        price: tick.price,
        ...bounds,
        gap: ticks.length > 1 ? tick.time - ticks.at(-2)!.time : 1_000n,
        sealed,
        time: tick.time,
      });
    }
    source.stored();
    if (slot.seals[0]) sealed = slot.seals[0].time;
  }
  return { ticks, sealed, start, rejections: source.rejections(), random };
}

interface Check {
  readonly seed: number;
  /** How many honest sources were heard within the last two seconds. */
  readonly fresh: number;
  readonly price: bigint;
  readonly low: bigint;
  readonly high: bigint;
  readonly gap: bigint;
  readonly sealed: bigint;
  readonly time: bigint;
}
const checks: Check[] = [];

/** Applies the published rule as a plain search, without the product's shortcuts. */
function byTheRule(acceptedAt: bigint, duration: bigint, direction: "up" | "down", ticks: readonly Tick[]) {
  const entry = ticks.find((tick) => tick.time > acceptedAt);
  if (!entry || entry.time > acceptedAt + 10_000n) return "NO_ENTRY_TICK";
  const expiresAt = entry.time + duration;
  const between = ticks.filter((tick) => tick.time > entry.time && tick.time <= expiresAt);
  const exit = between.at(-1);
  if (!exit) return "NO_TICK_BETWEEN";
  if (exit.time < expiresAt - STALE_EXIT_MS) return "STALE_EXIT";
  if (exit.price === entry.price) return "tied";
  return exit.price > entry.price === (direction === "up") ? "won" : "lost";
}

describe("feed faults", () => {
  const rejected: Record<string, number> = {};
  const outcomes: Record<string, number> = {};

  it.each(Array.from({ length: TAPES }, (_none, index) => index + 1))(
    "tape %i: stored prices are honest, and orders settle by the published rule",
    (seed) => {
      const { ticks, sealed, start, rejections, random } = playTape(seed);
      for (const [reason, count] of Object.entries(rejections)) rejected[reason] = (rejected[reason] ?? 0) + count;
      expect(ticks.length).toBeGreaterThan(SECONDS);
      const mine = checks.filter((one) => one.seed === seed);
      expect(mine.filter(({ time, sealed, gap }) => time <= sealed || gap < 100n)).toEqual([]);
      // With both honest sources fresh, no lie can move a price beyond the honest prices of the last two seconds.
      const judged = mine.filter((one) => one.fresh === 2);
      expect(judged.length).toBeGreaterThan(100);
      expect(judged.filter(({ price, low, high }) => price < low || price > high)).toEqual([]);
      for (let index = 0; index < 200; index += 1) {
        const acceptedAt = start + BigInt(Math.floor(random() * (SECONDS - 45) * 1_000));
        const direction = random() < 0.5 ? "up" : "down";
        const order = {
          direction,
          stake: 10_000_000n as MicroUsd,
          fee: 100_000n as MicroUsd,
          profitIfWon: 8_100_000n as MicroUsd,
          limitPrice: null,
          durationSeconds: 30,
          acceptedAt: acceptedAt as Instant,
        } as AgreedOrder;
        const settled = settleOnTicks(order, STALE_EXIT_MS, ticks, sealed);
        const outcome = settled?.voidReason ?? settled?.outcome;
        expect(outcome).toBe(byTheRule(acceptedAt, 30_000n, direction, ticks));
        outcomes[outcome!] = (outcomes[outcome!] ?? 0) + 1;
      }
    },
  );

  it("included every kind of fault, and orders that won and lost", () => {
    expect(Object.keys(rejected).toSorted()).toEqual(
      ["crossed", "duplicate", "jump", "negative", "notANumber", "outOfOrder", "outlier", "zero"].toSorted(),
    );
    expect(outcomes["won"]).toBeGreaterThan(100);
    expect(outcomes["lost"]).toBeGreaterThan(100);
  });
});
