import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "@fairtick/testkit";
import { run } from "@fairtick/transparency/cli";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { NOTICED_MS_MAX, type Result } from "./attack.ts";
import { type Product, startProduct } from "../own-product.ts";

/** As late as the independent test opened it. */
const LATE_MS = 31_000;
const EVERY_MS = 2_000;
const TABLES_MS_MAX = 120_000;
const FIRST_EPOCH_MS_MAX = 120_000;

/**
 * On a product of its own, delays the second epoch until half a minute after the first one's end, and keeps the house's
 * incident about the gap out of the log. It lasts as long as an epoch: ten and a half minutes.
 */
export async function openEpochLate(): Promise<Result> {
  const what = "open the next epoch 31 s late, and keep the incident out of the log";
  const product = await startProduct({}, holdOpenings);
  try {
    // On a busy machine the product accepts calls before its market has opened an epoch.
    const leftMs = await waitUntil("the first epoch", () => leftOfFirstEpoch(product), FIRST_EPOCH_MS_MAX);
    await sleep(leftMs + LATE_MS);
    await product.sql(
      `ALTER TABLE outbox DISABLE TRIGGER drill_hold;
       CREATE FUNCTION drill_drop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
       CREATE TRIGGER drill_drop BEFORE INSERT ON outbox FOR EACH ROW WHEN (NEW.kind = 'incident') EXECUTE FUNCTION drill_drop()`,
    );
    const begun = performance.now();
    const sentence = await waitForGap(product);
    const seconds = sentence === null ? null : (performance.now() - begun) / 1000;
    const notices = sentence === null ? [] : [{ who: "`fairtick verify --log`", sentence }];
    return { what, refused: null, notices, seconds };
  } finally {
    await product.stop();
  }
}

/** Returns the milliseconds until the first epoch ends; null before it was opened. */
async function leftOfFirstEpoch(product: Product): Promise<number | null> {
  const [first] = await product.sql<{ left_ms: string }>(
    `SELECT (entry::jsonb ->> 'start')::bigint + 600000 - floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS left_ms
     FROM outbox WHERE kind = 'epoch.open' ORDER BY outbox_id LIMIT 1`,
  );
  return first === undefined ? null : Number(first.left_ms);
}

/** From the moment at which there is a table to hold: every opening after the first one fails. */
async function holdOpenings(sql: Product["sql"]): Promise<void> {
  await waitUntil(
    "the tables",
    async () => {
      const rows = await sql<{ there: boolean }>("SELECT to_regclass('outbox') IS NOT NULL AS there").catch(() => []);
      return rows[0]?.there === true;
    },
    TABLES_MS_MAX,
  );
  await sql(
    `CREATE FUNCTION drill_hold() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
       IF EXISTS (SELECT FROM public.outbox WHERE kind = 'epoch.open') THEN RAISE EXCEPTION 'held'; END IF;
       RETURN NEW; END $$;
     CREATE TRIGGER drill_hold BEFORE INSERT ON outbox FOR EACH ROW WHEN (NEW.kind = 'epoch.open') EXECUTE FUNCTION drill_hold()`,
  );
}

/** Returns the verifier's sentence about the gap; null if there is none within a minute. */
async function waitForGap({ base, folder }: Product): Promise<string | null> {
  const [url, keys] = [`${base}/log`, join(folder, "keys")];
  const text = (await run(["keys", "--log", url])).lines.join("\n");
  writeFileSync(keys, `${text}\n`);
  const begun = performance.now();
  while (performance.now() - begun < NOTICED_MS_MAX) {
    const { lines } = await run(["verify", "--log", url, "--keys", keys]);
    const found = lines.find((line) => line.startsWith("fault") && line.includes("starts"));
    if (found !== undefined) return found;
    await sleep(EVERY_MS);
  }
  return null;
}
