import { formatId, formatPrefixedId, type MemberId } from "@fairtick/domain";
import type { MemberDetail, ReversalProposal, WithdrawalCase } from "@fairtick/protocol/operator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seedReceivingCards } from "../deposits/index.ts";
import { checkInvariants } from "../ledger/index.ts";
import { readWithdrawals } from "./index.ts";
import { type ConsoleWorld, createConsoleWorld } from "../../testing/console-world.ts";

let world: ConsoleWorld;
const cookies = new Map<string, string>();
beforeAll(async () => {
  world = await createConsoleWorld();
  for (const login of ["finance-1", "finance-2"]) cookies.set(login, await world.logIn(login));
  await seedReceivingCards(world.context);
  await sql(
    `INSERT INTO chain_instances (chain, evm_chain_id, genesis_hash, token, cursor_height, cursor_hash, head_height, read_at)
     VALUES ('test', 31337, '0x1', '0x2', 9, '0x9', 9, 1)`,
  );
});
afterAll(() => world.close());

let made = 0;
const reason = "The sender's bank recalled it.";
const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.builder.client.query<Row>(text, values)).rows;
const ask = (login: string, path: string, body: object) => world.call(path, body, cookies.get(login));
const usd = (amount: number) => BigInt(amount) * 1_000_000n;

