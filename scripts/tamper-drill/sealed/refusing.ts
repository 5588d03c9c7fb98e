import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Direction } from "@fairtick/domain";
import { type Builder, createBuilder } from "@fairtick/testkit";
import type { Device } from "./device.ts";
import { type SealedHouse, SYMBOL } from "./house.ts";
import type { Begin } from "./round.ts";

/**
 * Attacks that choose which orders are accepted. Each uses only the database, as an operator who knows prices in
 * advance could. None of them can find an order's direction.
 */

/** Installs the independent test's trigger, which refuses winning orders. A sealed order only shows it the seal. */
export const refuseWinners: Begin = async ({ product }, way) => {
  await product.sql(
    `CREATE FUNCTION drill_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF coalesce(NEW.direction::text, CASE WHEN get_byte(NEW.seal, 0) % 2 = 0 THEN 'up' ELSE 'down' END) = '${way}' THEN
         RAISE EXCEPTION 'not now'; END IF;
       RETURN NEW; END $$;
     CREATE TRIGGER drill_refuse BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION drill_refuse()`,
  );
  return async () => {
    await product.sql("DROP TRIGGER drill_refuse ON orders; DROP FUNCTION drill_refuse");
  };
};

const HELD_MS = 4_000;
const BETWEEN_MS = 1_500;

/** Locks the members' rows now and then, so that their orders wait until the price's next move is known. */
export const delayOrders: Begin = async ({ product }) => {
  const attacker = await createBuilder(product.databaseUrl);
  const ended = new AbortController();
  const holding = holdAgainAndAgain(attacker, ended.signal);
  return async () => {
    ended.abort();
    await holding;
    await attacker.end();
  };
};

async function holdAgainAndAgain({ client }: Builder, ended: AbortSignal): Promise<void> {
  const pause = (ms: number) => sleep(ms, undefined, { signal: ended }).catch(() => undefined);
  while (!ended.aborted) {
    await client.query("BEGIN; SELECT 1 FROM members_money WHERE member_id % 2 = 0 FOR UPDATE");
    await pause(HELD_MS);
    await client.query("COMMIT");
    await pause(BETWEEN_MS);
  }
}

const EXPOSED_MS = 6_000;

/** Claims for part of the round that one side of the market has no room left. */
export const exhaustExposure: Begin = async ({ product }) => {
  const huge = 10n ** 15n;
  const add = (sign: string) =>
    product.sql(
      `INSERT INTO exposure AS e (stripe, wallet, symbol, profit) VALUES (0, 'practice', '${SYMBOL}', ${sign}${huge})
       ON CONFLICT (stripe, wallet, symbol) DO UPDATE SET profit = e.profit + excluded.profit`,
    );
  const exposing = (async () => {
    await sleep(EXPOSED_MS);
    await add("");
    await sleep(EXPOSED_MS);
    await add("-");
  })();
  return () => exposing;
};

/**
 * Returns a member's usual direction four times out of five. It is up for every second member and down for the others.
 */
export function pressHabit({ memberId }: Device): Direction {
  const usual: Direction = memberId % 2n === 0n ? "up" : "down";
  if (randomInt(5) > 0) return usual;
  return usual === "up" ? "down" : "up";
}

/** Suspends members whose habit would win, before the price moves. */
export const suspendByHabit: Begin = async ({ product, devices }, way) => {
  const winners = devices.filter(({ memberId }) => (memberId % 2n === 0n) === (way === "up"));
  const ids = winners.map(({ memberId }) => memberId).join(", ");
  const set = (standing: string, reason: string) =>
    product.sql(`UPDATE members SET standing = '${standing}', standing_reason = ${reason} WHERE member_id IN (${ids})`);
  await set("suspended", "'drill'");
  return async () => {
    await set("active", "NULL");
  };
};

/** Suspends every second member before the price moves. */
export const suspendMembers: Begin = async (house) => {
  const set = (standing: string, reason: string) =>
    house.product.sql(
      `UPDATE members SET standing = '${standing}', standing_reason = ${reason} WHERE member_id IN (${everySecond(house)})`,
    );
  await set("suspended", "'drill'");
  return async () => {
    await set("active", "NULL");
  };
};

/** Sets limits for every second member that they never asked for. */
export const limitMembers: Begin = async (house) => {
  const members = everySecond(house);
  await house.product.sql(
    `INSERT INTO member_limits (member_id, name, effective_at, value)
     SELECT member_id, 'dailyStake', 1, 0 FROM members WHERE member_id IN (${members})`,
  );
  return async () => {
    await house.product.sql(`DELETE FROM member_limits WHERE effective_at = 1 AND member_id IN (${members})`);
  };
};

function everySecond({ devices }: SealedHouse): string {
  return devices.flatMap(({ memberId }, place) => (place % 2 === 0 ? [memberId] : [])).join(", ");
}
