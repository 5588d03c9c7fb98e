import { parseLogEntry } from "@fairtick/transparency";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatPrefixedId, type Instant, keyStatement, type Payment, paymentStatement } from "@fairtick/domain";
import type { PayoutKey, WithdrawalCase } from "@fairtick/protocol/operator";
import { parseRules, type RunningSigner, startSigner } from "@fairtick/signer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkInvariants } from "../ledger/index.ts";
import { systemClock } from "../../platform/clock.ts";
import { type ConsoleWorld, createConsoleWorld } from "../../testing/console-world.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const TOKEN = `0x${"2".repeat(40)}`;
const GENESIS = `0x${"1".repeat(64)}`;
const REASON = "Sums agree, address known";
const usd = (amount: number) => BigInt(Math.round(amount * 100)) * 10_000n;

let folder: string;
let signer: RunningSigner;
let world: ConsoleWorld;
const cookies = new Map<string, string>();
const as = (login: string) => cookies.get(login) ?? "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "desk-"));
  writeFileSync(
    join(folder, "mnemonic"),
    "legal winner thank year wave sausage worth useful legal winner thank yellow",
  );
  const rules = parseRules(
    JSON.stringify({ chains: [{ chain: "31337", genesis: GENESIS, token: TOKEN }], trustFirstKey: true }),
  );
  signer = await startSigner({ port: 0, secret: SECRET, folder, rules }, systemClock);
  world = await createConsoleWorld({ signer: { url: signer.url, secret: SECRET } });
  for (const login of ["finance-1", "finance-2", "admin-1", "admin-2", "auditor-1"])
    cookies.set(login, await world.logIn(login));
  await world.builder.client.query(
    `INSERT INTO chain_instances (chain, evm_chain_id, genesis_hash, token, cursor_height, cursor_hash, head_height, read_at)
     VALUES ('test', 31337, $1, $2, 9, '0x9', 9, $3)`,
    [GENESIS, TOKEN, systemClock.now()],
  );
});
afterAll(async () => {
  await world.close();
  await signer.close();
  rmSync(folder, { recursive: true });
});

async function newKey() {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
  const raw = Buffer.from(await crypto.subtle.exportKey("raw", pair.publicKey));
  const sign = async (bytes: Uint8Array) =>
    Buffer.from(
      await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, pair.privateKey, new Uint8Array(bytes)),
    ).toString("base64url");
  return { publicKey: raw.toString("base64url"), keyId: createHash("sha256").update(raw).digest("hex"), sign };
}
type Key = Awaited<ReturnType<typeof newKey>>;
const keys = new Map<string, Key>();
const keyOf = (login: string) => keys.get(login)!;

let made = 0n;
/** Requests a withdrawal that waits for operators. Returns its number and member. */
async function waiting(amount: number): Promise<{ withdrawNo: string; memberId: bigint }> {
  const memberId = await world.builder.createMember({ real: usd(amount) });
  made += 1n;
  const id = 5_000_000n + made;
  const { rows } = await world.builder.client.query("SELECT instance_id FROM chain_instances");
  const expiry = systemClock.now() + 3_600_000n;
  const to = `0x${String(made).padStart(40, "a")}`;
  const units = usd(amount) - usd(1);
  const withdrawNo = formatPrefixedId("wdr", id);
  const payment: Payment = {
    id: withdrawNo,
    chain: 31_337n,
    genesis: GENESIS,
    token: TOKEN,
    to,
    amount: units,
    expiry: expiry as Instant,
  };
  const digest = createHash("sha256").update(paymentStatement(payment)).digest();
  await world.builder.client.query("SELECT add_withdrawal_address($1, 'test', $2, NULL, 0)", [memberId, to]);
  await world.builder.client.query(
    "SELECT request_withdrawal($1, $2, $3, $4, $5, 'test', $6, $7, $8, $9, $10, $11, $12)",
    [
      id,
      id + 1_000_000n,
      memberId,
      `desk-${made}`,
      Buffer.from("x"),
      rows[0].instance_id,
      to,
      usd(amount),
      usd(1),
      units,
      expiry,
      digest,
    ],
  );
  await world.context.databases.payout.query("UPDATE withdrawals SET stage = 'review' WHERE withdrawal_id = $1", [id]);
  return { withdrawNo, memberId };
}

async function caseOf(withdrawNo: string): Promise<WithdrawalCase> {
  const { body } = await world.call("withdrawal/detail", { withdrawNo }, as("auditor-1"));
  return body.data;
}
async function signed(login: string, withdrawNo: string, change: Partial<Payment> = {}) {
  const { payment } = await caseOf(withdrawNo);
  const read = {
    ...payment,
    chain: BigInt(payment.chain),
    amount: BigInt(payment.amount),
    expiry: BigInt(payment.expiry) as Instant,
  };
  const key = keyOf(login);
  return { keyId: key.keyId, signature: await key.sign(paymentStatement({ ...read, ...change })) };
}
const approve = (login: string, fields: object) =>
  world.call("withdrawal/approve", { reason: REASON, ...fields }, as(login));

