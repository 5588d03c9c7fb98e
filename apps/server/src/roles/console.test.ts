import { formatId, type MemberId } from "@fairtick/domain";
import {
  mayCall,
  OPERATOR_CALLS,
  OPERATOR_POLICY,
  type OperatorPath,
  OPERATOR_ROLES,
} from "@fairtick/protocol/operator";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { checkInvariants } from "../features/ledger/index.ts";
import { SANDBOX_LOGINS, sandboxOperators } from "../features/operators/index.ts";
import { createConsoleWorld, type ConsoleWorld } from "../testing/console-world.ts";

let world: ConsoleWorld;
const cookies = new Map<string, string>();
const as = (login: string) => cookies.get(login) ?? "";

beforeAll(async () => {
  world = await createConsoleWorld();
  for (const { account } of SANDBOX_LOGINS) cookies.set(account, await world.logIn(account));
});
afterAll(() => world.close());

const newMember = async () => {
  const id = await world.builder.createMember();
  return { id, memberId: formatId("member", id as MemberId) };
};
const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.builder.client.query<Row>(text, values)).rows;

describe("the policy", () => {
  it("has a row for every call, and a call for every row", () => {
    expect(Object.keys(OPERATOR_POLICY).sort()).toEqual(OPERATOR_CALLS.map(({ path }) => path).sort());
  });

  it("doesn't let the auditor change anything", () => {
    const changing =
      /\/(?:list|detail|ledger|orders|export|exposure|result|fairness|liabilities|view|viewFile|files|me|logout|preview|inbox|chat|canned|walletState|keys|withdrawalTimes)$/;
    const open = OPERATOR_CALLS.filter(({ path }) => {
      const access = OPERATOR_POLICY[path as OperatorPath];
      return typeof access !== "string" && access.includes("auditor");
    });
    expect(open.length).toBeGreaterThan(8);
    expect(open.filter(({ path }) => !changing.test(path))).toEqual([]);
  });

  it("matches what the console does, for every call and every role", async () => {
    for (const role of OPERATOR_ROLES) {
      const cookie = as(`${role}-1`);
      for (const { path } of OPERATOR_CALLS) {
        if (path === "session/logout" || typeof OPERATOR_POLICY[path as OperatorPath] === "string") continue;
        // An empty message is refused by its fields only after the role was let through.
        const { status } = await world.call(path, {}, cookie);
        expect([role, path, status === 403]).toEqual([role, path, !mayCall(path as OperatorPath, [role])]);
        expect(status).not.toBe(500);
      }
    }
  });

  it("gives nothing to a caller without a session", async () => {
    for (const { path } of OPERATOR_CALLS) {
      if (OPERATOR_POLICY[path as OperatorPath] === "anyone") continue;
      expect([path, (await world.call(path, {})).status]).toEqual([path, 401]);
    }
  });
});

describe("a session", () => {
  it("allows no calls before its second factor, and gets another token after it", async () => {
    const [operator] = sandboxOperators(world.context.config.dataDir);
    const first = await world.call("session/login", { login: operator!.account, password: operator!.password });
    expect(first.cookie).toMatch(/^operator-session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const cookie = first.cookie!.split(";")[0]!;
    expect((await world.call("member/list", {}, cookie)).status).toBe(401);
    expect((await world.call("session/verifySecondFactor", { code: "000000" }, cookie)).status).toBe(422);
    const stored = await sql<{ token_hash: Buffer }>("SELECT token_hash FROM operator_sessions");
    expect(stored.some(({ token_hash: hash }) => hash.toString("base64url") === cookie.split("=")[1])).toBe(false);
  });

  it("is refused in the same way for an unknown login and a wrong password", async () => {
    const unknown = await world.call("session/login", { login: "nobody-here", password: "wrong-password" });
    const wrong = await world.call("session/login", { login: "auditor-1", password: "wrong-password" });
    expect(unknown.status).toBe(422);
    expect(wrong.body).toEqual(unknown.body);
  });

  it("makes strangers wait after three guesses", async () => {
    const answers = [];
    for (let tries = 0; tries < 4; tries += 1)
      answers.push((await world.call("session/login", { login: "guessed", password: "wrong-password" })).status);
    expect(answers).toEqual([422, 422, 422, 429]);
  });

  it("can be ended at once, on all devices", async () => {
    const cookie = await world.logIn("support-1");
    expect((await world.call("session/me", {}, cookie)).status).toBe(200);
    const me = (await world.call("session/me", {}, cookie)).body as unknown as {
      data: { operator: { operatorId: string } };
    };
    const ended = { operatorId: me.data.operator.operatorId, reason: "laptop lost" };
    expect((await world.call("operator/endSessions", ended, as("admin-1"))).status).toBe(200);
    expect((await world.call("session/me", {}, cookie)).status).toBe(401);
    cookies.set("support-1", await world.logIn("support-1"));
  });

  it("ends with a logout", async () => {
    const cookie = await world.logIn("compliance-2");
    expect((await world.call("session/logout", {}, cookie)).cookie).toContain("Max-Age=0");
    expect((await world.call("session/me", {}, cookie)).status).toBe(401);
  });

  it("answers no message from another site", async () => {
    const cookie = as("admin-1");
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "" },
      { origin: "null" },
      { "x-fairtick-console": "" },
    ])
      expect((await world.call("session/me", {}, cookie, headers)).status).toBe(403);
    const form = { "content-type": "text/plain" };
    expect((await world.call("session/me", "{}", cookie, form)).status).toBe(400);
    expect((await world.call("session/me", "not json", cookie)).status).toBe(400);
  });
});

