import {
  type Direction,
  formatPrefixedId,
  formatPrice,
  type MemberId,
  parsePrefixedId,
  type Points,
} from "@fairtick/domain";
import type { Alert } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import type { TradingConfigs } from "../trading-config/index.ts";

const PREFIX = "alr";
export const parseAlertId = (text: string): bigint | null => parsePrefixedId(PREFIX, text);

export interface AlertReading extends Pick<Context, "databases"> {
  readonly configs: Pick<TradingConfigs, "findInstrument">;
}

interface AlertRow {
  readonly alert_id: bigint;
  readonly member_id: bigint;
  readonly symbol: string;
  readonly direction: Direction;
  readonly price: Points;
  readonly created_at: bigint;
  readonly fired_at: bigint | null;
}

const COLUMNS = "alert_id, member_id, symbol, direction, price, created_at, fired_at";

function present({ configs }: AlertReading, row: AlertRow): Alert {
  return {
    alertId: formatPrefixedId(PREFIX, row.alert_id),
    symbol: row.symbol,
    price: formatPrice(row.price, configs.findInstrument(row.symbol)?.decimals ?? 0),
    direction: row.direction,
    createdAt: Number(row.created_at),
    firedAt: row.fired_at === null ? null : Number(row.fired_at),
  };
}

/** Lists a member's alerts: waiting ones first, then those that have fired, newest first. */
export async function listAlerts(reading: AlertReading, memberId: MemberId): Promise<Alert[]> {
  const rows = await reading.databases.sessions.query<AlertRow>(
    `SELECT ${COLUMNS} FROM price_alerts WHERE member_id = $1 ORDER BY fired_at DESC NULLS FIRST, alert_id DESC LIMIT 200`,
    [memberId],
  );
  return rows.map((row) => present(reading, row));
}

/** Reads alerts by member and id in parallel arrays. Unknown ones are left out. */
export async function readAlerts(
  reading: AlertReading,
  members: readonly bigint[],
  alertIds: readonly bigint[],
): Promise<{ memberId: bigint; alert: Alert }[]> {
  const rows = await reading.databases.reader.query<AlertRow>(
    `SELECT ${COLUMNS} FROM price_alerts
     WHERE (member_id, alert_id) IN (SELECT * FROM unnest($1::bigint[], $2::bigint[]))`,
    [members, alertIds],
  );
  return rows.map((row) => ({ memberId: row.member_id, alert: present(reading, row) }));
}
