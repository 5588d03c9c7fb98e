import type { MemberId } from "@fairtick/domain";
import { strFromU8, unzipSync } from "fflate";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrderWorld, instant, type OrderWorld } from "../orders/test-world.ts";
import { memberFiles } from "./member-files.ts";
import { putWholeMembers } from "./test-whole-member.ts";
import { zipOf } from "./zip-of.ts";

/**
 * Tables whose rows are in a member's archive, each with a file and a text from the test member's row in it. Every table that
 * refers to a member must be either here or in the list of tables that are left out for a reason. A new table fails the first
 * test until it is in one of the two.
 */
const EXPORTED: Readonly<Record<string, readonly [file: string, text: string]>> = {
  members: ["account.json", "AccountOwner"],
  members_money: ["wallets.csv", "practice,7654.00,"],
  member_limits: ["account.json", '"dailyStake"'],
  sessions: ["account.json", "Marked device"],
  order_devices: ["account.json", "Marked phone"],
  favourites: ["account.json", "EURUSD"],
  price_alerts: ["account.json", '"firedPoints": "1085001"'],
  identity_basics: ["account.json", "Silva"],
  identity_cases: ["identity.csv", "AB-991188"],
  identity_reminders: ["identity.csv", "1970-01-01T00:00:41.000Z"],
  orders: ["orders.json", '"clientOrderId":"client-155"'],
  settlements: ["orders.json", '"settledAt":42000'],
  transfers: ["fund-records.csv", "marked remark"],
  deposits: ["deposits.csv", "marked refusal"],
  bank_deposits: ["deposits.csv", "FT-MARKED"],
  card_deposits: ["deposits.json", '"byCustomerService":true'],
  chain_claims: ["deposits.csv", `0x${"c1".repeat(32)}`],
  chain_transfers: ["deposits.csv", "0xarrived"],
  deposit_receipts: ["deposits.json", "1970-01-01T00:00:43.000Z"],
  deposit_reversals: ["deposits.csv", "3.21"],
  deposit_steps: ["deposits.json", "1970-01-01T00:00:44.000Z"],
  deposit_addresses: ["deposit-addresses.csv", "0x52908400098527886E0F7030069857D2E4169EE7"],
  chain_coins: ["deposit-addresses.json", '"units":"987654"'],
  withdrawals: ["withdrawals.csv", "0x8617E340B3D01FA5F11F306F4090FD50E238070D"],
  withdrawal_steps: ["withdrawals.json", "1970-01-01T00:00:45.000Z"],
  withdrawal_freezes: ["withdrawal-freezes.csv", "1970-01-01T00:00:46.000Z"],
  member_freezes: ["withdrawal-freezes.csv", "1970-01-01T00:00:51.000Z"],
  withdrawal_addresses: ["withdrawal-addresses.csv", "Marked wallet"],
  incidents: ["incidents.csv", "marked incident"],
  files: ["files.csv", "dep_marked"],
  push_subscriptions: ["push-subscriptions.csv", "https://push.example/marked"],
  announcement_reads: ["announcements-read.csv", "1970-01-01T00:00:47.000Z"],
  member_messages: ["messages.csv", "A marked title"],
  closings: ["closing.csv", "consent"],
  suspensions: ["suspensions.csv", "marked suspension"],
  proposals: ["proposals.csv", "marked-kind"],
  decisions: ["proposals.csv", "1970-01-01T00:00:48.000Z"],
  vip_assignments: ["assigned-people.csv", "manager"],
  referral_shares: ["fees-shared.csv", "12,0.123456"],
  liability_leaves: ["liability-proofs.csv", "ababab"],
  support_threads: ["chat.csv", "1970-01-01T00:00:49.000Z"],
  support_messages: ["customer-service.csv", "Marked words"],
  support_reads: ["chat.json", "1970-01-01T00:00:50.000Z"],
};