describe("a correction", () => {
  it("is booked by two people, once, and the member sees the reason", async () => {
    const { id, memberId } = await newMember();
    const wish = { memberId, wallet: "practice", amount: "-12.34", reason: "Paid twice on 3 November" };
    const made = await world.call("correction/propose", wish, as("finance-1"));
    expect(made.status).toBe(200);
    const { proposalId } = made.body.data as { proposalId: string };
    const approval = { proposalId, amount: "-12.34", reason: "Statement seen" };
    expect((await world.call("correction/approve", approval, as("finance-1"))).status).toBe(403);
    expect((await world.call("correction/approve", { ...approval, amount: "-12.35" }, as("finance-2"))).status).toBe(
      400,
    );
    expect((await world.call("correction/approve", approval, as("finance-2"))).status).toBe(200);
    expect((await world.call("correction/approve", approval, as("finance-2"))).status).toBe(409);
    const [money] = await sql<{ practice_available: string }>(
      "SELECT practice_available FROM members_money WHERE member_id = $1",
      [String(id)],
    );
    expect(money!.practice_available).toBe("9987660000");
    const ledger = await world.call("member/ledger", { memberId, wallet: "practice" }, as("support-1"));
    expect((ledger.body.data as { items: unknown[] }).items[0]).toMatchObject({
      amount: "-12.34",
      balanceAfter: "9987.66",
      remark: "correction",
      note: "Paid twice on 3 November",
      type: "system",
    });
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });

  it("can't take more than the balance or exceed its bounds", async () => {
    const { memberId } = await newMember();
    const wish = { memberId, wallet: "practice", amount: "-10000.01", reason: "too much" };
    expect((await world.call("correction/propose", wish, as("finance-1"))).status).toBe(422);
    expect((await world.call("correction/propose", { ...wish, amount: "1000000.01" }, as("finance-1"))).status).toBe(
      400,
    );
    expect((await world.call("correction/propose", { ...wish, amount: "0.00" }, as("finance-1"))).status).toBe(400);
  });

  it("is refused by the database itself if maker and checker are the same person", async () => {
    const { memberId } = await newMember();
    const wish = { memberId, wallet: "practice", amount: "5.00", reason: "goodwill" };
    const made = await world.call("correction/propose", wish, as("finance-1"));
    expect(made.status).toBe(200);
    const second = await world.logIn("finance-1");
    expect(second).not.toBe(as("finance-1"));
    const [proposal] = await sql<Record<string, string>>("SELECT * FROM proposals ORDER BY proposal_id DESC LIMIT 1");
    const [own] = await sql<{ session_id: string }>(
      `SELECT session_id FROM operator_sessions WHERE operator_id = $1 AND session_id <> $2 AND ended_at IS NULL AND verified_at IS NOT NULL
       ORDER BY session_id DESC LIMIT 1`,
      [proposal!["made_by"], proposal!["made_session"]],
    );
    const decide = (by: string, session: string) =>
      sql(
        `INSERT INTO decisions (proposal_id, made_by, made_session, decided_by, decided_session, decided_at, decision, reason)
         VALUES ($1, $2, $3, $4, $5, 0, 'approved', 'looks fine')`,
        [proposal!["proposal_id"], proposal!["made_by"], proposal!["made_session"], by, session],
      );
    await expect(decide(proposal!["made_by"]!, own!.session_id)).rejects.toThrow("maker_is_not_checker");
    const [other] = await sql<{ operator_id: string }>("SELECT operator_id FROM operators WHERE login = 'finance-2'");
    // Another operator's id with the maker's own session.
    await expect(decide(other!.operator_id, own!.session_id)).rejects.toThrow(/decided_session/);
    const [support] = await sql<{ operator_id: string; session_id: string }>(
      "SELECT operator_id, session_id FROM operator_sessions JOIN operators USING (operator_id) WHERE login = 'auditor-1' AND verified_at IS NOT NULL LIMIT 1",
    );
    await expect(decide(support!.operator_id, support!.session_id)).rejects.toThrow(/may not decide/);
    await expect(
      world.context.databases.console.query("SELECT apply_correction($1, 1)", [proposal!["proposal_id"]]),
    ).rejects.toThrow(/is no approved correction/);
  });
});

