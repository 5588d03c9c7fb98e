import { createIdSource, formatId, formatPrefixedId, type MemberId } from "@fairtick/domain";
import type { MemberCall } from "@fairtick/protocol";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { DepositCase, ReversalProposal } from "@fairtick/protocol/operator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDeposits, seedReceivingCards } from "../deposits/index.ts";
import { checkInvariants, ledgerRoutes, listFundRecords, readSummaries } from "../ledger/index.ts";
import { SANDBOX_LOGINS } from "../operators/index.ts";
import { systemClock } from "../../platform/clock.ts";
import { type CallRequest, FileAnswer } from "../../platform/http/route.ts";
import { createConsoleWorld, type ConsoleWorld } from "../../testing/console-world.ts";

let world: ConsoleWorld;
const cookies = new Map<string, string>();
beforeAll(async () => {
  world = await createConsoleWorld();
  for (const { account } of SANDBOX_LOGINS) cookies.set(account, await world.logIn(account));
  await seedReceivingCards(world.context);
});
afterAll(() => world.close());

let made = 0;
const ask = (login: string, path: string, body: object) => world.call(path, body, cookies.get(login));
const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.builder.client.query<Row>(text, values)).rows;
const balanced = async () => expect(await checkInvariants(world.context, 0n)).toEqual([]);
const caseOf = async (depositNo: string) =>
  (await ask("finance-1", "deposit/detail", { depositNo })).body.data as DepositCase;
const reason = "The sender's bank recalled it.";

const RETURNED = "<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>";
const entry = (direction: string, bankRef: string, text: string, more = "", inside = "") =>
  `<Ntry><Amt Ccy="EUR">92.15</Amt><CdtDbtInd>${direction}</CdtDbtInd>${more}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>
  <AcctSvcrRef>${bankRef}</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf>${inside}</TxDtls></NtryDtls></Ntry>`;
async function importEntries(entries: string) {
  const statement = `<Document><BkToCstmrStmt><GrpHdr><MsgId>M${(made += 1)}</MsgId></GrpHdr><Stmt><Acct><Id>
    <IBAN>DE89370400440532013000</IBAN></Id></Acct>${entries}</Stmt></BkToCstmrStmt></Document>`;
  return (await ask("finance-1", "deposit/importStatement", { statement })).body.data as { returned: object[] };
}

/** Makes a bank transfer of 100.00 USD that was paid and credited. */
async function credited(memberId?: MemberId) {
  const member = memberId ?? ((await world.builder.createMember({ region: "BR" })) as MemberId);
  const number = BigInt((made += 1));
  const [reference, bankRef] = [`RF${String(10 ** 13 + made)}`, `B-${made}`];
  await world.context.databases.money.query("SELECT announce_bank_deposit($1, $2, '\\x00', $3, 1, 100000000, $4)", [
    member,
    `client-${made}`,
    number,
    reference,
  ]);
  await importEntries(entry("CRDT", bankRef, `no reference ${made}`));
  const depositNo = formatPrefixedId("dep", number);
  const line = (await caseOf(depositNo)).suggestions.find(({ remittance }) => remittance.endsWith(` ${made - 1}`));
  await ask("finance-1", "deposit/matchStatement", { depositNo, entryId: line!.entryId, reason });
  await ask("finance-1", "deposit/credit", { depositNo, amount: "100.00", reason });
  return { memberId: member, depositNo, depositId: number, bankRef };
}
const propose = async (depositNo: string, login = "finance-1") =>
  (await ask(login, "deposit/proposeReversal", { depositNo, reason })).body.data as ReversalProposal;
const approve = (proposalId: string, login = "finance-2", amount = "100.00") =>
  ask(login, "deposit/approveReversal", { proposalId, amount, reason: "Seen on the statement" });
async function spend(memberId: MemberId, amount: number) {
  const { body } = await ask("finance-1", "correction/propose", {
    memberId: formatId("member", memberId),
    wallet: "real",
    amount: `-${amount}.00`,
    reason: "spent by a test",
  });
  const { proposalId } = body.data as { proposalId: string };
  await ask("finance-2", "correction/approve", { proposalId, amount: `-${amount}.00`, reason: "spent by a test" });
}
const moneyOf = async (memberId: MemberId) => {
  const [row] = await sql(
    "SELECT real_available AS available, real_debt AS debt FROM members_money WHERE member_id = $1",
    [memberId],
  );
  return row;
};
const realOf = async (memberId: MemberId) => {
  const [summary] = await readSummaries(world.context, memberId, systemClock.now(), ["real"]);
  return summary!;
};