const LEFT_OUT: Readonly<Record<string, string>> = {
  deposit_requests: "recognizes a repeated request by a hash; the deposit itself is in the archive",
  orders_set_aside: "orders that the house could not settle yet; the order itself is in the archive",
  reveals: "what opened their sealed orders; each order in the archive has its direction and limit price",
  awaiting_reveals: "sealed orders that wait to be opened, a second time; they are among the orders",
  open_groups: "the orders that run, a second time; they are among the orders",
  deposit_children: "the number of their next address; each address with its number is in the archive",
  identity_flags:
    "what a case is looked at for, another member's case among it: another person's, and of use to forgers",
  card_payments:
    "the acquirer's name of a payment by card, by which the house takes it once; the deposit itself is in the archive",
  card_wishes: "recognizes an operator's repeated request; the deposit itself is in the archive",
  short_payments:
    "what a payment of the house lacked; the payment is on the chain by the hash in the archive, and what came back is a fund record",
  short_endings: "ties what came back of a short payment to its transfer, which is a fund record",
  reversal_requests: "what operators put before each other; the reversal itself is in the archive",
  sweep_deposits: "how the house moves its own coins after it has credited them",
  payout_nonces: "how the house numbers its own payments",
  withdrawal_rests:
    "how long withdrawals wait after a reset; each reset with the end of its wait is among their messages",
  freeze_links: "links of warnings by a hash, dropped after seven days; each warning is among the messages",
  known_devices: "recognizes a browser by a hash of its key; the sessions on it are in the archive",
  member_totp: "opens a door; that it was added or removed is among their messages",
  member_passkeys: "opens a door; that it was added or removed is among their messages",
  member_recovery_codes: "opens a door; that they were made is among their messages",
  factor_openings: "ties what two operators agreed on to its effect, of which they have a message",
  member_challenges: "what was asked of their authenticators, for minutes",
  withdrawal_attempts: "signed payments of the house; the one that paid is in the archive by its hash",
  withdrawal_approvals: "signatures and words of operators to each other; its steps are in the archive",
  ended_authorizations: "what the signer was told of withdrawals that ended; these are in the archive",
  withdrawal_releases: "words of operators to each other; the withdrawal's reason is in the archive",
  fairness_members: "sums of their orders by day, counted from the settlements that are in the archive",
  postings: "lines of the transfers; each of theirs is in the archive as its amount and what was left after it",
};

let world: OrderWorld;
let owner: pg.Client;
beforeAll(async () => {
  world = await createOrderWorld();
  // Only the superuser may insert rows without the rows that they refer to.
  const url = new URL(world.context.database.adminUrl);
  url.pathname = new URL(world.context.database.url).pathname;
  owner = new pg.Client({ connectionString: url.href });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await world.close();
});

it("lists every table that refers to a member, as exported or as left out", async () => {
  const { rows } = await owner.query<{ name: string }>(`
    WITH RECURSIVE named AS (
      SELECT c.oid, c.relname AS name, bool_or(a.attnotnull) AS always
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND (a.attname ~ '(^|_)(member|inviter|invited)(_id|_by)?$' OR EXISTS (SELECT FROM pg_constraint k
          WHERE k.contype = 'f' AND k.conrelid = c.oid AND k.confrelid = 'members'::regclass AND a.attnum = ANY (k.conkey)))
      GROUP BY c.oid, c.relname
    ), reached AS (
      SELECT oid, name FROM named WHERE always AND name <> 'members'
      UNION
      SELECT c.oid, c.relname FROM reached r JOIN pg_constraint k ON k.contype = 'f' AND k.confrelid = r.oid JOIN pg_class c ON c.oid = k.conrelid
      WHERE NOT c.relispartition
    )
    SELECT name FROM named UNION SELECT name FROM reached ORDER BY name`);
  const reached = rows.map(({ name }) => name);
  const both = [...Object.keys(EXPORTED), ...Object.keys(LEFT_OUT)];
  expect(new Set(both).size).toBe(both.length);
  expect(reached.filter((name) => !both.includes(name))).toEqual([]);
  expect(reached.length).toBeGreaterThan(40);
});

it("exports a row of every exported table, of this member only and without secrets", async () => {
  const mine = (await world.build.createMember({ practice: 7_654_000_000n })) as MemberId;
  const theirs = (await world.build.createMember()) as MemberId;
  await putWholeMembers(owner, world.context.config.secret, { mine, theirs });

  const now = instant(await world.build.now());
  const pieces: Uint8Array[] = [];
  for await (const piece of zipOf(await memberFiles(world.context, world.placing, mine, now, "en"), now))
    pieces.push(piece);
  const unpacked = unzipSync(Buffer.concat(pieces));
  const files = Object.fromEntries(Object.entries(unpacked).map(([name, bytes]) => [name, strFromU8(bytes)]));
  const missing = Object.entries(EXPORTED).filter(([, [file, text]]) => !files[file]?.includes(text));
  expect(missing.map(([table, [file, text]]) => `${table}: ${text} is not in ${file}:\n${files[file]}`)).toEqual([]);
  const all = Object.values(files).join("\n");
  const others = [
    "OF-ANOTHER-PERSON",
    "SECRET-",
    "Words among operators",
    "0xSENDER",
    "0.777777",
    `m${theirs}@example.com`,
  ];
  expect(others.filter((text) => all.includes(text))).toEqual([]);
});