describe("the console's database role", () => {
  it.each([
    "UPDATE members_money SET practice_available = 1",
    "UPDATE house_accounts SET balance = 1",
    "INSERT INTO transfers (transfer_id, kind, wallet, made_at, idempotency_key) VALUES (1, 'correction', 'real', 1, 'x')",
    "INSERT INTO postings VALUES (1, 1, 'capital', 'available', 1)",
    "DELETE FROM orders",
    "UPDATE settlements SET profit = 1",
    "INSERT INTO ticks (symbol, seq, time, price) VALUES ('EURUSD', 1, 1, 1)",
    "UPDATE instrument_clock SET price = 1",
    "UPDATE members SET standing = 'closed'",
    "SELECT password_hash FROM members",
    "INSERT INTO trading_configs VALUES (99, 1, '{}', '')",
    "INSERT INTO operator_roles VALUES (1, 'admin')",
    "UPDATE operators SET disabled_at = NULL",
    "INSERT INTO audit_trail (audit_no) VALUES (1)",
    "UPDATE audit_trail SET reason = 'another'",
    "UPDATE audit_head SET audit_no = 0",
    "DELETE FROM proposals",
    "UPDATE decisions SET decision = 'rejected'",
    "INSERT INTO proposal_kinds VALUES ('mine', '{}', '{}')",
  ])("may not: %s", async (statement) => {
    await expect(world.context.databases.console.query(statement)).rejects.toMatchObject({ code: "42501" });
  });
});

describe("the audit trail", () => {
  it("records who, from where, what and why, including refusals, but no secrets", async () => {
    await world.call("member/suspend", { memberId: "usr_0000000000000", reason: "a try by support" }, as("support-1"));
    await world.call("session/login", { login: "nobody-here", password: "my-secret-guess" });
    const answer = await world.call("audit/list", { action: "member/suspend" }, as("auditor-1"));
    const { items, brokenAt } = answer.body.data as { items: Record<string, unknown>[]; brokenAt: string | null };
    expect(brokenAt).toBeNull();
    expect(items.at(0)).toMatchObject({
      operator: { login: "support-1" },
      ip: "127.0.0.1",
      subject: "usr_0000000000000",
      reason: "a try by support",
      outcome: "FORBIDDEN",
    });
    const kept = await sql<{ detail: string }>("SELECT detail FROM audit_trail WHERE action = 'session/login'");
    expect(kept.length).toBeGreaterThan(8);
    expect(kept.filter(({ detail }) => /lantern|my-secret/.test(detail))).toEqual([]);
  });

  it("writes the row and the effect together, or neither", async () => {
    const before = await sql("SELECT 1 FROM audit_trail WHERE action = 'correction/propose' AND outcome = 'done'");
    const made = await sql("SELECT 1 FROM proposals WHERE kind = 'correction'");
    expect(before.length).toBe(made.length);
  });

  it("shows where the database's owner has changed a row", async () => {
    await sql("ALTER TABLE audit_trail DISABLE TRIGGER refuse_row_change");
    const [row] = await sql<{ audit_no: string; reason: string }>(
      "SELECT audit_no, reason FROM audit_trail WHERE reason = 'a try by support'",
    );
    const change = (reason: string) =>
      sql("UPDATE audit_trail SET reason = $2 WHERE audit_no = $1", [row!.audit_no, reason]);
    await change("nothing at all");
    const broken = await world.call("audit/list", {}, as("auditor-1"));
    expect((broken.body.data as { brokenAt: string }).brokenAt).toBe(row!.audit_no);
    await change(row!.reason);
    const mended = await world.call("audit/list", {}, as("auditor-1"));
    expect((mended.body.data as { brokenAt: null }).brokenAt).toBeNull();
    await sql("ALTER TABLE audit_trail ENABLE ALWAYS TRIGGER refuse_row_change");
  });

  it("is exported with its hashes", async () => {
    const { body } = await world.call("audit/export", {}, as("auditor-1"));
    expect(String(body.data)).toMatch(/^auditNo,at,operator,/);
    expect(String(body.data).split("\r\n").length).toBeGreaterThan(50);
    const { status, body: told } = await world.call("audit/export", { from: "2000", to: "1000" }, as("auditor-1"));
    expect(status).toBe(400);
    expect(told.data).toMatchObject({ error: "FIELD_INVALID", fields: { from: "From isn’t valid" } });
  });
});

