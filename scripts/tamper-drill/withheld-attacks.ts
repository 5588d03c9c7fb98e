import { setTimeout as sleep } from "node:timers/promises";
import { type Result, waitForNotice } from "./attack.ts";
import { standing, type World } from "./log-attacks.ts";

const MINUTE_MS = 60_000;
/** What was finished with a minute is in the log by so long after it. */
const WRITTEN_MS = 5_000;
/** A seed is published within this time of its epoch's end. */
const SEED_DUE_MS = 10_000;

/** From one order to the next while members trade. */
const TRADE_EVERY_MS = 15_000;

/** Entries of these kinds are kept out of the log from now on, and put into it when the attack is over. */
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

/** From the end of the minute on, when they are due. */
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

/** The members' frames go on bearing their signed heads; the log, by which all see the same ones, gets none. */
export function withholdHeads(world: World): Promise<Result> {
  return withholdOfMinute(world, ["heads"], "keep the slot heads out of the log");
}

export function withholdPrices(world: World): Promise<Result> {
  return withholdOfMinute(world, ["ticks"], "keep the minutes' prices out of the log");
}

/** Neither tells of the other any more; that there were prices is told by the orders alone, which are accepted on them. */
export async function withholdBoth(world: World): Promise<Result> {
  const ended = new AbortController();
  const trading = trade(world, ended.signal);
  try {
    return await withholdOfMinute(
      world,
      ["heads", "ticks"],
      "keep slot heads and prices out of the log together, while members trade",
    );
  } finally {
    ended.abort();
    await trading;
  }
}

/** For as long as orders are taken, and again once they are. */
async function trade({ member }: World, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await member.tryToPlace("up");
    await sleep(TRADE_EVERY_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}

/** Waits for the end of the running epoch, and counts from when its seed is due. */
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
