import { type Builder, createBuilder, waitUntil } from "@fairtick/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { createAcceptanceSwitch } from "../orders/index.ts";
import { type OverdueEntry, readOverdue } from "./overdue-entries.ts";
import { OVERDUE_MS, watchLog } from "./watch-log.ts";

const MINUTE_MS = 60_000n;
let context: TestContext;
let build: Builder;
/** "Minutes ago" of the next minute, which does not end while a test runs. */
const NEXT = -1n;
/** The current minute. */
let minute: bigint;
beforeEach(async () => {
  const base = await createTestContext();
  context = { ...base, clock: { ...base.clock, ...systemClock } };
  build = await createBuilder(context.database.url);
  minute = ((await build.now()) / MINUTE_MS) * MINUTE_MS;
});
afterEach(async () => {
  await build.end();
  await context.close();
});

async function logged(kind: string, about: string, number: bigint, entry = "{}"): Promise<void> {
  await build.client.query(
    `WITH written AS (INSERT INTO outbox (kind, entry) VALUES ($1, $4) RETURNING outbox_id)
     INSERT INTO log_entries (log_index, outbox_id, number, kind, about) SELECT outbox_id, outbox_id, $3, $1, $2 FROM written`,
    [kind, about, number, entry],
  );
}

/** Stores ticks at the start of these minutes, counted back from the current one. */
async function traded(symbol: string, ...minutesAgo: readonly bigint[]): Promise<void> {
  await build.feedTicks(
    symbol,
    minutesAgo.map((ago) => ({ time: minute - ago * MINUTE_MS, price: 1n })),
  );
}

async function slots(...times: readonly bigint[]): Promise<void> {
  for (const [place, time] of times.entries()) {
    await build.client.query(
      "INSERT INTO slot_heads (k, hash, through_batch, time, from_time) VALUES ($1, '', 0, $2, $2)",
      [place + 1, time],
    );
  }
}

function said({ what, minute: of }: OverdueEntry): string {
  return `${what} of ${(minute - of) / MINUTE_MS} minutes ago`;
}
const overdue = async () => {
  const found = await readOverdue(context.databases.reader);
  return found && said(found);
};

describe("the overdue entry", () => {
  it("is for the prices of the oldest finished minute of any instrument", async () => {
    expect(await overdue()).toBeNull();
    // Prices become due when their minute is over.
    await traded("EURUSD", NEXT);
    expect(await overdue()).toBeNull();
    await traded("BTCUSD", 3n, 2n, NEXT);
    expect(await overdue()).toBe("prices of 3 minutes ago");
    await logged("ticks", "EURUSD", minute - MINUTE_MS);
    expect(await overdue()).toBe("prices of 3 minutes ago");
    await logged("ticks", "BTCUSD", minute - 3n * MINUTE_MS);
    expect(await overdue()).toBe("prices of 2 minutes ago");
    await logged("ticks", "BTCUSD", minute - 2n * MINUTE_MS);
    expect(await overdue()).toBeNull();
  });

  it("is never for prices from before genesis, which are not logged", async () => {
    await traded("EURUSD", NEXT);
    await build.client.query("SELECT ensure_tick_partitions($1, $1)", [minute - 3n * MINUTE_MS]);
    await build.client.query(
      "INSERT INTO ticks (symbol, seq, time, price, seal_before, pre_genesis) VALUES ('EURUSD', 1, $1, 1, 0, true)",
      [minute - 3n * MINUTE_MS],
    );
    expect(await overdue()).toBeNull();
  });

  it("can be for the heads of a minute's slots", async () => {
    await slots(minute - 3n * MINUTE_MS, minute - 2n * MINUTE_MS, minute + MINUTE_MS);
    expect(await overdue()).toBe("slot heads of 3 minutes ago");
    await logged("heads", "", 1n, '{"from":1,"kind":"heads","ticks":{},"to":1,"v":1}');
    expect(await overdue()).toBe("slot heads of 2 minutes ago");
    await traded("EURUSD", 3n);
    expect(await overdue()).toBe("prices of 3 minutes ago");
    await logged("ticks", "EURUSD", minute - 3n * MINUTE_MS);
    await logged("heads", "", 2n, '{"from":2,"kind":"heads","ticks":{},"to":2,"v":1}');
    expect(await overdue()).toBeNull();
  });

  it("says since when it is overdue", async () => {
    await traded("EURUSD", 3n);
    const before = await build.now();
    const { ms = 0n } = (await readOverdue(context.databases.reader)) ?? {};
    const after = await build.now();
    const since = minute - 2n * MINUTE_MS;
    expect(ms >= before - since && ms <= after - since).toBe(true);
  });
});

describe("taking orders", () => {
  it("stops while an entry is long overdue, and resumes once it is in the log", async () => {
    const acceptance = createAcceptanceSwitch();
    const publish = () =>
      context.databases.log.query(
        `INSERT INTO log_published VALUES (true, 1, 'x', extract(epoch FROM clock_timestamp()) * 1000, 1, 'x', 0, '[]')
         ON CONFLICT (one) DO UPDATE SET covers_at = excluded.covers_at`,
      );
    await traded("EURUSD", 2n);
    await publish();
    let published: Promise<unknown> = Promise.resolve();
    const publishing = setInterval(() => {
      published = publish();
    }, 500);
    const watch = watchLog(context, acceptance);
    const why = () => acceptance.reasons().get("log") ?? "";
    try {
      const of = new Date(Number(minute - 2n * MINUTE_MS)).toISOString();
      expect(watch.hasCaughtUp()).toBe(false);
      await waitUntil("the stop", () => why().startsWith(`the prices of ${of} are not in the public log`) || null);
      expect(Number(/(\d+) ms after their minute$/.exec(why())?.[1])).toBeGreaterThan(OVERDUE_MS);
      await logged("ticks", "EURUSD", minute - 2n * MINUTE_MS);
      await waitUntil("the log to have caught up", () => why() === "" || null);
      expect(watch.hasCaughtUp()).toBe(true);
    } finally {
      clearInterval(publishing);
      await published;
      await watch.stop();
    }
  });
});