describe("a signing key", () => {
  it("needs a second person and, after the first key, that person's signature", async () => {
    for (const login of ["finance-1", "finance-2"]) keys.set(login, await newKey());
    const propose = async (login: string) => {
      const { publicKey } = keyOf(login);
      const { status, body } = await world.call("withdrawal/proposeKey", { publicKey, reason: "my own" }, as(login));
      expect(status).toBe(200);
      return body.data as PayoutKey;
    };
    const decide = (login: string, fields: object) =>
      world.call("withdrawal/approveKey", { reason: "by voice", ...fields }, as(login));
    const first = await propose("finance-1");
    expect((await decide("finance-1", { proposalId: first.proposalId })).status).toBe(403);
    expect((await decide("admin-1", { proposalId: first.proposalId })).status).toBe(200);
    const again = { publicKey: keyOf("finance-1").publicKey, reason: "once more" };
    expect((await world.call("withdrawal/proposeKey", again, as("finance-2"))).status).toBe(409);

    const second = await propose("finance-2");
    // The signer already knows a colleague's key, so only that colleague's signature counts.
    expect((await decide("admin-1", { proposalId: second.proposalId })).status).toBe(403);
    const { keyId, sign } = keyOf("finance-1");
    const other = { operator: second.operatorId, publicKey: keyOf("finance-1").publicKey };
    const wrong = { keyId, signature: await sign(keyStatement(other)) };
    expect((await decide("finance-1", { proposalId: second.proposalId, ...wrong })).status).toBe(400);
    const right = { keyId, signature: await sign(keyStatement({ ...other, publicKey: second.publicKey })) };
    expect((await decide("admin-1", { proposalId: second.proposalId, ...right })).status).toBe(403);
    expect((await decide("finance-1", { proposalId: second.proposalId, ...right })).status).toBe(200);
    const { body } = await world.call("withdrawal/walletState", {}, as("auditor-1"));
    expect(body.data).toMatchObject({ signer: { reachable: true, keys: 2 } });
  });
});

describe("an approval", () => {
  it("is refused for another amount, another's key or another payment's signature, each with an audit row", async () => {
    const { withdrawNo } = await waiting(900);
    const own = await signed("finance-1", withdrawNo);
    expect((await approve("finance-1", { withdrawNo, amount: "900.01", ...own })).status).toBe(400);
    expect((await approve("finance-2", { withdrawNo, amount: "900.00", ...own })).status).toBe(403);
    const elsewhere = await signed("finance-1", withdrawNo, { to: `0x${"9".repeat(40)}` });
    expect((await approve("finance-1", { withdrawNo, amount: "900.00", ...elsewhere })).status).toBe(400);
    expect((await approve("auditor-1", { withdrawNo, amount: "900.00", ...own })).status).toBe(403);
    expect((await caseOf(withdrawNo)).agreed).toEqual([]);
    expect((await approve("finance-1", { withdrawNo, amount: "900.00", ...own })).status).toBe(200);
    expect(await caseOf(withdrawNo)).toMatchObject({ stage: "approved", approvals: 1, approvalsNeeded: 1 });
    const { rows } = await world.builder.client.query(
      "SELECT outcome FROM audit_trail WHERE action = 'withdrawal/approve' AND subject = $1 ORDER BY audit_no",
      [withdrawNo],
    );
    expect(rows.map(({ outcome }) => outcome)).toEqual([
      "FIELD_INVALID",
      "FORBIDDEN",
      "FIELD_INVALID",
      "FORBIDDEN",
      "done",
    ]);
  });

  it("above 5,000.00 needs two people with two sessions", async () => {
    const { withdrawNo } = await waiting(5_000.01);
    const one = { withdrawNo, amount: "5000.01", ...(await signed("finance-1", withdrawNo)) };
    expect((await approve("finance-1", one)).status).toBe(200);
    expect(await caseOf(withdrawNo)).toMatchObject({ stage: "review", approvals: 1, approvalsNeeded: 2 });
    expect((await approve("finance-1", one)).status).toBe(409);
    // Another session of the same person doesn't count as another person.
    const before = as("finance-1");
    cookies.set("finance-1", await world.logIn("finance-1"));
    expect((await approve("finance-1", one)).status).toBe(409);
    expect(before).not.toBe(as("finance-1"));
    const two = { withdrawNo, amount: "5000.01", ...(await signed("finance-2", withdrawNo)) };
    expect((await approve("finance-2", two)).status).toBe(200);
    expect(await caseOf(withdrawNo)).toMatchObject({ stage: "approved", approvals: 2 });
  });

  it("is in the log as a hash that reveals nothing and can be verified", async () => {
    const { rows } = await world.builder.client.query<{ kept: Buffer; entry: string; subject: string; told: string }>(
      `SELECT e.subject, o.entry, e.body AS told, sha256('\\x415050524f56414c3100'::bytea || e.nonce || convert_to(e.body, 'UTF8')) AS kept
       FROM approval_entries e JOIN outbox o USING (outbox_id) ORDER BY o.outbox_id`,
    );
    const subjects = rows.map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === "withdrawal")).toHaveLength(2);
    expect(subjects.filter((subject) => subject === "payout_key").length).toBeGreaterThanOrEqual(2);
    for (const { entry, kept, subject } of rows) {
      const parsed = parseLogEntry(Buffer.from(entry));
      if (!parsed.ok) throw new Error(parsed.fault);
      expect(parsed.entry).toMatchObject({ kind: "approval", subject });
      expect(JSON.parse(entry).hash).toBe(kept.toString("hex"));
    }
    expect(rows.at(-1)?.told).toMatch(/^withdrawal\n[0-9]+\n[0-9]+,[0-9]+\n/);
  });
});

