import {
  accept,
  type ClientId,
  type Direction,
  type IdSource,
  type Instant,
  type MemberId,
  parsePrice,
  refuse,
  type Verdict,
} from "@fairtick/domain";
import type { Alert } from "@fairtick/protocol";
import { type AlertReading, listAlerts, parseAlertId } from "./alert-rows.ts";

export interface AlertContext extends AlertReading {
  readonly ids: IdSource;
}

/** How many waiting alerts a member may have. More wouldn't fit into a readable list. */
export const ALERTS_MAX = 50;

/**
 * Creates an alert for when a price is reached, once for each client id. Refuses INSTRUMENT_UNKNOWN; FIELD_INVALID for a price
 * that the instrument can't have; CONFLICT if fifty alerts are waiting; CLIENT_ID_REUSED for an id used for another alert.
 */
export async function createAlert(
  context: AlertContext,
  memberId: MemberId,
  wish: { readonly symbol: string; readonly price: string; readonly direction: Direction; readonly clientId: ClientId },
  now: Instant,
): Promise<Verdict<Alert[]>> {
  const instrument = context.configs.findInstrument(wish.symbol);
  if (instrument === undefined) return refuse("INSTRUMENT_UNKNOWN");
  const price = parsePrice(wish.price, instrument.decimals);
  if (price === null || price <= 0n) return refuse("FIELD_INVALID", { field: "price" }, { price: "FIELD_INVALID" });
  const refused = await context.databases.sessions.transaction(async (db): Promise<Verdict<never> | null> => {
    // The lock lets requests run one after another, so that two at once can't both create the fiftieth alert.
    await db.query("SELECT 1 FROM members WHERE member_id = $1 FOR NO KEY UPDATE", [memberId]);
    const [known] = await db.query<{ symbol: string; direction: Direction; price: bigint }>(
      "SELECT symbol, direction, price FROM price_alerts WHERE member_id = $1 AND client_id = $2",
      [memberId, wish.clientId],
    );
    if (known !== undefined) {
      const same = known.symbol === wish.symbol && known.direction === wish.direction && known.price === price;
      return same ? null : refuse("CLIENT_ID_REUSED");
    }
    const [waiting] = await db.query<{ count: bigint }>(
      "SELECT count(*) AS count FROM price_alerts WHERE member_id = $1 AND fired_at IS NULL",
      [memberId],
    );
    if ((waiting?.count ?? 0n) >= BigInt(ALERTS_MAX)) return refuse("CONFLICT");
    await db.query(
      `INSERT INTO price_alerts (alert_id, member_id, symbol, direction, price, client_id, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [context.ids.next(), memberId, wish.symbol, wish.direction, price, wish.clientId, now],
    );
    return null;
  });
  return refused ?? accept(await listAlerts(context, memberId));
}

/** Deletes an alert, whether it has fired or not. Refuses NOT_FOUND for one that isn't the member's. */
export async function deleteAlert(
  context: AlertContext,
  memberId: MemberId,
  alertId: string,
): Promise<Verdict<Alert[]>> {
  const id = parseAlertId(alertId);
  const gone = await context.databases.sessions.query(
    "DELETE FROM price_alerts WHERE alert_id = $1 AND member_id = $2 RETURNING 1",
    [id ?? 0n, memberId],
  );
  return gone.length === 0 ? refuse("NOT_FOUND") : accept(await listAlerts(context, memberId));
}
