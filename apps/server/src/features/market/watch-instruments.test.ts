import { firstTradingConfig, type Instant } from "@fairtick/domain";
import { createFakeClock } from "@fairtick/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { watchInstruments } from "./watch-instruments.ts";

// New York's foreign-exchange week ends on Friday at 17:00, which is 22:00 UTC in winter.
const CLOSE = BigInt(Date.UTC(2026, 0, 9, 22));
let context: TestContext;

beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

it("reports a change when a session closes or another configuration takes effect, and at no other time", async () => {
  const clock = createFakeClock(CLOSE - 2_000n);
  const first = firstTradingConfig(0n as Instant, "fx-new-york");
  const second = { ...first, version: first.version + 1, effectiveAt: (CLOSE + 60_000n) as Instant };
  const watch = watchInstruments(
    { ...context, clock },
    { current: (at) => (at >= second.effectiveAt ? second : first) },
  );
  const open = watch.states();
  expect([...open.keys()]).toEqual(first.instruments.map(({ symbol }) => symbol));
  clock.advance(1_000);
  expect(watch.states()).toEqual(open);

  // It is still open at this very instant and closes a millisecond later.
  clock.advance(1_001);
  const closed = watch.states();
  const news = [...closed].filter(([symbol, state]) => open.get(symbol) !== state).map(([symbol]) => symbol);
  expect(news).toEqual(first.instruments.filter(({ kind }) => kind === "fx").map(({ symbol }) => symbol));
  const shown = await watch.read();
  expect(shown.filter((instrument) => instrument.open).map(({ kind }) => kind)).not.toContain("fx");

  // An instrument in session without a price isn't open, since no order can be placed.
  expect(shown.filter(({ price, open: isOpen }) => price === null && isOpen)).toEqual([]);

  clock.advance(60_000);
  for (const [symbol, state] of watch.states()) expect(state).not.toBe(closed.get(symbol));
});