describe("a rejection", () => {
  it("returns the money once, with a reason that the member reads, and nothing can be approved after it", async () => {
    const { withdrawNo, memberId } = await waiting(800);
    const own = await signed("finance-1", withdrawNo);
    const reject = () =>
      world.call("withdrawal/reject", { withdrawNo, reason: "Name and wallet differ" }, as("finance-2"));
    expect((await reject()).status).toBe(200);
    const { decided } = await caseOf(withdrawNo);
    expect(decided).toEqual([
      {
        by: { operatorId: expect.stringMatching(/^opr_/), login: "finance-2", name: expect.any(String) },
        at: expect.any(Number),
        what: "reject",
        reason: "Name and wallet differ",
      },
    ]);
    expect((await reject()).status).toBe(409);
    expect((await approve("finance-1", { withdrawNo, amount: "800.00", ...own })).status).toBe(409);
    const { rows } = await world.builder.client.query(
      `SELECT real_available::text AS available, (SELECT params ->> 'reason' FROM member_messages m WHERE m.member_id = b.member_id AND message_key = 'withdrawalCanceled') AS told
       FROM members_money b WHERE member_id = $1`,
      [memberId],
    );
    expect(rows).toEqual([{ available: String(usd(800)), told: "Name and wallet differ" }]);
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });

  it("and a release are refused while a payment may still be made", async () => {
    const { withdrawNo } = await waiting(700);
    const release = { withdrawNo, amount: "700.00", reason: "It takes so long" };
    expect((await world.call("withdrawal/release", release, as("finance-1"))).status).toBe(409);
    expect((await world.call("withdrawal/detail", { withdrawNo: "wdr_0000000000000" }, as("finance-1"))).status).toBe(
      404,
    );
  });
});

describe("the queue", () => {
  it("shows waiting ones oldest first, and the others by state", async () => {
    const oldest = await waiting(600);
    const newest = await waiting(601);
    const list = async (state: string) => {
      const { body } = await world.call("withdrawal/list", { state }, as("auditor-1"));
      return (body.data as { items: { withdrawNo: string }[] }).items.map(({ withdrawNo }) => withdrawNo);
    };
    const waits = await list("waiting");
    expect(waits.indexOf(oldest.withdrawNo)).toBeLessThan(waits.indexOf(newest.withdrawNo));
    expect(await list("review")).toEqual([]);
    expect((await list("sending")).length).toBeGreaterThan(0);
    expect((await list("all")).length).toBeGreaterThan(waits.length);
    expect((await world.call("report/withdrawalTimes", {}, as("admin-1"))).status).toBe(200);
  });
});

