import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createOrderWorld, type OrderWorld } from "../orders/test-world.ts";
import { createSweep, END, type Stretch } from "./sweep.ts";
import { type InvariantWatch, watchInvariants } from "./watch-invariants.ts";

/** Time of the test's facts. A cycle no longer counts them as new, so only the sweep can find them. */
const OLD = 1_600_000_000_000n;
let world: OrderWorld;
let member: bigint;
let watch: InvariantWatch;
const reasons = new Map<string, string>();

beforeAll(async () => {
  world = await createOrderWorld();
  member = await world.build.createMember();
  await bend("transfers", `UPDATE transfers SET made_at = ${OLD}`);
  for (const outcome of ["done", "LOGIN_FAILED", "done", "done"]) {
    await world.build.client.query("SELECT write_audit(NULL, NULL, '127.0.0.1', 'd', 'login', NULL, NULL, '{}', $1)", [
      outcome,
    ]);
  }
  await placeOldOrder();
  watch = watchInvariants(world.context, {
    acceptance: {
      stop: (reason, detail = "") => reasons.set(reason, detail),
      clear: (reason) => void reasons.delete(reason),
    },
  });
});
afterAll(async () => {
  await watch.close();
  await world.close();
});
async function bend(table: string, sql: string): Promise<void> {
  await world.build.client.query(
    `ALTER TABLE ${table} DISABLE TRIGGER USER; ${sql}; ALTER TABLE ${table} ENABLE TRIGGER USER;
     ALTER TABLE ${table} ENABLE ALWAYS TRIGGER refuse_row_change`,
  );
}

/** Inserts an old, settled order in a batch of its own that the log contains. */
async function placeOldOrder(): Promise<void> {
  await world.build.client.query(`
    INSERT INTO acceptance_batches VALUES (1, ${OLD}, sha256('1'));
    SELECT ensure_settlement_partitions(${OLD}, ${OLD});
    INSERT INTO orders (order_id, member_id, member_seq, batch_no, accepted_at, stake, fee, profit_if_won, available_after, payout_rate,
        duration, config_version, batch_place, wallet, direction, symbol, client_order_id, client_key, nonce)
      SELECT (${OLD} - 1577836800000) << 22, member_id, 2, 1, ${OLD}, 10000000, 100000, 8100000, practice_available - 10100000, 820000,
        30, 1, 0, 'practice', 'up', 'EURUSD', 'old-order', client_key('old-order'), '\\x00' FROM members_money WHERE member_id = ${member};
    INSERT INTO settlements (order_id, member_id, member_seq, settled_at, profit, credit, available_after, outcome, void_reason)
      SELECT order_id, member_id, 3, ${OLD} + 11000, 0, 10100000, available_after + 10100000, 'voided', 'NO_ENTRY_TICK' FROM orders
      WHERE client_order_id = 'old-order';
    UPDATE members_money SET member_seq = 3 WHERE member_id = ${member};
    INSERT INTO outbox (kind, entry) VALUES ('orders.accept', '{"commitments":"' || encode(sha256('1'), 'base64') || '"}');
    INSERT INTO log_entries SELECT 0, outbox_id, 1, 'orders.accept', '' FROM outbox WHERE kind = 'orders.accept';
    INSERT INTO log_entries SELECT row_number() OVER (), outbox_id, (entry::json ->> 'version')::bigint, 'config', '' FROM outbox
      WHERE kind = 'config';
    INSERT INTO log_published VALUES (true, 2, '', floor(extract(epoch FROM now()) * 1000), 2, '', 0, '[]')`);
}

