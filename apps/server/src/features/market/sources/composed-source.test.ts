import type { Instant, Points } from "@fairtick/domain";
import { createFakeClock } from "@fairtick/testkit";
import { pino } from "pino";
import { expect, it } from "vitest";
import { createComposedSource } from "./composed-source.ts";
import type { Feed, FeedListener } from "./feed.ts";
import type { QuoteOrders } from "./signed-order.ts";

const signed = { vaa: new Uint8Array([1]), message: new Uint8Array([2]), branch: new Uint8Array() };

/** Opens a source with one feed, and returns what tests need to speak for the feed and to take ticks. */
async function open(usedOrders?: () => Promise<QuoteOrders>) {
  const clock = createFakeClock();
  let listener: FeedListener | undefined;
  const feed: Feed = {
    name: "pyth",
    start: (its) => {
      listener = its;
    },
    stop: () => Promise.resolve(),
  };
  const source = createComposedSource({
    feeds: [feed],
    instruments: [{ symbol: "BTCUSD", decimals: 2, band: null, quorum: 1, agreement: null }],
    sourcesOf: new Map([["BTCUSD", ["pyth"]]]),
    clock,
    log: pino({ level: "silent" }),
    ...(usedOrders && { usedOrders }),
  });
  const row = { symbol: "BTCUSD", seq: 1n, price: 1n as Points, writerEpoch: 1n };
  const resume = () => {
    const before = (clock.now() - 1_000n) as Instant;
    return source.resume(new Map([["BTCUSD", { ...row, time: before, sealedThrough: before }]]), clock.now());
  };
  await resume();
  return {
    source,
    resume,
    say: (last: string, order: bigint) => listener?.quote({ symbol: "BTCUSD", last, order, signed }),
    tick: () => {
      clock.advance(200);
      const [tick] = source.next(clock.now()).ticks;
      source.stored();
      return tick?.price ?? null;
    },
  };
}

it("takes no older quote after it resumed than before", async () => {
  const { source, resume, say, tick } = await open();
  say("97000.00", 20n);
  expect(tick()).toBe(9_700_000n);
  await resume();
  say("96000.00", 19n);
  expect([tick(), source.rejections()]).toEqual([null, { outOfOrder: 1 }]);
  say("97001.00", 20n);
  expect(tick()).toBe(9_700_100n);
});

it("takes no older quote than those that ticks of another process were made from", async () => {
  const { source, say, tick } = await open(() => Promise.resolve(new Map([["BTCUSD", new Map([["pyth", 20n]])]])));
  say("96000.00", 19n);
  expect([tick(), source.rejections()]).toEqual([null, { outOfOrder: 1 }]);
  say("97001.00", 21n);
  expect(tick()).toBe(9_700_100n);
});

it("keeps the higher of both orders", async () => {
  const { resume, say, tick } = await open(() => Promise.resolve(new Map([["BTCUSD", new Map([["pyth", 20n]])]])));
  say("97000.00", 30n);
  expect(tick()).toBe(9_700_000n);
  await resume();
  say("96000.00", 29n);
  expect(tick()).toBeNull();
});