describe("terms of withdrawals", () => {
  const propose = (change: object) =>
    world.call("withdrawalTerms/propose", { ...change, reason: "Larger sums are wanted" }, as("admin-1"));

  it("are refused with the name of the field that exceeds the signer's own limits", async () => {
    for (const [change, field] of [
      [{ singleMax: "8000.00" }, "singleMax"],
      [{ maximum: "60000.00" }, "maximum"],
      // A lower fee lets more arrive, which counts against the limit.
      [{ fee: "0.50", singleMax: "5001.00" }, "singleMax"],
    ] as const) {
      const answer = await propose(change);
      expect([answer.status, answer.body.data]).toMatchObject([400, { fields: { [field]: `${field} isn’t valid` } }]);
    }
    expect((await propose({ singleMax: "5001.00" })).status).toBe(200);
  });

  it("are compared with the signer's limits again when they are approved", async () => {
    const made = (await propose({ singleMax: "4000.00", maximum: "40000.00" })).body.data as { proposalId: string };
    const approve = () =>
      world.call("withdrawalTerms/approve", { proposalId: made.proposalId, reason: "Seen the sums" }, as("admin-2"));
    const port = Number(new URL(signer.url).port);
    const start = async (limits: object) => {
      await signer.close();
      const rules = parseRules(
        JSON.stringify({ chains: [{ chain: "31337", genesis: GENESIS, token: TOKEN }], ...limits }),
      );
      signer = await startSigner({ port, secret: SECRET, folder, rules }, systemClock);
    };
    await start({ singleMax: "3000000000" });
    expect((await approve()).status).toBe(400);
    await start({});
    expect((await approve()).status).toBe(200);
  });
});

// These tests come last, because operators who are disabled here can't approve anything afterwards.
describe("an approval of an operator who has left", () => {
  const leave = (login: string) =>
    world.builder.client.query(
      "DELETE FROM operator_roles WHERE operator_id = (SELECT operator_id FROM operators WHERE login = $1)",
      [login],
    );
  const back = (login: string) =>
    world.builder.client.query(
      "INSERT INTO operator_roles (operator_id, role) SELECT operator_id, 'finance' FROM operators WHERE login = $1",
      [login],
    );

  it("doesn't count, so the one who is left is one of two", async () => {
    const { withdrawNo } = await waiting(5_000.01);
    const fields = { withdrawNo, amount: "5000.01" };
    expect((await approve("finance-1", { ...fields, ...(await signed("finance-1", withdrawNo)) })).status).toBe(200);
    await leave("finance-1");
    expect((await approve("finance-2", { ...fields, ...(await signed("finance-2", withdrawNo)) })).status).toBe(200);
    expect(await caseOf(withdrawNo)).toMatchObject({
      stage: "review",
      approvals: 1,
      approvalsNeeded: 2,
      agreed: [{ counts: false }, { counts: true }],
    });
    await back("finance-1");
  });

  it("leads to no nonce even if it was given before, whatever a program believes", async () => {
    const { withdrawNo } = await waiting(901);
    await approve("finance-1", { withdrawNo, amount: "901.00", ...(await signed("finance-1", withdrawNo)) });
    expect(await caseOf(withdrawNo)).toMatchObject({ stage: "approved" });
    await leave("finance-1");
    const { client } = world.builder;
    const { rows } = await client.query(
      "SELECT max(withdrawal_id) AS id, max(instance_id) AS instance FROM withdrawals",
    );
    await client.query(
      "INSERT INTO payout_wallets (instance_id, address, next_nonce, made_at) VALUES ($1, '0xf', 1, 1)",
      [rows[0].instance],
    );
    await client.query("INSERT INTO payout_nonces VALUES ($1, '0xf', 0, $2)", [rows[0].instance, rows[0].id]);
    await expect(
      world.context.databases.payout.query("UPDATE withdrawals SET stage = 'reserved' WHERE withdrawal_id = $1", [
        rows[0].id,
      ]),
    ).rejects.toThrow("has not the approvals");
    await back("finance-1");
  });

  it("doesn't count with a revoked key either, which finance or an admin revokes and all of them can see", async () => {
    const { withdrawNo } = await waiting(902);
    const own = await signed("finance-1", withdrawNo);
    const revoke = (login: string) =>
      world.call(
        "withdrawal/revokeKey",
        { keyId: keyOf("finance-1").keyId, reason: "their laptop was stolen" },
        as(login),
      );
    expect((await revoke("auditor-1")).status).toBe(403);
    const { status, body } = await revoke("admin-1");
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      revoked: { by: "admin-1", reason: "their laptop was stolen" },
      ownerLeft: false,
    });
    expect((await revoke("finance-2")).status).toBe(409);
    expect((await approve("finance-1", { withdrawNo, amount: "902.00", ...own })).status).toBe(403);
    const state = await world.call("withdrawal/walletState", {}, as("auditor-1"));
    expect(state.body.data).toMatchObject({ signer: { keys: 1 } });
    const last = { keyId: keyOf("finance-2").keyId, reason: "the last one" };
    expect((await world.call("withdrawal/revokeKey", last, as("admin-1"))).status).toBe(409);
    const keysNow = await world.call("withdrawal/keys", {}, as("auditor-1"));
    expect((keysNow.body.data as PayoutKey[]).filter(({ revoked }) => revoked !== null)).toHaveLength(1);
  });
});