describe("one cycle of the running server", () => {
  beforeEach(async () => {
    await watch.run();
    if (reasons.size > 0) throw new Error(`something is broken before the test: ${reasons.get("invariant")}`);
  });

  it.each([
    [
      "a changed balance",
      /I2: member \d+ practice available 10001000000 against postings of 10000000000/,
      "members_money",
      "practice_available = practice_available + 1000000",
      "practice_available = practice_available - 1000000",
    ],
    [
      "a changed number of running orders",
      /I2: member \d+ practice .*, running orders 1 against 0/,
      "members_money",
      "practice_running_orders = practice_running_orders + 1",
      "practice_running_orders = practice_running_orders - 1",
    ],
    ["an old order in another batch", /I11: batch 2 holds 1 orders/, "orders", "batch_no = 2", "batch_no = 1"],
    [
      "a place that the batch does not have",
      /I11: batch 1 holds 1 orders/,
      "orders",
      "batch_place = 7",
      "batch_place = 0",
    ],
    [
      "another outcome of an old order",
      /I2: member \d+ practice/,
      "settlements",
      "outcome = 'lost', void_reason = NULL",
      "outcome = 'voided', void_reason = 'NO_ENTRY_TICK'",
    ],
  ])("notices %s", async (_what, sentence, table, change, undo) => {
    const turn = (to: string) => `UPDATE ${table} SET ${to} WHERE member_id = ${member}`;
    await (table === "members_money" ? world.build.client.query(turn(change)) : bend(table, turn(change)));
    await watch.run();
    const said = reasons.get("invariant");
    await (table === "members_money" ? world.build.client.query(turn(undo)) : bend(table, turn(undo)));
    await watch.run();
    expect(said).toMatch(sentence);
    expect([...reasons]).toEqual([]);
  });

  it("notices a missing posting and a missing order", async () => {
    for (const [table, where] of [
      ["postings", `transfer_id IN (SELECT transfer_id FROM transfers WHERE member_id = ${member})`],
      ["orders", `member_id = ${member}`],
    ] as const) {
      await world.build.client.query(`CREATE TEMP TABLE kept AS SELECT * FROM ${table} WHERE ${where}`);
      await bend(table, `DELETE FROM ${table} WHERE ${where}`);
      await watch.run();
      const said = reasons.get("invariant");
      await bend(table, `INSERT INTO ${table} SELECT * FROM kept; DROP TABLE kept`);
      await watch.run();
      expect(said).toMatch(/I2: member \d+/);
    }
  });

  it("notices an order that was added to an old batch, with numbers and balances adjusted to fit", async () => {
    await bend(
      "orders",
      `INSERT INTO orders SELECT (r).* FROM (SELECT jsonb_populate_record(o, '{"member_seq": 4, "batch_place": 1,
         "client_order_id": "slipped"}'::jsonb || jsonb_build_object('order_id', order_id + 1, 'client_key', client_key('slipped'))) AS r FROM orders o WHERE member_id = ${member}) x`,
    );
    const money = (sign: "+" | "-") =>
      `UPDATE members_money SET member_seq = member_seq ${sign} 1, practice_available = practice_available - (${sign}10100000),
         practice_locked = practice_locked ${sign} 10100000, practice_running_stakes = practice_running_stakes ${sign} 10000000,
         practice_running_orders = practice_running_orders ${sign} 1 WHERE member_id = ${member}`;
    await world.build.client.query(money("+"));
    await watch.run();
    expect(reasons.get("invariant")).toBe(
      "I11: batch 1 holds 2 orders accepted at 1600000000000, the public log has 1",
    );
    await world.build.client.query(money("-"));
    await bend("orders", "DELETE FROM orders WHERE client_order_id = 'slipped'");
  });

  it("notices a configuration that is missing from the log", async () => {
    const insert = `INSERT INTO trading_configs (version, effective_at, body, body_hash) SELECT 2, effective_at + 1, body, body_hash FROM trading_configs`;
    await world.build.client.query(insert);
    await watch.run();
    const said = reasons.get("invariant");
    await bend("trading_configs", "DELETE FROM trading_configs WHERE version = 2");
    expect(said).toBe("I12: configuration version 2 is used and not in the public log");
  });

  it.each([
    ["an edited row", "UPDATE audit_trail SET outcome = 'done' WHERE audit_no = 2", "does not hold at row 2"],
    ["a row that is gone", "DELETE FROM audit_trail WHERE audit_no = 3", "does not hold at row 3"],
    ["a first row that is gone", "DELETE FROM audit_trail WHERE audit_no = 1", "does not hold at row 1"],
    [
      "a missing newest row",
      "DELETE FROM audit_trail WHERE audit_no = 4",
      "was written anew: row 4 is not what it was",
    ],
    [
      "a chain rewritten from an edited row on, with hashes and head",
      `DO $$ DECLARE h bytea := (SELECT hash FROM audit_trail WHERE audit_no = 1); r audit_trail; BEGIN
         FOR r IN SELECT * FROM audit_trail WHERE audit_no > 1 ORDER BY audit_no LOOP
           UPDATE audit_trail SET outcome = 'done', previous_hash = h, hash = audit_hash(h, r.audit_no, r.at, r.operator_id, r.session_id,
             r.ip, r.device, r.action, r.subject, r.reason, r.detail, 'done') WHERE audit_no = r.audit_no RETURNING hash INTO h;
         END LOOP; UPDATE audit_head SET hash = h; END $$`,
      "was written anew: row 4 is not what it was",
    ],
  ])("reports in the audit trail %s", async (_what, sql, wrong) => {
    await world.build.client.query(
      "CREATE TEMP TABLE kept AS SELECT * FROM audit_trail; CREATE TEMP TABLE kept_head AS SELECT * FROM audit_head",
    );
    await bend("audit_trail", sql);
    await watch.run();
    const said = reasons.get("invariant");
    await bend(
      "audit_trail",
      `DELETE FROM audit_trail; INSERT INTO audit_trail SELECT * FROM kept; DROP TABLE kept;
       UPDATE audit_head SET hash = kept_head.hash FROM kept_head; DROP TABLE kept_head`,
    );
    await watch.run();
    expect(said).toContain(`I13: the operators' audit trail ${wrong}`);
  });

  it("reports nothing when the audit trail grows", async () => {
    await world.build.client.query(
      "SELECT write_audit(NULL, NULL, '127.0.0.1', 'd', 'login', NULL, NULL, '{}', 'done')",
    );
    await watch.run();
    expect([...reasons]).toEqual([]);
  });
});