describe("a configuration", () => {
  it("needs two people, is in the log's outbox first, and takes effect on its date", async () => {
    const before = world.current();
    const wish = {
      instruments: [{ symbol: "EURUSD", durations: [{ seconds: 60, payoutRate: "0.70" }], suspended: true }],
      reason: "Volatile week",
    };
    const made = await world.call("config/propose", wish, as("admin-1"));
    expect(made.status).toBe(200);
    const proposal = made.body.data as { proposalId: string; differences: unknown[] };
    expect(proposal.differences).toContainEqual({ what: "EURUSD suspended", before: "no", after: "yes" });
    expect(proposal.differences).toContainEqual({ what: "EURUSD 60 s payoutRate", before: "0.85", after: "0.70" });
    const decision = { proposalId: proposal.proposalId, reason: "Agreed with risk" };
    expect((await world.call("config/approve", decision, as("admin-1"))).status).toBe(403);
    const approvedAt = BigInt(Date.now());
    expect((await world.call("config/approve", decision, as("admin-2"))).status).toBe(200);
    expect(world.current().version).toBe(before.version);
    await world.configs.know(before.version + 1);
    const next = await world.configs.bindingAt(before.effectiveAt, before.version + 1);
    expect(next.nextConfigAt).not.toBeNull();
    const [stored] = await sql<{ entry: string }>(
      "SELECT entry FROM outbox WHERE kind = 'config' ORDER BY outbox_id DESC LIMIT 1",
    );
    expect(JSON.parse(stored!.entry)).toMatchObject({
      version: before.version + 1,
      effectiveAt: Number(next.nextConfigAt),
    });
    expect(next.nextConfigAt! - approvedAt).toBeGreaterThan(4_000n);
    expect(world.configs.termsOf(before.version + 1, "EURUSD").durations).toEqual([
      { seconds: 60, payoutRate: 700_000n },
    ]);
    expect(world.configs.termsOf(before.version, "EURUSD").suspended).toBe(false);
  });

  it("of two that wait, both can be approved if they change different values, but not if their figures conflict", async () => {
    const propose = async (change: object) => {
      const wish = { instruments: [{ symbol: "USDJPY", ...change }], reason: "Thin market" };
      return (await world.call("config/propose", wish, as("admin-1"))).body.data as { proposalId: string };
    };
    const approve = ({ proposalId }: { proposalId: string }) =>
      world.call("config/approve", { proposalId, reason: "Agreed with risk" }, as("admin-2"));
    const [fee, offers, low, high] = [
      await propose({ feeRate: "0.03" }),
      await propose({ durations: [{ seconds: 45, payoutRate: "0.80" }] }),
      await propose({ maxStake: "20.00" }),
      await propose({ minStake: "30.00" }),
    ];
    for (const each of [fee, offers, low]) expect((await approve(each)).status).toBe(200);
    const clash = await approve(high);
    expect([clash.status, clash.body.data]).toMatchObject([400, { params: { field: "minStake" } }]);
    const [stored] = await sql<{ body: { instruments: { symbol: string }[] } }>(
      "SELECT body FROM trading_configs ORDER BY version DESC LIMIT 1",
    );
    expect(stored!.body.instruments.find(({ symbol }) => symbol === "USDJPY")).toMatchObject({
      feeRate: 30_000,
      maxStake: 20_000_000,
      durations: [{ seconds: 45, payoutRate: 800_000 }],
    });
  });

  it("is refused outside its bounds, for unknown items, and if nothing changes", async () => {
    for (const [instruments, status] of [
      [[{ symbol: "NOPE", suspended: true }], 404],
      [[{ symbol: "GBPUSD", feeRate: "0.5" }], 400],
      [[{ symbol: "GBPUSD", minStake: "2000.00" }], 400],
      [[{ symbol: "GBPUSD", suspended: false }], 400],
    ] as const)
      expect((await world.call("config/propose", { instruments, reason: "a test" }, as("admin-1"))).status).toBe(
        status,
      );
  });
});

