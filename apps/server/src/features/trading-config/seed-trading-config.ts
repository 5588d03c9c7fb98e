import { canonicalJson, firstTradingConfig, type Instant, toHex, type TradingConfig, utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { Context } from "../../platform/context.ts";
import { configToJson } from "./config-json.ts";

/**
 * Stores configuration version 1 if there is none. Its log entry is in the same transaction, and therefore written
 * before it can apply to an order. If several processes start at once, one of them does it.
 * @param change figures that differ from the first configuration's own, for measurements
 */
export async function seedTradingConfig(
  context: Pick<Context, "databases" | "config">,
  change: Partial<TradingConfig> = {},
): Promise<void> {
  await context.databases.jobs.transaction(async (transaction) => {
    const [clock] = await transaction.query<{ now: bigint; newest: number | null }>(
      "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now, (SELECT max(version) FROM trading_configs) AS newest",
    );
    if (clock === undefined || clock.newest !== null) return;
    const hours = context.config.fxHours === "new-york" ? "fx-new-york" : "always";
    const config = { ...firstTradingConfig(clock.now as Instant, hours), ...change };
    const body = configToJson(config);
    const hash = nodeHashes.sha256(utf8(body));
    const inserted = await transaction.query(
      `INSERT INTO trading_configs (version, effective_at, body, body_hash) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING RETURNING version`,
      [config.version, config.effectiveAt, body, Buffer.from(hash)],
    );
    if (inserted.length === 0) return;
    const entry = canonicalJson({
      effectiveAt: config.effectiveAt,
      hash: toHex(hash),
      kind: "config",
      v: 1,
      version: config.version,
    });
    await transaction.query("INSERT INTO outbox (kind, entry) VALUES ('config', $1)", [entry]);
  });
}
