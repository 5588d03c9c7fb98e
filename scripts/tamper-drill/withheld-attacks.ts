import { setTimeout as sleep } from "node:timers/promises";
import { type Result, waitForNotice } from "./attack.ts";
import { standing, type World } from "./log-attacks.ts";

const MINUTE_MS = 60_000;
/** Time until the log has everything that is completed with a minute. */
const WRITTEN_MS = 5_000;
/** Time after its epoch's end within which a seed is published. */
const SEED_DUE_MS = 10_000;

/** Time between two orders while members trade. */
const TRADE_EVERY_MS = 15_000;

/** Keeps entries of these kinds out of the log from now on; the returned function adds them when the attack is over. */
async function withhold({ product }: World, ...kinds: readonly string[]): Promise<() => Promise<void>> {
  const list = kinds.map((kind) => `'${kind}'`).join(", ");
  await product.sql(
    `CREATE TABLE drill_withheld (place bigint GENERATED ALWAYS AS IDENTITY, kind text, entry text);
     CREATE FUNCTION drill_withhold() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS
       $$ BEGIN INSERT INTO drill_withheld (kind, entry) VALUES (NEW.kind, NEW.entry); RETURN NULL; END $$;
     CREATE TRIGGER drill_withhold BEFORE INSERT ON outbox FOR EACH ROW WHEN (NEW.kind IN (${list})) EXECUTE FUNCTION drill_withhold();`,
  );
  return async () => {
    await product.sql(
      `BEGIN; DROP TRIGGER drill_withhold ON outbox; DROP FUNCTION drill_withhold;
       INSERT INTO outbox (kind, entry) SELECT kind, entry FROM drill_withheld ORDER BY place; DROP TABLE drill_withheld; COMMIT`,
    );
  };
}

/** Withholds entries from the end of a minute on, when they are due. */
async function withholdOfMinute(world: World, kinds: readonly string[], what: string): Promise<Result> {
  await sleep(Math.max(0, WRITTEN_MS - (Date.now() % MINUTE_MS)));
  const giveBack = await withhold(world, ...kinds);
  try {
    const known = await standing(world);
    await sleep(MINUTE_MS - (Date.now() % MINUTE_MS));
    return { what, refused: null, ...(await waitForNotice(world.watchers, null, known)) };
  } finally {
    await giveBack();
  }
}

/** Keeps heads out of the log, which shows everyone the same ones. Members' frames still have signed heads. */
export function withholdHeads(world: World): Promise<Result> {
  return withholdOfMinute(world, ["heads"], "keep the slot heads out of the log");
}

export function withholdPrices(world: World): Promise<Result> {
  return withholdOfMinute(world, ["ticks"], "keep the minutes' prices out of the log");
}

/**
 * Withholds both heads and prices, so that neither reveals that the other is missing. Only the orders, which are
 * accepted at prices, show that there were any. `isBlind`: the server that withholds them is made to believe that
 * everything is in its place.
 */
export async function withholdBoth(world: World, isBlind: boolean): Promise<Result> {
  const ended = new AbortController();
  const trading = trade(world, ended.signal);
  const blinded = isBlind ? " and the server believes that they are there" : "";
  const open = isBlind ? await blind(world) : () => Promise.resolve();
  try {
    const what = `keep slot heads and prices out of the log together, while members trade${blinded}`;
    return await withholdOfMinute(world, ["heads", "ticks"], what);
  } finally {
    ended.abort();
    await trading;
    await open();
  }
}

/** A number after all minutes and slots, at a position that no log will ever reach. */
const NEVER = 8_000_000_000_000_000n;

/** Adds positions that the server takes for those of everything to come. */
async function blind({ product }: World): Promise<() => Promise<void>> {
  const [row] = await product.sql<{ outbox: string }>(
    `INSERT INTO outbox (outbox_id, kind, entry) OVERRIDING SYSTEM VALUE
     VALUES (-1, 'heads', '{"from":1,"kind":"heads","to":${NEVER},"v":1}') RETURNING outbox_id AS outbox`,
  );
  await product.sql(
    `INSERT INTO log_entries (log_index, outbox_id, number, kind, about) VALUES (${NEVER}, ${row?.outbox}, ${NEVER}, 'heads', '');
     INSERT INTO log_entries (log_index, outbox_id, number, kind, about)
     SELECT ${NEVER} + place, -1 - place, ${NEVER}, 'ticks', symbol FROM (SELECT symbol, row_number() OVER () AS place FROM instrument_clock) all_of_them`,
  );
  return async () => {
    const [off, on] = ["DISABLE", "ENABLE ALWAYS"].map((word) =>
      ["log_entries", "outbox"].map((table) => `ALTER TABLE ${table} ${word} TRIGGER refuse_row_change;`).join(" "),
    );
    await product.sql(
      `BEGIN; ${off} DELETE FROM log_entries WHERE log_index >= ${NEVER}; DELETE FROM outbox WHERE outbox_id < 0; ${on} COMMIT`,
    );
  };
}

/** Places orders while they are accepted, and again once they are. */
async function trade({ member }: World, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await member.tryToPlace("up");
    await sleep(TRADE_EVERY_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}

/** Waits for the end of the current epoch and counts from when its seed is due. */
export async function withholdSeed(world: World): Promise<Result> {
  const [row] = await world.product.sql<{ e: string; left_ms: string }>(
    `SELECT epoch AS e, start_at + 600000 - floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS left_ms FROM sm1_epochs
     WHERE start_at IS NOT NULL AND seed IS NULL ORDER BY epoch LIMIT 1`,
  );
  if (row === undefined) throw new Error("no epoch is open");
  const giveBack = await withhold(world, "epoch.reveal");
  try {
    const known = await standing(world);
    await sleep(Math.max(0, Number(row.left_ms)) + SEED_DUE_MS);
    const noticed = await waitForNotice(world.watchers, null, known);
    return { what: `never reveal the seed of an epoch (${row.e})`, refused: null, ...noticed };
  } finally {
    await giveBack();
  }
}