describe("capital", () => {
  it("needs one person of admin and one of finance", async () => {
    const wish = { wallet: "real", amount: "250000.00", reason: "Second tranche" };
    const made = await world.call("capital/propose", wish, as("admin-1"));
    const { proposalId, poolNow } = made.body.data as { proposalId: string; poolNow: string };
    const approval = { proposalId, amount: "250000.00", reason: "Bank confirms" };
    expect((await world.call("capital/approve", approval, as("admin-2"))).status).toBe(403);
    const approved = await world.call("capital/approve", approval, as("finance-1"));
    expect(Number((approved.body.data as { poolNow: string }).poolNow) - Number(poolNow)).toBe(250_000);
    const owed = await world.call("report/liabilities", {}, as("auditor-1"));
    expect((owed.body.data as { house: unknown[] }).house).toContainEqual({
      account: "pool",
      balance: "1250000.000000",
    });
    const report = await world.call("report/exposure", {}, as("support-1"));
    expect(report.body.data).toContainEqual(expect.objectContaining({ wallet: "real", pool: "1250000.00" }));
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });
});

describe("a suspension", () => {
  it("is shown to the member, and lifted by one person within 24 hours", async () => {
    const { id, memberId } = await newMember();
    const wish = { memberId, reason: "Account used by another" };
    expect((await world.call("member/suspend", wish, as("compliance-1"))).status).toBe(200);
    expect((await world.call("member/suspend", wish, as("compliance-1"))).status).toBe(409);
    const [row] = await sql("SELECT standing, standing_reason FROM members WHERE member_id = $1", [String(id)]);
    expect(row).toEqual({ standing: "suspended", standing_reason: "Account used by another" });
    const lifted = await world.call("member/lift", { memberId, reason: "Cleared by phone" }, as("compliance-1"));
    expect(lifted.body.data).toEqual({ done: "lifted" });
    const detail = await world.call("member/detail", { memberId }, as("support-1"));
    expect(detail.body.data).toMatchObject({ standing: "active", standingReason: null, lift: null });
  });

  it("needs a second person to review, and two to lift after 24 hours", async () => {
    cookies.set("compliance-2", await world.logIn("compliance-2"));
    const { id, memberId } = await newMember();
    await world.call("member/suspend", { memberId, reason: "Chargeback" }, as("compliance-1"));
    const keep = { memberId, reason: "Right so", decision: "keep" };
    const queue = await world.call("member/list", { standing: "review" }, as("compliance-2"));
    expect((queue.body.data as { items: unknown[] }).items).toContainEqual(expect.objectContaining({ memberId }));
    expect((await world.call("member/reviewStanding", keep, as("compliance-1"))).status).toBe(403);
    expect((await world.call("member/reviewStanding", keep, as("compliance-2"))).status).toBe(200);
    await sql("UPDATE suspensions SET suspended_at = suspended_at - 90000000 WHERE member_id = $1", [String(id)]);
    const lift = await world.call("member/lift", { memberId, reason: "Settled" }, as("compliance-1"));
    expect(lift.body.data).toEqual({ done: "proposed" });
    await expect(
      world.context.databases.console.query(
        "SELECT lift_suspension((SELECT session_id FROM operator_sessions JOIN operators USING (operator_id) WHERE login = 'compliance-2' AND ended_at IS NULL AND verified_at IS NOT NULL LIMIT 1), $1, NULL, 'alone')",
        [id],
      ),
    ).rejects.toThrow(/two people/);
    const decision = { memberId, reason: "Agreed", decision: "lift" };
    expect((await world.call("member/reviewStanding", decision, as("compliance-1"))).status).toBe(403);
    expect((await world.call("member/reviewStanding", decision, as("compliance-2"))).status).toBe(200);
    const [row] = await sql("SELECT standing FROM members WHERE member_id = $1", [String(id)]);
    expect(row).toEqual({ standing: "active" });
  });
});