describe("a sweep", () => {
  it("covers a long series in several calls, and checks what is broken each time until it holds", async () => {
    let now = 0;
    let broken = true;
    const seen: Stretch[] = [];
    const sweep = createSweep(
      {
        end: async (from, size) => (from + BigInt(size) < 10_000n ? from + BigInt(size) : null),
        async check(stretch) {
          seen.push(stretch);
          now += 60;
          const isHit = stretch.from <= 10n && stretch.to > 10n;
          return isHit && broken ? [{ invariant: "I2", about: "ten", wrong: "is wrong" }] : [];
        },
      },
      { elapsedMs: () => now },
    );
    let calls = 0;
    for (; sweep.rounds() < 2; calls += 1) expect(await sweep.go(100)).toHaveLength(1);
    expect(calls).toBeGreaterThan(4);
    const follows = seen.filter((at, place) => place > 0 && at.from !== 0n && seen[place - 1]!.from !== 0n);
    expect(follows.every((at) => seen.some(({ to }) => to === at.from))).toBe(true);
    expect(seen.some(({ to }) => to === END)).toBe(true);
    broken = false;
    expect(await sweep.go(100)).toEqual([]);
  });

  it("covers a short series once in each call", async () => {
    let looks = 0;
    const ground = { end: async () => null, check: async () => ((looks += 1), []) };
    const sweep = createSweep(ground, { elapsedMs: () => 0 });
    await sweep.go(500);
    expect([looks, sweep.rounds()]).toEqual([1, 1]);
  });
});
