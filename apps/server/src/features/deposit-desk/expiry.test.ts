import { formatPrefixedId, type MemberId } from "@fairtick/domain";
import { createHash } from "node:crypto";
import type { DepositCase } from "@fairtick/protocol/operator";
import { parseLogEntry } from "@fairtick/transparency";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expireRemittances, formatCardId, readDeposits, seedReceivingCards } from "../deposits/index.ts";
import { checkInvariants, listFundRecords } from "../ledger/index.ts";
import { SANDBOX_LOGINS } from "../operators/index.ts";
import { systemClock } from "../../platform/clock.ts";
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
const reason = "seen on the statement";

async function announce() {
  const memberId = (await world.builder.createMember({ region: "BR" })) as MemberId;
  const depositId = BigInt((made += 1));
  const reference = `RF${String(10 ** 13 + made)}`;
  await world.context.databases.money.query(
    "SELECT announce_bank_deposit($1, 'client', '\\x00', $2, 1, 100000000, $3, 3600000)",
    [memberId, depositId, reference],
  );
  return { memberId, depositId, reference, depositNo: formatPrefixedId("dep", depositId) };
}
const letTimePass = (depositId: bigint) =>
  sql("UPDATE bank_deposits SET expires_at = 1 WHERE deposit_id = $1", [depositId]);