describe("a statement that takes a transfer back", () => {
  it.each([
    [
      "marked as a reversal under the line's own number",
      (of: string) => entry("DBIT", of, "", "<RvslInd>true</RvslInd>"),
    ],
    ["a return under the line's own number", (of: string) => entry("DBIT", of, "", "", RETURNED)],
  ])("%s is shown to finance and takes nothing back automatically", async (_how, returned) => {
    const { depositNo, memberId, bankRef } = await credited();
    expect((await importEntries(returned(bankRef))).returned).toEqual([{ depositNo, fiat: "EUR 92.15" }]);
    expect(await caseOf(depositNo)).toMatchObject({ state: "deposited", returns: [{ fiat: "EUR 92.15" }] });
    const queue = (await ask("finance-1", "deposit/list", { state: "waiting" })).body.data as { items: object[] };
    expect(queue.items).toContainEqual(expect.objectContaining({ depositNo }));
    expect(await moneyOf(memberId)).toEqual({ available: "100000000", debt: "0" });
    expect((await importEntries(returned(bankRef))).returned).toEqual([]);
  });

  it("is not recognized in a payment by the house itself", async () => {
    const { bankRef } = await credited();
    expect((await importEntries(entry("DBIT", bankRef, "rent"))).returned).toEqual([]);
  });
});

describe("the file of a member's deposits", () => {
  it("lists each with number, time, amount and state, and only those between the dates", async () => {
    const { memberId, depositNo } = await credited();
    const said = '=HYPERLINK("x"), recalled';
    const { body } = await ask("finance-1", "deposit/proposeReversal", { depositNo, reason: said });
    await approve((body.data as ReversalProposal).proposalId);
    const second = await credited(memberId);
    const route = ledgerRoutes({ ...world.context, ids: createIdSource({ node: 4, clock: systemClock }) }).find(
      ({ call }) => call.path === "fund/export",
    );
    const read = async (input: object, lang = "en"): Promise<string[]> => {
      const session = { sessionId: 1n, memberId };
      const request = { input: { wallet: "real", kind: "deposit", ...input }, session, lang };
      const answer: unknown = await route?.handler(request as unknown as CallRequest<MemberCall>);
      if (!(answer instanceof FileAnswer)) throw new Error("no file");
      expect(answer.name).toBe("fairtick-funds.csv");
      return (await text(answer.body as Readable)).trimEnd().split("\r\n");
    };
    const [head, newest, oldest, ...more] = await read({});
    expect(head).toBe("recordNo,orderNo,time,currency,type,amount,balanceAfter,remark,note,fee,state,wallet");
    const line = (number: string, remark: string, state: string) =>
      new RegExp(`^${number},${number},20[0-9-]+T[0-9:.]+Z,USD,Deposit,100.00,100.00,${remark},,,${state},real$`);
    expect(newest).toMatch(line(second.depositNo, "Deposit received", "Deposited"));
    expect(oldest).toMatch(line(depositNo, "Deposit reversed", "Deposit failed"));
    expect(more).toEqual([]);
    expect(await read({ to: 1n })).toEqual([head]);
    expect(await read({ wallet: "practice" })).toEqual([head]);
    // The file of all movements gives the reversal's reason as on the screen, escaped so that it isn't a formula.
    const all = await read({ kind: "all" });
    expect(all).toHaveLength(4);
    const german = await read({ kind: "all" }, "de");
    expect(german[2]).toContain(",Einzahlung,-100.00,0.00,Einzahlung zurückgebucht,");
    expect(all[2]).toContain(`,-100.00,0.00,Deposit reversed,"'=HYPERLINK(""x""), recalled",,,real`);
  });
});

