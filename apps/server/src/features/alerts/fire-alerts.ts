import type { Context } from "../../platform/context.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";

interface Fired {
  readonly alert_id: bigint;
  readonly member_id: bigint;
}

/**
 * Compares newly sealed ticks with the waiting alerts. An alert fires with the first tick after its creation that reaches its
 * price. Progress is stored together with the fired alerts, so after a crash or stop the next run examines what was missed.
 * Returns how many alerts fired.
 */
export async function fireAlerts({ databases, bus }: Pick<Context, "databases" | "bus">): Promise<number> {
  const fired = await databases.jobs.transaction(async (db) => {
    const seals = await db.query<{ symbol: string; sealed_through: bigint }>(
      `SELECT symbol, sealed_through FROM instrument_clock
       WHERE symbol IN (SELECT symbol FROM price_alerts WHERE fired_at IS NULL) ORDER BY symbol`,
    );
    if (seals.length === 0) return [];
    const symbols = seals.map(({ symbol }) => symbol);
    const through = seals.map(({ sealed_through }) => sealed_through);
    const rows = await db.query<Fired>(
      `UPDATE price_alerts a SET fired_at = hit.time, fired_price = hit.price
       FROM (
         SELECT w.alert_id, t.time, t.price
         FROM price_alerts w
         JOIN unnest($1::text[], $2::bigint[]) AS s(symbol, sealed) USING (symbol)
         LEFT JOIN alert_progress p USING (symbol)
         CROSS JOIN LATERAL (
           SELECT time, price FROM ticks
           WHERE symbol = w.symbol AND time > greatest(w.created_at, p.checked_through) AND time <= s.sealed
             AND CASE w.direction WHEN 'up' THEN price >= w.price ELSE price <= w.price END
           ORDER BY time LIMIT 1) t
         WHERE w.fired_at IS NULL) hit
       WHERE a.alert_id = hit.alert_id AND a.fired_at IS NULL
       RETURNING a.alert_id, a.member_id`,
      [symbols, through],
    );
    await db.query(
      `INSERT INTO alert_progress (symbol, checked_through) SELECT * FROM unnest($1::text[], $2::bigint[])
       ON CONFLICT (symbol) DO UPDATE SET checked_through = greatest(alert_progress.checked_through, excluded.checked_through)`,
      [symbols, through],
    );
    return rows;
  });
  if (fired.length > 0) {
    bus.publish("alerts", {
      members: fired.map(({ member_id }) => member_id),
      alertIds: fired.map(({ alert_id }) => alert_id),
    });
  }
  return fired.length;
}

const EVERY_MS = 500;

/** Compares prices with the waiting alerts every half second, until stopped. */
export function startAlertWatch(context: Pick<Context, "databases" | "bus" | "log">): Rounds {
  const failed = "price alerts could not be checked; the next round tries again";
  return startRounds({ log: context.log, everyMs: EVERY_MS, failed, atStart: false }, () => fireAlerts(context));
}