describe("a member who lost every second factor", () => {
  const remove = (memberId: string, who: string) =>
    world.call("member/removeFactor", { memberId, reason: "Showed the passport in a call" }, as(who));

  it("is let in again by one person of support and one of compliance, then withdrawals rest, and they are told", async () => {
    const { id, memberId } = await newMember();
    expect((await remove(memberId, "support-1")).status).toBe(409);
    await sql("INSERT INTO member_totp (member_id, sealed_secret, used_step, made_at) VALUES ($1, 'x', 0, 0)", [
      String(id),
    ]);
    expect((await remove(memberId, "finance-1")).status).toBe(403);
    expect((await remove(memberId, "support-1")).body.data).toEqual({ done: "proposed" });
    const detail = async () => (await world.call("member/detail", { memberId }, as("compliance-1"))).body.data;
    expect(await detail()).toMatchObject({ secondFactor: true, factorRemoval: { madeBy: { login: "support-1" } } });
    expect((await remove(memberId, "support-1")).status).toBe(403);
    const published = vi.spyOn(world.context.bus, "publish");
    onTestFinished(() => published.mockRestore());
    expect((await remove(memberId, "compliance-1")).body.data).toEqual({ done: "removed" });
    // After the commit, their browsers are told of both, and mail is sent to their addresses.
    expect(published.mock.calls.filter(([topic]) => topic === "warnings")).toHaveLength(2);
    expect(await detail()).toMatchObject({ secondFactor: false, factorRemoval: null });
    const [rest] = await sql<{ password: string }>("SELECT password FROM withdrawal_rests WHERE member_id = $1", [
      String(id),
    ]);
    expect(rest).toEqual({ password: "factor" });
    const told = await sql<{ message_key: string }>(
      "SELECT message_key FROM member_messages WHERE member_id = $1 ORDER BY message_id",
      [String(id)],
    );
    expect(told.map(({ message_key: key }) => key)).toEqual(["secondFactorOpened", "withdrawalsRestUnprotected"]);
  });

  it("is not let in if the second person declines, or by an approval that was already used", async () => {
    const { id, memberId } = await newMember();
    const factor = () =>
      sql("INSERT INTO member_totp (member_id, sealed_secret, used_step, made_at) VALUES ($1, 'x', 0, 0)", [
        String(id),
      ]);
    await factor();
    await remove(memberId, "support-1");
    const keep = { memberId, reason: "Not the person in the passport" };
    expect((await world.call("member/keepFactor", keep, as("compliance-1"))).status).toBe(200);
    expect((await world.call("member/keepFactor", keep, as("compliance-1"))).status).toBe(409);
    expect((await remove(memberId, "compliance-1")).body.data).toEqual({ done: "proposed" });
    expect((await remove(memberId, "support-1")).body.data).toEqual({ done: "removed" });
    await factor();
    const again = world.context.databases.console.query(
      "SELECT open_lost_factor(proposal_id, 24) FROM proposals WHERE kind = 'second_factor' AND member_id = $1",
      [id],
    );
    await expect(again).rejects.toMatchObject({ code: expect.stringMatching(/23505|42501/) });
  });
});

describe("a suspension, in the database", () => {
  it.each([
    ["set", "SELECT suspend_member(1, $1, $2, 'on my own')"],
    ["reviewed", "SELECT review_suspension($1, $2, 'on my own')"],
    ["lifted", "SELECT lift_suspension($1, $2, NULL, 'on my own')"],
  ])("is %s only by compliance", async (_what, statement) => {
    const { id, memberId } = await newMember();
    if (!statement.includes("suspend_member"))
      await world.call("member/suspend", { memberId, reason: "Chargeback" }, as("compliance-1"));
    const [support] = await sql<{ session: string }>(
      `SELECT max(session_id) AS session FROM operator_sessions JOIN operators USING (operator_id)
       WHERE login = 'support-1' AND ended_at IS NULL AND verified_at IS NOT NULL`,
    );
    await expect(
      world.context.databases.console.query(statement, [support!.session, String(id)]),
    ).rejects.toMatchObject({ code: "42501" });
  });
});

