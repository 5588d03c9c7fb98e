import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describeSchema, migrate, PostgresProblem } from "@fairtick/postgres";
import { createTestDatabase, type TestDatabase } from "@fairtick/testkit";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";

const MIGRATIONS = resolve(import.meta.dirname, "../../migrations");
const FILES = readdirSync(MIGRATIONS)
  .filter((file) => file.endsWith(".sql"))
  .map((file) => file.slice(0, -".sql".length))
  .sort();
const BASELINE = FILES.filter((name) => name <= "0031_kept_data");
const LATER = FILES.slice(BASELINE.length);
/** Names of the migrations that the baseline replaced. One of them is also the name of a baseline file. */
const OLD = `
  0001_roles_and_guards 0002_members 0003_market 0004_orders 0005_ledger 0006_favourites 0007_attempts_and_codes
  0010_chain 0011_operators 0012_withdrawals 0014_files 0015_bank_deposits 0016_identity 0017_vip 0018_notices
  0019_support 0021_invites 0022_alerts_push 0023_closing 0024_public_log 0025_slot_contents 0026_placing_terms
  0027_liabilities 0029_reversed_deposits 0030_expiry_and_logged_cards 0031_sweeps 0032_close_incidents
  0033_policies 0034_withdrawal_terms 0035_passkeys 0037_support_answers 0038_identity_endings 0040_sweeping_checks
  0041_altered_addresses 0043_signed_quotes 0045_returned_nonces 0046_cancel_before_approval
  0047_bank_line_references 0048_once_and_by_role 0050_market_outbox 0051_looked_height 0053_statement_by_two
  0055_kept_of_member 0056_support_documents 0057_instrument_sources 0058_logged_approvals 0059_price_files
  0060_fairness_counts 0061_lost_credits_freeze 0062_what_waits 0063_stop_reasons 0066_nothing_taken_back_is_paid
  0067_cards_and_claims 0068_approvals_that_count 0069_statement_takes 0070_card_wishes 0071_short_payments
  0072_balances_by_facts 0074_fixed_mix 0080_running_orders_by_id 0082_one_persons_credits 0083_all_written
  0084_client_ids_in_their_own_order 0085_running_orders_in_groups 0086_client_keys 0087_orders_bind_client_ids
  0090_known_devices 0100_vip_by_rule 0101_first_referral_rate 0110_market_lease 0111_house_keys 0112_push_claims
  0120_health_reads_migrations 0125_proposals_bind_values 0130_withdrawals_rest_after_a_reset 0131_own_hours_unset
  0140_members_second_factors 0141_lost_second_factors 0150_sessions_know_their_device
  0151_members_freeze_their_withdrawals 0152_withdrawal_addresses 0153_factors_vouch_for_addresses
  0160_running_orders_counted
`
  .trim()
  .split(/\s+/);

let database: TestDatabase;
/** Address of a database with only the baseline. */
let url: string;
let client: pg.Client;
let folder: string;
let made = 0;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "fairtick-baseline-"));
  database = await createTestDatabase();
  made += 1;
  const name = `baseline_${process.pid}_${made}`;
  await inWhole((whole) => whole.query(`CREATE DATABASE ${name}`));
  url = Object.assign(new URL(database.url), { pathname: `/${name}` }).href;
  const baseline = join(folder, "baseline");
  mkdirSync(baseline);
  for (const file of [...BASELINE.map((each) => `${each}.sql`), "baseline.json"])
    cpSync(join(MIGRATIONS, file), join(baseline, file));
  await migrate(url, baseline);
  client = new pg.Client({ connectionString: url });
  await client.connect();
});
afterEach(async () => {
  const { pathname } = new URL(url);
  await client.end();
  await inWhole((whole) => whole.query(`DROP DATABASE ${pathname.slice(1)} WITH (FORCE)`));
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `work` on a connection to a database with all migrations. */
async function inWhole<Value>(work: (whole: pg.Client) => Promise<Value>): Promise<Value> {
  const whole = new pg.Client({ connectionString: database.url });
  await whole.connect();
  try {
    return await work(whole);
  } finally {
    await whole.end();
  }
}

/** Turns the test's database into one of the earlier version: the same schema under other names, and without comments. */
async function makeEarlier(names: readonly string[]): Promise<void> {
  await client.query("TRUNCATE migrations");
  await client.query(
    "INSERT INTO migrations (name, run_on) SELECT name, now() FROM unnest($1::text[]) WITH ORDINALITY n(name, place) ORDER BY place",
    [names],
  );
  await client.query(`DO $$ DECLARE statement text; BEGIN
    FOR statement IN SELECT format('COMMENT ON TABLE %s IS NULL', oid::regclass) FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      UNION ALL SELECT format('COMMENT ON COLUMN %s.%I IS NULL', attrelid::regclass, attname) FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND attnum > 0 AND NOT attisdropped
    LOOP EXECUTE statement; END LOOP; END $$`);
}

async function applied(): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>("SELECT name FROM migrations ORDER BY run_on, id");
  return rows.map(({ name }) => name);
}

it("takes over a database of the earlier version if all its migrations are applied", async () => {
  const fresh = await inWhole((whole) => describeSchema(whole, { bodies: true }));
  await makeEarlier(OLD);
  expect(await describeSchema(client, { bodies: true })).not.toBe(fresh);
  await client.query("UPDATE house_accounts SET balance = 7 WHERE wallet = 'real' AND account = 'pool'");
  expect(await migrate(url, MIGRATIONS)).toEqual(LATER);
  expect((await applied()).slice(0, BASELINE.length)).toEqual(BASELINE);
  expect(await describeSchema(client, { bodies: true })).toBe(fresh);
  const { rows } = await client.query("SELECT balance FROM house_accounts WHERE balance <> 0");
  expect(rows).toEqual([{ balance: "7" }]);
});

it("applies later migrations to such a database exactly once, however many processes start at the same time", async () => {
  const all = join(folder, "all");
  cpSync(MIGRATIONS, all, { recursive: true });
  writeFileSync(join(all, "9000_later.sql"), "CREATE TABLE later (id bigint);");
  await makeEarlier(OLD);
  const starts = await Promise.all([1, 2, 3].map(() => migrate(url, all)));
  expect(starts.flat().filter((name) => name === "9000_later")).toHaveLength(1);
  expect(await migrate(url, all)).toEqual([]);
});

it("refuses a database that stopped at an earlier migration, says what to do and changes nothing", async () => {
  const stopped = OLD.slice(0, OLD.indexOf("0090_known_devices") + 1);
  await makeEarlier(stopped);
  const refusal = await migrate(url, MIGRATIONS).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(PostgresProblem);
  expect((refusal as Error).message).toBe(
    "The database was made by an earlier version and stopped at its migration 0090_known_devices; this version continues from 0160_running_orders_counted. " +
      "Start the last version that has 0160_running_orders_counted on this database once, then start this version. " +
      "If you don't need the data, start with an empty database or another DATA_DIR instead.",
  );
  expect(await applied()).toEqual(stopped);
});

it("refuses one that has the last migration's name and lacks another", async () => {
  await makeEarlier(OLD.slice(1));
  await expect(migrate(url, MIGRATIONS)).rejects.toBeInstanceOf(PostgresProblem);
});