/** Imports a line of a bank statement: a credit, or its reversal with the same number. */
async function importLine(direction: "CRDT" | "DBIT", bankRef: string) {
  const statement = `<Document><BkToCstmrStmt><GrpHdr><MsgId>R${(made += 1)}</MsgId></GrpHdr><Stmt><Acct><Id>
    <IBAN>DE89370400440532013000</IBAN></Id></Acct><Ntry><Amt Ccy="EUR">92.15</Amt><CdtDbtInd>${direction}</CdtDbtInd>
    ${direction === "DBIT" ? "<RvslInd>true</RvslInd>" : ""}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>
    <AcctSvcrRef>${bankRef}</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>${bankRef}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;
  expect((await ask("finance-1", "deposit/importStatement", { statement })).status).toBe(200);
}

/** Creates a member with a credited bank transfer of 100.00 USD and the given real balance besides. */
async function credited(besides = 0) {
  const memberId = (await world.builder.createMember({ region: "BR", real: usd(besides) })) as MemberId;
  const depositId = BigInt((made += 1));
  const bankRef = `W-${made}`;
  const depositNo = formatPrefixedId("dep", depositId);
  await world.context.databases.money.query("SELECT announce_bank_deposit($1, $2, '\\x00', $3, 1, 100000000, $4)", [
    memberId,
    `client-${made}`,
    depositId,
    `RF${String(10 ** 13 + made)}`,
  ]);
  await importLine("CRDT", bankRef);
  const [entry] = await sql<{ id: string }>("SELECT entry_id AS id FROM statement_entries WHERE entry_reference = $1", [
    bankRef,
  ]);
  const entryId = formatPrefixedId("ent", BigInt(entry!.id));
  await ask("finance-1", "deposit/matchStatement", { depositNo, entryId, reason });
  expect((await ask("finance-1", "deposit/credit", { depositNo, amount: "100.00", reason })).status).toBe(200);
  return { memberId, depositNo, bankRef };
}

/** Requests a withdrawal that waits for operators. */
async function waiting(memberId: MemberId, amount: number) {
  const id = 7_000_000n + BigInt((made += 1));
  await sql("SELECT add_withdrawal_address($1, 'test', $2, NULL, 0)", [memberId, `0x${made}`]);
  await sql(
    `SELECT request_withdrawal($1, $2, $3, $4, '\\x00', 'test', (SELECT instance_id FROM chain_instances), $5, $6, 1000000, $7, $8, '\\x01')`,
    [id, id + 1_000_000n, memberId, `w-${made}`, `0x${made}`, usd(amount), usd(amount - 1), 4_000_000_000_000n],
  );
  await world.context.databases.payout.query("UPDATE withdrawals SET stage = 'review' WHERE withdrawal_id = $1", [id]);
  return id;
}
const approveRow = (id: bigint) => sql("UPDATE withdrawals SET stage = 'approved' WHERE withdrawal_id = $1", [id]);
const caseOf = async (id: bigint) =>
  (await ask("finance-1", "withdrawal/detail", { withdrawNo: formatPrefixedId("wdr", id) })).body
    .data as WithdrawalCase;
const shown = async (memberId: MemberId, id: bigint) =>
  (await readWithdrawals(world.context, [memberId], [id])).map(({ withdrawal }) => withdrawal)[0];
const moneyOf = async (memberId: MemberId) =>
  (
    await sql(
      "SELECT real_available::text AS available, real_locked::text AS locked, real_debt::text AS debt FROM members_money WHERE member_id = $1",
      [memberId],
    )
  )[0];
const propose = async (depositNo: string) =>
  ((await ask("finance-1", "deposit/proposeReversal", { depositNo, reason })).body.data as ReversalProposal).proposalId;
const approve = async (proposalId: string) =>
  expect((await ask("finance-2", "deposit/approveReversal", { proposalId, amount: "100.00", reason })).status).toBe(
    200,
  );

describe("a reversal and waiting withdrawals", () => {
  it("ends withdrawals whose money is gone, and the held amount settles the debt", async () => {
    const { memberId, depositNo } = await credited();
    const [first, second] = [await waiting(memberId, 60), await waiting(memberId, 40)];
    await approve(await propose(depositNo));
    expect(await moneyOf(memberId)).toEqual({ available: "0", locked: "0", debt: "0" });
    for (const id of [first, second]) {
      expect(await caseOf(id)).toMatchObject({ stage: "rejected", reason: "debt", waitsFor: null });
      expect(await shown(memberId, id)).toMatchObject({ state: "canceled", reason: "debt" });
    }
    const told = await sql<{ message_key: string }>(
      "SELECT message_key FROM member_messages WHERE member_id = $1 ORDER BY message_id",
      [memberId],
    );
    expect(told.map(({ message_key: key }) => key)).toEqual([
      "depositCredited",
      "depositReversed",
      "withdrawalEndedForDebt",
      "withdrawalEndedForDebt",
    ]);
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });

  it("ends the newest first, and leaves covered ones alone", async () => {
    const { memberId, depositNo } = await credited(100);
    const [older, newest] = [await waiting(memberId, 20), await waiting(memberId, 170)];
    await approve(await propose(depositNo));
    expect(await moneyOf(memberId)).toEqual({ available: "80000000", locked: "20000000", debt: "0" });
    expect(await caseOf(newest)).toMatchObject({ stage: "rejected" });
    expect(await caseOf(older)).toMatchObject({
      stage: "review",
      waitsFor: null,
      frozen: false,
      member: { deposited: "100.00", reversed: "100.00", owed: "0.00" },
    });
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });

  it("prevents approvals from the bank's line on until two people have decided, and tells the member why", async () => {
    const { memberId, depositNo, bankRef } = await credited();
    const id = await waiting(memberId, 90);
    expect(await shown(memberId, id)).not.toHaveProperty("reason");
    await importLine("DBIT", bankRef);
    expect(await shown(memberId, id)).toMatchObject({ state: "processing", reason: "returned", cancelable: true });
    expect(await caseOf(id)).toMatchObject({ frozen: true, waitsFor: "returned" });
    await expect(approveRow(id)).rejects.toThrow("are frozen");
    const told = await sql(
      "SELECT message_key AS key, params::jsonb AS params FROM member_messages WHERE member_id = $1 ORDER BY message_id DESC LIMIT 1",
      [memberId],
    );
    expect(told).toEqual([{ key: "depositReturned", params: { amount: "100.00", depositNo } }]);
    // Taking one's own proposal back is no second person's decision.
    const own = await propose(depositNo);
    expect((await ask("finance-1", "deposit/rejectReversal", { proposalId: own, reason })).status).toBe(200);
    expect(await shown(memberId, id)).toMatchObject({ reason: "returned" });
    const proposalId = await propose(depositNo);
    await expect(approveRow(id)).rejects.toThrow("are frozen");
    expect((await ask("finance-2", "deposit/rejectReversal", { proposalId, reason })).status).toBe(200);
    expect(await shown(memberId, id)).not.toHaveProperty("reason");
    expect(await caseOf(id)).toMatchObject({ frozen: false, waitsFor: null });
    await expect(approveRow(id)).rejects.toThrow("has not the approvals");
  });

  it("are not held up by one person's proposal, made as often as they like, until the bank's line or a second person", async () => {
    const { memberId, depositNo, bankRef } = await credited(100);
    const id = await waiting(memberId, 90);
    for (const ending of ["rejectReversal", null]) {
      const proposalId = await propose(depositNo);
      expect(await shown(memberId, id)).not.toHaveProperty("reason");
      expect(await caseOf(id)).toMatchObject({ frozen: false, waitsFor: null });
      await expect(approveRow(id)).rejects.toThrow("has not the approvals");
      if (ending !== null) await ask("finance-1", `deposit/${ending}`, { proposalId, reason });
    }
    const queue = (await ask("finance-2", "deposit/list", { state: "waiting" })).body.data as { items: object[] };
    expect(queue.items).toContainEqual(expect.objectContaining({ depositNo }));
    await importLine("DBIT", bankRef);
    expect(await shown(memberId, id)).toMatchObject({ reason: "returned" });
    await expect(approveRow(id)).rejects.toThrow("are frozen");
  });

  it("lets a debt hold up an earlier request too, whenever the debt arose", async () => {
    const { memberId, depositNo } = await credited();
    await sql("SELECT add_withdrawal_address($1, 'test', '0xa', NULL, 0)", [memberId]);
    await sql(
      `SELECT request_withdrawal($1, $2, $3, 'spent', '\\x00', 'test', (SELECT instance_id FROM chain_instances), '0xa', 100000000, 1000000, 99000000, 1, '\\x01')`,
      [9_000_000n, 9_000_001n, memberId],
    );
    // Its nonce is bound, so it can only be taken back, and then waits.
    await world.context.databases.payout.query("UPDATE withdrawals SET stage = 'review' WHERE withdrawal_id = 9000000");
    await sql("ALTER TABLE withdrawals DISABLE TRIGGER step_withdrawal");
    await sql("UPDATE withdrawals SET stage = 'reserved' WHERE withdrawal_id = 9000000");
    await approve(await propose(depositNo));
    await sql("UPDATE withdrawals SET stage = 'review' WHERE withdrawal_id = 9000000");
    await sql("ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER step_withdrawal");
    expect(await moneyOf(memberId)).toEqual({ available: "0", locked: "100000000", debt: "100000000" });
    expect(await caseOf(9_000_000n)).toMatchObject({
      frozen: true,
      waitsFor: "owed",
      member: { deposited: "0.00", reversed: "100.00", owed: "100.00" },
    });
    expect(await shown(memberId, 9_000_000n)).toMatchObject({ reason: "owed" });
    await expect(approveRow(9_000_000n)).rejects.toThrow("are frozen");
    const detail = (await ask("finance-1", "member/detail", { memberId: formatId("member", memberId) })).body
      .data as MemberDetail;
    expect(detail.deposits).toEqual({ deposited: "0.00", reversed: "100.00", owed: "100.00" });
    const withdrawNo = formatPrefixedId("wdr", 9_000_000n);
    expect((await ask("finance-1", "withdrawal/reject", { withdrawNo, reason })).status).toBe(200);
    expect(await moneyOf(memberId)).toEqual({ available: "0", locked: "0", debt: "0" });
  });
});