async function arrive(remittance: string) {
  const statement = `<Document><BkToCstmrStmt><GrpHdr><MsgId>M${(made += 1)}</MsgId></GrpHdr><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>
    <Ntry><Amt Ccy="EUR">92.15</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>B${made}</AcctSvcrRef>
    <NtryDtls><TxDtls><RmtInf><Ustrd>${remittance}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;
  return (await ask("finance-1", "deposit/importStatement", { statement })).body.data as object;
}
const shownTo = async (memberId: MemberId, depositId: bigint) =>
  (await readDeposits(world.context, [memberId], [depositId], systemClock.now()))[0]!.deposit;

describe("a bank transfer that nobody paid", () => {
  it("expires once, at the time shown to the member, and they are told", async () => {
    const { memberId, depositId } = await announce();
    const shown = await shownTo(memberId, depositId);
    // The two times come from separate readings of the clock, so compare whole minutes.
    expect(Math.floor((shown.expiresAt! - shown.createdAt) / 60_000)).toBe(60);
    expect(await expireRemittances(world.context)).toBe(0);
    await letTimePass(depositId);
    const record = async (kind: "all" | "deposit") => {
      const page = await listFundRecords(world.context, memberId, { wallet: "real", kind });
      return page.ok ? page.value.items : [];
    };
    expect(await record("deposit")).toMatchObject([{ remark: "depositAwaiting", state: "processing" }]);
    const ended = await Promise.all([expireRemittances(world.context), expireRemittances(world.context)]);
    expect(ended[0] + ended[1]).toBe(1);
    const after = await shownTo(memberId, depositId);
    expect(after).toMatchObject({ state: "failed", stage: "expired", reason: "expired" });
    expect(await record("deposit")).toMatchObject([{ remark: "depositExpired", state: "failed" }]);
    // No money arrived, so the fund records don't mention it.
    expect(await record("all")).toEqual([]);
    expect(after).not.toHaveProperty("expiresAt");
    const messages = await sql("SELECT message_key FROM member_messages WHERE member_id = $1", [memberId]);
    expect(messages).toEqual([{ message_key: "depositExpired" }]);
    await balanced();
  });

  it("does not expire while a receipt is reviewed or after the money has arrived", async () => {
    const [seen, paid] = [await announce(), await announce()];
    await sql("UPDATE deposits SET stage = 'in_review' WHERE deposit_id = $1", [seen.depositId]);
    await sql(
      `INSERT INTO bank_statements (statement_id, message, file_hash, imported_by, imported_at)
       SELECT 1, 'M', sha256('m'), min(operator_id), 1 FROM operators`,
    );
    await sql(
      `INSERT INTO statement_entries (entry_id, statement_id, account, entry_reference, amount, digits, currency, booked_on, debtor, remittance, reference)
       VALUES (1, 1, 'DE89370400440532013000', 'early', 9000, 2, 'EUR', '2026-11-20', '', '', $1)`,
      [paid.reference],
    );
    for (const { depositId } of [seen, paid]) await letTimePass(depositId);
    expect(await expireRemittances(world.context)).toBe(0);
  });

  it("is not lost if it is paid late: finance finds it in the queue and credits it", async () => {
    const { memberId, depositId, depositNo } = await announce();
    await letTimePass(depositId);
    await expireRemittances(world.context);
    expect(await arrive("paid late")).toMatchObject({ credited: [], open: 1 });
    const { suggestions } = await caseOf(depositNo);
    const line = suggestions.find(({ remittance }) => remittance === "paid late");
    expect(line).toMatchObject({ sameAmount: true, worth: "100.00" });
    await ask("finance-1", "deposit/matchStatement", { depositNo, entryId: line!.entryId, reason });
    expect((await ask("finance-1", "deposit/reject", { depositNo, reason })).status).toBe(409);
    const done = await ask("finance-1", "deposit/credit", { depositNo, amount: "100.00", reason });
    expect(done.body.data).toMatchObject({ state: "deposited", stage: "credited" });
    expect((await shownTo(memberId, depositId)).state).toBe("deposited");
    await balanced();
  });
});

describe("a receiving card", () => {
  it("has an entry in the public log for each version, with the hash of what members are shown", async () => {
    const [card] = await sql<{ card_id: string; version: number; entry: string }>(
      `SELECT c.card_id, c.version, o.entry FROM receiving_card_entries c JOIN outbox o USING (outbox_id) WHERE c.card_id = 1`,
    );
    const parsed = parseLogEntry(new TextEncoder().encode(card!.entry));
    if (!parsed.ok || parsed.entry.kind !== "card") throw new Error("no card's entry");
    const proposed = await ask("admin-1", "receivingCard/propose", {
      cardId: formatCardId(1n),
      regions: [],
      currency: "EUR",
      bank: 'Other "bank"\\',
      bankCode: null,
      holder: "Zürich & Söhne",
      number: "DE02120300000000202051",
      note: "two\nlines",
      rate: "0.93",
      active: true,
      reason: "The account moved",
    });
    const { proposalId } = proposed.body.data as { proposalId: string };
    await ask("admin-2", "receivingCard/approve", { proposalId, reason: "As agreed" });
    const [newest] = await sql<{ entry: string }>(
      "SELECT entry FROM outbox WHERE kind = 'card' ORDER BY outbox_id DESC LIMIT 1",
    );
    const next = parseLogEntry(new TextEncoder().encode(newest!.entry));
    const shown = {
      bank: 'Other "bank"\\',
      bankCode: null,
      currency: "EUR",
      holder: "Zürich & Söhne",
      note: "two\nlines",
      number: "DE02120300000000202051",
      rate: 930_000,
    };
    expect(next).toMatchObject({
      ok: true,
      entry: {
        kind: "card",
        card: 1n,
        version: 2,
        hash: new Uint8Array(createHash("sha256").update(JSON.stringify(shown)).digest()),
      },
    });
    await balanced();
  });

  it("is reported if somebody changed it secretly", async () => {
    await sql("ALTER TABLE receiving_cards DISABLE TRIGGER refuse_row_change");
    await sql("UPDATE receiving_cards SET number = 'DE12500105170648489890' WHERE card_id = 1 AND version = 2");
    expect((await checkInvariants(world.context, 0n)).map(({ invariant }) => invariant)).toContain("I15");
    await sql("UPDATE receiving_cards SET number = 'DE02120300000000202051' WHERE card_id = 1 AND version = 2");
    await balanced();
  });
});