describe("reversing a deposit", () => {
  it("takes two people of finance, books it once, and tells the member", async () => {
    const { memberId, depositNo, depositId } = await credited();
    const proposal = await propose(depositNo);
    expect(proposal).toMatchObject({ state: "waiting", amount: "100.00", availableNow: "100.00", owed: null });
    expect((await ask("finance-2", "deposit/proposeReversal", { depositNo, reason })).status).toBe(409);
    expect((await approve(proposal.proposalId, "finance-1")).status).toBe(403);
    expect((await approve(proposal.proposalId, "admin-1")).status).toBe(403);
    expect((await approve(proposal.proposalId, "finance-2", "90.00")).status).toBe(400);
    const both = await Promise.all([approve(proposal.proposalId), approve(proposal.proposalId)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await moneyOf(memberId)).toEqual({ available: "0", debt: "0" });
    const [shown] = await readDeposits(world.context, [memberId], [depositId], systemClock.now());
    expect(shown).toMatchObject({ deposit: { state: "failed", stage: "reversed", reason, amount: "100.00" } });
    const records = await listFundRecords(world.context, memberId, { wallet: "real", kind: "all" });
    expect(records).toMatchObject({
      value: {
        items: [
          { type: "deposit", remark: "depositReversed", amount: "-100.00", orderNo: depositNo, note: reason },
          { type: "deposit", remark: "deposit", amount: "100.00" },
        ],
      },
    });
    const messages = await sql<{ message_key: string }>(
      "SELECT message_key FROM member_messages WHERE member_id = $1 ORDER BY 1",
      [memberId],
    );
    expect(messages.map(({ message_key: key }) => key)).toEqual(["depositCredited", "depositReversed"]);
    expect(await realOf(memberId)).toMatchObject({
      creditScore: 80,
      creditParts: [{ reason: "start" }, { reason: "depositReversed", points: -20 }],
    });
    expect((await ask("finance-1", "deposit/proposeReversal", { depositNo, reason })).status).toBe(409);
    await balanced();
  });

  it("leaves what is missing as a debt, which the next money that comes in settles first", async () => {
    const { memberId, depositNo } = await credited();
    await spend(memberId, 70);
    const { proposalId } = await propose(depositNo);
    expect((await approve(proposalId)).body.data).toMatchObject({ owed: "70.00" });
    expect(await moneyOf(memberId)).toEqual({ available: "0", debt: "70000000" });
    expect(await realOf(memberId)).toMatchObject({ available: "0.00", owed: "70.00" });
    await balanced();
    await credited(memberId);
    expect(await moneyOf(memberId)).toEqual({ available: "30000000", debt: "0" });
    expect(await realOf(memberId)).not.toHaveProperty("owed");
    const records = await listFundRecords(world.context, memberId, { wallet: "real", kind: "all", limit: 2 });
    expect(records).toMatchObject({
      value: {
        items: [
          { type: "system", remark: "debtSettled", amount: "-70.00", balanceAfter: "30.00" },
          { type: "deposit", remark: "deposit", amount: "100.00", balanceAfter: "100.00" },
        ],
      },
    });
    await balanced();
  });

  it("can be withdrawn or rejected, and proposed again", async () => {
    const { depositNo, memberId } = await credited();
    const first = await propose(depositNo);
    const back = await ask("finance-1", "deposit/rejectReversal", {
      proposalId: first.proposalId,
      reason: "my mistake",
    });
    expect(back.body.data).toMatchObject({ state: "rejected" });
    expect(await propose(depositNo, "finance-2")).toMatchObject({ state: "waiting" });
    expect(await moneyOf(memberId)).toEqual({ available: "100000000", debt: "0" });
  });

  it("is enforced by the database: no stage without two people, and no booking without approval", async () => {
    const { depositNo, depositId } = await credited();
    const { proposalId } = await propose(depositNo);
    const [row] = await sql<{ id: string }>("SELECT max(proposal_id) AS id FROM reversal_requests");
    expect(formatPrefixedId("prp", BigInt(row!.id))).toBe(proposalId);
    const { console: office, chain } = world.context.databases;
    await expect(office.query("SELECT reverse_deposit($1, 9)", [row!.id])).rejects.toThrow("is no approved");
    await expect(
      chain.query("UPDATE deposits SET stage = 'reversed' WHERE deposit_id = $1", [depositId]),
    ).rejects.toThrow("is credited and stays so");
    await expect(office.query("INSERT INTO deposit_reversals VALUES (1, 1, 1, 1, 1)")).rejects.toThrow(
      "permission denied",
    );
    await sql(
      "UPDATE members_money SET real_debt = 5 WHERE real_available = 0 AND member_id = (SELECT max(member_id) FROM members_money WHERE real_available = 0)",
    );
    expect((await checkInvariants(world.context, 0n)).map(({ invariant }) => invariant)).toContain("I14");
    await sql("UPDATE members_money SET real_debt = 0 WHERE real_debt = 5");
    await balanced();
  });
});