describe("operators", () => {
  it("are invited, given roles and disabled by two admins", async () => {
    const invite = { login: "finance-3", name: "Third of finance", roles: ["finance"], reason: "New colleague" };
    const made = await world.call("operator/invite", invite, as("admin-1"));
    const { proposalId } = made.body.data as { proposalId: string };
    expect((await world.call("operator/approve", { proposalId, reason: "Known to me" }, as("admin-1"))).status).toBe(
      403,
    );
    const approved = await world.call("operator/approve", { proposalId, reason: "Known to me" }, as("admin-2"));
    const { invitation, proposal } = approved.body.data as {
      invitation: string;
      proposal: { target: { operatorId: string } };
    };
    const token = invitation.split("/").at(-1)!;
    const opened = await world.call("session/invitation", { token });
    const { secret } = opened.body.data as { secret: string };
    const { totp, fromBase32 } = await import("../features/operators/index.ts");
    const code = totp(fromBase32(secret), BigInt(Date.now()) as never);
    const common = await world.call("session/enrol", { token, password: "password1", code });
    expect(common.status).toBe(422);
    const enrolled = await world.call("session/enrol", { token, password: "gravel-window-31", code });
    const { recoveryCodes } = enrolled.body.data as { recoveryCodes: string[] };
    expect(recoveryCodes).toHaveLength(8);
    expect((await world.call("session/enrol", { token, password: "gravel-window-31", code })).status).toBe(404);

    const first = await world.call("session/login", { login: "finance-3", password: "gravel-window-31" });
    const pending = first.cookie!.split(";")[0]!;
    expect((await world.call("session/verifySecondFactor", { code }, pending)).status).toBe(422);
    const second = await world.call("session/verifySecondFactor", { code: recoveryCodes[0] }, pending);
    const cookie = second.cookie!.split(";")[0]!;
    expect((await world.call("correction/list", {}, cookie)).status).toBe(200);

    const { operatorId } = proposal.target;
    const out = await world.call("operator/disable", { operatorId, reason: "Left" }, as("admin-2"));
    const outId = (out.body.data as { proposalId: string }).proposalId;
    expect(
      (await world.call("operator/approve", { proposalId: outId, reason: "So it is" }, as("admin-1"))).status,
    ).toBe(200);
    expect((await world.call("correction/list", {}, cookie)).status).toBe(401);
    expect((await world.call("session/login", { login: "finance-3", password: "gravel-window-31" })).status).toBe(422);
  });

  it("get nothing back by an approval that was already used", async () => {
    const { operators } = (await world.call("operator/list", {}, as("admin-1"))).body.data as {
      operators: { login: string; operatorId: string; roles: string[] }[];
    };
    const { operatorId } = operators.find(({ login }) => login === "support-1")!;
    const give = async (roles: readonly string[]) => {
      const wish = { operatorId, roles, reason: "another task" };
      const { proposalId } = (await world.call("operator/setRoles", wish, as("admin-1"))).body.data as {
        proposalId: string;
      };
      const agreed = await world.call("operator/approve", { proposalId, reason: "Known to me" }, as("admin-2"));
      expect(agreed.status).toBe(200);
      const [row] = await sql<{ id: string }>("SELECT max(proposal_id) AS id FROM proposals WHERE kind = 'operator'");
      return row!.id;
    };
    const old = await give(["support", "admin"]);
    await give(["support"]);
    await expect(
      world.context.databases.console.query("SELECT apply_operator_change($1, NULL)", [old]),
    ).rejects.toMatchObject({ code: "42501" });
    const roles = await sql(
      "SELECT role FROM operator_roles JOIN operators USING (operator_id) WHERE login = 'support-1'",
    );
    expect(roles).toEqual([{ role: "support" }]);
  });

  it("can't be reduced to fewer than two admins", async () => {
    const list = await world.call("operator/list", {}, as("admin-1"));
    const { operators } = list.body.data as { operators: { login: string; operatorId: string }[] };
    const { operatorId } = operators.find(({ login }) => login === "admin-1")!;
    const made = await world.call("operator/disable", { operatorId, reason: "Leaves us" }, as("admin-1"));
    const { proposalId } = made.body.data as { proposalId: string };
    expect((await world.call("operator/approve", { proposalId, reason: "Why not" }, as("admin-2"))).status).toBe(409);
    expect((await world.call("session/me", {}, as("admin-1"))).status).toBe(200);
  });
});
