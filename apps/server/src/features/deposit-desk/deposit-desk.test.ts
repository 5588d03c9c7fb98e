import { formatId, formatPrefixedId, isCreditorReference, type MemberId, type MicroUsd } from "@fairtick/domain";
import type { DepositCase } from "@fairtick/protocol/operator";
import sharp from "sharp";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { depositRoutes, formatCardId, seedReceivingCards } from "../deposits/index.ts";
import { checkInvariants } from "../ledger/index.ts";
import { SANDBOX_LOGINS } from "../operators/index.ts";
import { systemClock } from "../../platform/clock.ts";
import type { CallRequest } from "../../platform/http/route.ts";
import { createConsoleWorld, type ConsoleWorld } from "../../testing/console-world.ts";
import { createIdSource, type Verdict } from "@fairtick/domain";
import type { MemberCall, Deposit } from "@fairtick/protocol";

let world: ConsoleWorld;
const cookies = new Map<string, string>();
let answer: (path: string, memberId: MemberId, input: object) => Promise<Verdict<unknown>>;
const EUR = formatCardId(1n);
const IBAN = "DE89370400440532013000";

beforeAll(async () => {
  world = await createConsoleWorld();
  for (const { account } of SANDBOX_LOGINS) cookies.set(account, await world.logIn(account));
  await seedReceivingCards(world.context);
  const ids = createIdSource({ node: 3, clock: systemClock });
  const chains = [{ chain: "test", rate: 1_000_000n } as never];
  const context = {
    ...world.context,
    clock: systemClock,
    config: { ...world.context.config, chains },
    ids,
    addresses: null,
  };
  const routes = new Map(depositRoutes(context).map((route) => [route.call.path, route]));
  answer = async (path, memberId, input) => {
    const request = { input, session: { sessionId: 1n, memberId }, now: systemClock.now() };
    const said: unknown = await routes.get(path)?.handler(request as unknown as CallRequest<MemberCall>);
    return said as Verdict<unknown>;
  };
});
afterAll(() => world.close());

const newMember = async () => (await world.builder.createMember({ region: "VN" })) as MemberId;
const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.builder.client.query<Row>(text, values)).rows;
const realOf = async (memberId: MemberId) =>
  BigInt(
    (
      await sql<{ real: string }>("SELECT real_available AS real FROM members_money WHERE member_id = $1", [memberId])
    )[0]!.real,
  );
const balanced = async () => expect(await checkInvariants(world.context, 0n)).toEqual([]);

async function tell(path: string, memberId: MemberId, input: object): Promise<Deposit> {
  const said = await answer(path, memberId, input);
  if (!said.ok) throw new Error(said.refusal.error);
  return said.value as Deposit;
}
let made = 0;
const clientId = () => `client-${(made += 1)}-000000`;
const announce = (memberId: MemberId, usd = 100, cardId = EUR) =>
  tell("deposit/bank", memberId, { cardId, amount: (BigInt(usd) * 1_000_000n) as MicroUsd, clientId: clientId() });

async function picture(memberId: MemberId, colour: string): Promise<string> {
  const path = join(world.context.config.dataDir, `picture-${(made += 1)}.png`);
  await sharp({ create: { width: 8, height: 8, channels: 3, background: colour } })
    .png()
    .toFile(path);
  const stored = await world.files.store(memberId, "receipt", { path }, systemClock.now());
  if (!stored.ok) throw new Error(stored.refusal.error);
  return stored.value.fileId;
}

interface Line {
  readonly amount: string;
  readonly reference?: string;
  readonly currency?: string;
  readonly status?: string;
  readonly direction?: string;
  readonly bankRef?: string;
}
function statement(lines: readonly Line[], account = IBAN): string {
  const entries = lines.map(
    ({ amount, reference = "", currency = "EUR", status = "BOOK", direction = "CRDT", bankRef }) => {
      made += 1;
      return `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts><Cd>${status}</Cd></Sts>
      <BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>${bankRef ?? `BR${made}`}</AcctSvcrRef>
      <NtryDtls><TxDtls><RltdPties><Dbtr><Nm>M. Example</Nm></Dbtr></RltdPties>
      <RmtInf><Ustrd>${reference}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
    },
  );
  return `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
    <GrpHdr><MsgId>MSG${(made += 1)}</MsgId></GrpHdr><Stmt><Acct><Id><IBAN>${account}</IBAN></Id></Acct>${entries.join("")}</Stmt></BkToCstmrStmt></Document>`;
}
const ask = (login: string, path: string, body: object) => world.call(path, body, cookies.get(login));
const importXml = async (xml: string) => ask("finance-1", "deposit/importStatement", { statement: xml });
const caseOf = async (depositNo: string) =>
  (await ask("finance-1", "deposit/detail", { depositNo })).body.data as DepositCase;
const reason = "seen on the statement";

describe("a remittance", () => {
  it("has a reference, its amount in the currency and a code for banking apps, and is made once for each client id", async () => {
    const memberId = await newMember();
    const asked = { cardId: EUR, amount: 100_000_000n, clientId: clientId() };
    const [one, two] = await Promise.all([
      tell("deposit/bank", memberId, asked),
      tell("deposit/bank", memberId, asked),
    ]);
    expect(one).toEqual(two);
    expect(one).toMatchObject({
      state: "processing",
      stage: "awaiting_transfer",
      fiatAmount: "92.15",
      fiatCurrency: "EUR",
      rate: "0.9215",
    });
    expect(isCreditorReference(one.reference!)).toBe(true);
    expect(one.qr).toContain(`EUR92.15\n\n${one.reference}`);
    expect(await answer("deposit/bank", memberId, { ...asked, amount: 200_000_000n })).toMatchObject({
      refusal: { error: "CLIENT_ID_REUSED" },
    });
    const list = await answer("deposit/list", memberId, {});
    expect(list).toMatchObject({ value: { items: [{ depositNo: one.depositNo }] } });
  });

  it.each([
    [EUR, 19_990_000n, "DEPOSIT_BELOW_MINIMUM"],
    [EUR, 50_000_010_000n, "FIELD_INVALID"],
    ["crd_0000000000000", 20_000_000n, "CARD_UNKNOWN"],
  ])("is refused at %s of %d", async (cardId, amount, error) => {
    expect(await answer("deposit/bank", await newMember(), { cardId, amount, clientId: clientId() })).toMatchObject({
      refusal: { error },
    });
  });

  it("can only be sent to cards of the member's region", async () => {
    const memberId = await newMember();
    const cards = await answer("deposit/cards", memberId, { region: "VN", currency: "VND" });
    expect(cards).toMatchObject({
      value: [
        { number: "000000012345", rate: "25410.00" },
        { number: "000000054321", rate: "25410.00" },
      ],
    });
    for (const currency of ["EUR", "USD"]) {
      const offered = await answer("deposit/cards", memberId, { region: "BR", currency });
      expect(offered).toMatchObject({ value: [{}, {}] });
    }
    expect(await answer("deposit/cards", memberId, { region: "BR", currency: "VND" })).toMatchObject({ value: [] });
    expect(await answer("deposit/methods", memberId, {})).toMatchObject({
      value: { bank: [{ currency: "EUR" }, { currency: "USD" }, { currency: "VND" }], card: true },
    });
    expect(await answer("deposit/methods", memberId, { region: "BR" })).toMatchObject({
      value: { bank: [{ currency: "EUR" }, { currency: "USD" }] },
    });
  });

  it("needs an existing region", async () => {
    const memberId = await newMember();
    const refusal = { error: "FIELD_INVALID", params: { field: "region" }, fields: { region: "FIELD_INVALID" } };
    for (const [path, input] of [
      ["deposit/cards", { region: "ZZ", currency: "EUR" }],
      ["deposit/methods", { region: "ZZ" }],
    ] as const)
      expect(await answer(path, memberId, input)).toEqual({ ok: false, refusal });
  });

  it("accepts the member's own receipts while it is under way, and flags a picture that was used before", async () => {
    const [memberId, other] = [await newMember(), await newMember()];
    const [deposit, second] = [await announce(memberId), await announce(memberId, 50)];
    const fileId = await picture(memberId, "#aa0000");
    const put = (depositNo: string, file: string) => answer("deposit/receipt", memberId, { depositNo, fileId: file });
    expect(await put(deposit.depositNo, await picture(other, "#00aa00"))).toMatchObject({
      refusal: { error: "RECEIPT_MISSING" },
    });
    expect(await put(deposit.depositNo, fileId)).toMatchObject({
      value: { stage: "in_review", receiptFileId: fileId },
    });
    expect(await put(deposit.depositNo, fileId)).toMatchObject({ ok: true });
    expect(await put(second.depositNo, fileId)).toMatchObject({ refusal: { error: "RECEIPT_MISSING" } });
    expect(await put(second.depositNo, await picture(memberId, "#aa0000"))).toMatchObject({ ok: true });
    expect(await caseOf(second.depositNo)).toMatchObject({
      flagged: true,
      receipts: [{ alsoAt: [deposit.depositNo] }],
    });
    expect(await caseOf(deposit.depositNo)).toMatchObject({
      flagged: true,
      steps: [{ stage: "awaiting_transfer" }, { stage: "in_review" }],
    });
    const queue = await ask("finance-1", "deposit/list", { state: "waiting", method: "bank" });
    expect((queue.body.data as { items: { depositNo: string }[] }).items.map(({ depositNo }) => depositNo)).toEqual([
      deposit.depositNo,
      second.depositNo,
    ]);
  });
});

describe("a statement", () => {
  it("credits exact lines once, however often files repeat them", async () => {
    const memberId = await newMember();
    const deposit = await announce(memberId);
    const line = {
      amount: "92.15",
      reference: `Invoice ${deposit.reference!.replace(/(.{4})/g, "$1 ")}`,
      bankRef: "ONCE-1",
    };
    const first = statement([
      line,
      { amount: "3.00", bankRef: "ONCE-2" },
      { amount: "92.15", direction: "DBIT" },
      { amount: "1.00", status: "PDNG" },
    ]);
    const done = await importXml(first);
    expect(done.body.data).toMatchObject({
      lines: 2,
      known: 0,
      open: 1,
      credited: [{ depositNo: deposit.depositNo, amount: "100.00", fiat: "EUR 92.15" }],
    });
    const importedAt = expect.any(Number) as number;
    for (const login of ["finance-1", "finance-2"])
      expect((await ask(login, "deposit/importStatement", { statement: first })).body).toMatchObject({
        code: 409,
        data: { error: "CONFLICT", params: { by: "finance-1", importedAt } },
      });
    expect((await importXml(statement([line]))).body.data).toMatchObject({ lines: 0, known: 1, credited: [] });
    expect(await realOf(memberId)).toBe(100_000_000n);
    expect(await caseOf(deposit.depositNo)).toMatchObject({
      state: "deposited",
      matched: { worth: "100.00", debtor: "M. Example" },
    });
    expect(await tell("deposit/detail", memberId, { depositNo: deposit.depositNo })).toMatchObject({
      state: "deposited",
      amount: "100.00",
    });
    const messages = await sql("SELECT message_key FROM member_messages WHERE member_id = $1", [memberId]);
    expect(messages).toEqual([{ message_key: "depositCredited" }]);
    await balanced();
  });

  it.each([
    ["another amount", { amount: "92.14" }],
    ["another currency", { amount: "92.15", currency: "CHF" }],
  ])("does not credit %s automatically", async (_what, change) => {
    const memberId = await newMember();
    const deposit = await announce(memberId);
    expect((await importXml(statement([{ reference: deposit.reference!, ...change }]))).body.data).toMatchObject({
      credited: [],
    });
    expect(await realOf(memberId)).toBe(0n);
  });

  it("does not credit a line of another account, or a reference that occurs twice", async () => {
    const deposit = await announce(await newMember());
    const line = { amount: "92.15", reference: deposit.reference! };
    // This account belongs to another of our receiving cards, in another currency.
    expect((await importXml(statement([line], "000000012345"))).body.data).toMatchObject({ credited: [] });
    const twin = await announce(await newMember());
    const twice = { amount: "92.15", reference: twin.reference! };
    expect((await importXml(statement([twice, twice]))).body.data).toMatchObject({ lines: 2, credited: [] });
  });

  /** Makes a statement of one account whose entries have only the given references. */
  const bare = (
    name: string,
    entries: readonly { amount: string; number?: string; entryRef?: string; ownRef?: string }[],
    kind: "053" | "054" = "053",
  ) => {
    const rows = entries.map(
      ({ amount, number, entryRef, ownRef }) =>
        `<Ntry>${number === undefined ? "" : `<NtryRef>${number}</NtryRef>`}<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
        <BookgDt><Dt>2026-11-20</Dt></BookgDt>${entryRef === undefined ? "" : `<AcctSvcrRef>${entryRef}</AcctSvcrRef>`}<NtryDtls><TxDtls>
        ${ownRef === undefined ? "" : `<Refs><AcctSvcrRef>${ownRef}</AcctSvcrRef></Refs>`}<RmtInf><Ustrd>rent</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
    );
    const [message, part] = kind === "053" ? ["BkToCstmrStmt", "Stmt"] : ["BkToCstmrDbtCdtNtfctn", "Ntfctn"];
    return `<Document><${message}><GrpHdr><MsgId>G${(made += 1)}</MsgId></GrpHdr><${part}><Id>${name}</Id><Acct><Id><IBAN>${IBAN}</IBAN></Id></Acct>
      ${rows.join("")}</${part}></${message}></Document>`;
  };

  it("stores each payment of a bank that restarts the numbers of entries with each statement", async () => {
    const first = bare("S-1", [
      { amount: "11.01", number: "1" },
      { amount: "11.01", number: "2" },
    ]);
    expect((await importXml(first)).body.data).toMatchObject({ lines: 2, known: 0, unread: 0 });
    const second = [
      { amount: "11.03", number: "1" },
      { amount: "11.01", number: "2" },
    ];
    expect((await importXml(bare("S-2", second))).body.data).toMatchObject({ lines: 2, known: 0, unread: 0 });
    expect((await importXml(bare("S-2", second))).body.data).toMatchObject({ lines: 0, known: 2, unread: 0 });
    expect((await importXml(bare("", [{ amount: "11.05" }]))).body.data).toMatchObject({ lines: 0, unread: 1 });
  });

  it.each([
    ["the payment's own reference alone", { ownRef: "T" }, { entryRef: "E", ownRef: "T" }],
    ["both, then the payment's own alone", { entryRef: "E", ownRef: "T" }, { ownRef: "T" }],
    ["the entry's reference alone", { entryRef: "E" }, { entryRef: "E", ownRef: "T" }],
    ["both, then the entry's alone", { entryRef: "E", ownRef: "T" }, { entryRef: "E" }],
  ])("recognizes a payment that was already notified with %s", async (what, notified, stated) => {
    const named = (refs: { entryRef?: string; ownRef?: string }) =>
      Object.fromEntries(Object.entries(refs).map(([name, ref]) => [name, `${ref}-${what.length}`]));
    const one = bare("N-1", [{ amount: "12.00", ...named(notified) }], "054");
    expect((await importXml(one)).body.data).toMatchObject({ lines: 1, known: 0 });
    const same = bare("S-3", [{ amount: "12.00", number: "1", ...named(stated) }]);
    expect((await importXml(same)).body.data).toMatchObject({ lines: 0, known: 1 });
  });

  it("distinguishes two payments that share their entry's reference", async () => {
    const entries = ["a", "b"].map((ownRef) => ({ amount: "12.50", entryRef: "SHARED", ownRef: `SHARED-${ownRef}` }));
    expect((await importXml(bare("S-4", entries.slice(0, 1)))).body.data).toMatchObject({ lines: 1, known: 0 });
    expect((await importXml(bare("S-5", entries))).body.data).toMatchObject({ lines: 1, known: 1 });
  });

  it.each([
    ["no XML", "hello", { cause: "xml", line: 1 }],
    [
      "another document",
      "<Document>\n<CstmrCdtTrfInitn/></Document>",
      { cause: "document", found: "CstmrCdtTrfInitn" },
    ],
    ["a document type", `\n<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>`, { cause: "documentType", line: 2 }],
    [
      "entities that grow",
      `<!DOCTYPE a [<!ENTITY x "&y;&y;">]><Document>&x;</Document>`,
      { cause: "documentType", line: 1 },
    ],
    ["a torn end", "<Document>\n<BkToCstmrStmt>", { cause: "xml" }],
    ["torn in its middle", "<Document>\n<A>\r\n<B></A></Document>", { cause: "xml", line: 3 }],
    [
      "another account's",
      statement([{ amount: "1.00" }], "DE02120300000000202051"),
      { cause: "account", account: "DE02120300000000202051" },
    ],
  ])("is refused if it is %s, and says where and why", async (_what, xml, params) => {
    expect((await importXml(xml)).body).toMatchObject({
      code: 400,
      data: { fields: { statement: expect.any(String) as string }, params: { field: "statement", ...params } },
    });
    expect(await sql("SELECT 1 FROM statement_entries WHERE account = 'DE02120300000000202051'")).toEqual([]);
  });

  it("reports the lines that could not be read, and imports the others", async () => {
    const [good, foreign, none] = [{ amount: "7.01" }, { amount: "7.02", currency: "XX" }, { amount: "zero" }];
    const xml = statement([good, foreign, none]).replaceAll("<Ntry>", "\n<Ntry>");
    const before = xml.slice(0, xml.indexOf("<Ntry>")).split("\n").length;
    const { data }: { data: unknown } = (await importXml(xml)).body;
    const lines = xml.split("\n").flatMap((text, place) => (text.startsWith("<Ntry>") ? [place + 1] : []));
    expect(lines[0]).toBe(before);
    expect(data).toMatchObject({
      lines: 1,
      unread: 2,
      unreadLines: [
        { line: lines[1], cause: "currency" },
        { line: lines[2], cause: "amount" },
      ],
    });
  });

  it("may be as large as the limit, but not larger", async () => {
    const rest = " ".repeat(1_500_000);
    expect((await importXml(statement([{ amount: "1.00" }]) + rest)).status).toBe(200);
    expect((await importXml(statement([{ amount: "1.00" }]) + rest + rest)).status).toBe(400);
  });
});

describe("a transfer that was not credited automatically", () => {
  let height = 0;
  async function seen(stage: string, units: string, token = "0xaa") {
    const memberId = await newMember();
    const depositId = 7_000 + (height += 1);
    await sql(
      `INSERT INTO chain_instances (chain, evm_chain_id, genesis_hash, token, cursor_height, cursor_hash, head_height, read_at)
       VALUES ('test', 1, '0x0', '0xaa', 1, '0x1', 1, 0) ON CONFLICT DO NOTHING`,
    );
    await sql(
      `INSERT INTO deposits (deposit_id, member_id, method, stage, amount, created_at, stage_at) VALUES ($1, $2, 'crypto', $3, $4, epoch_ms(), epoch_ms())`,
      [
        depositId,
        String(memberId),
        stage === "below_minimum" ? "confirming" : stage,
        stage === "wrong_token" ? 0 : 4_990_000,
      ],
    );
    await sql(
      `INSERT INTO chain_transfers (instance_id, tx_hash, log_index, deposit_id, token, from_address, to_address, raw_amount, rate, height, block_hash)
       SELECT instance_id, $2, 0, $1, $3, '0xf', '0xe', $4, 1000000, $5, '0xb' FROM chain_instances WHERE chain = 'test'`,
      [depositId, `0x${depositId}`, token, units, height],
    );
    if (stage === "below_minimum")
      await sql("UPDATE deposits SET stage = 'below_minimum', reason = 'below_minimum' WHERE deposit_id = $1", [
        depositId,
      ]);
    return { memberId, depositNo: formatPrefixedId("dep", BigInt(depositId)) };
  }
  const waits = async (depositNo: string) =>
    (
      (await ask("finance-1", "deposit/list", { state: "waiting", method: "crypto" })).body.data as {
        items: { depositNo: string }[];
      }
    ).items.some((item) => item.depositNo === depositNo);

  it("because it was below the minimum is credited by finance, once, rounded up to a cent at the house's cost", async () => {
    const { memberId, depositNo } = await seen("below_minimum", "4987654");
    expect(await waits(depositNo)).toBe(true);
    const credit = (login: string, amount = "4.99") => ask(login, "deposit/credit", { depositNo, amount, reason });
    expect((await credit("finance-1", "4.98")).status).toBe(400);
    expect((await credit("support-1")).status).toBe(403);
    const both = await Promise.all([credit("finance-1"), credit("finance-2")]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await realOf(memberId)).toBe(4_990_000n);
    expect(await caseOf(depositNo)).toMatchObject({ state: "deposited", amount: "4.99", reason: null });
    expect(
      await sql(
        "SELECT from_account, p.amount FROM postings p JOIN transfers USING (transfer_id) WHERE member_id = $1 AND kind = 'deposit' ORDER BY line",
        [String(memberId)],
      ),
    ).toEqual([
      { from_account: "chain_clearing", amount: "4987654" },
      { from_account: "capital", amount: "2346" },
    ]);
    expect(await waits(depositNo)).toBe(false);
    await balanced();
  });

  it("because it is in another token waits until finance has looked at it, and can't be credited", async () => {
    const { memberId, depositNo } = await seen("wrong_token", "4987654", "0xbb");
    expect(await waits(depositNo)).toBe(true);
    expect((await ask("finance-1", "deposit/credit", { depositNo, amount: "0.01", reason })).status).toBe(409);
    const end = { depositNo, reason: "Another token cannot be taken." };
    expect((await ask("finance-1", "deposit/reject", end)).body.data).toMatchObject({ state: "failed", sent: null });
    expect(await waits(depositNo)).toBe(false);
    expect(await tell("deposit/detail", memberId, { depositNo })).toMatchObject({
      state: "failed",
      reason: end.reason,
    });
    await balanced();
  });
});

describe("a match by an operator", () => {
  it("credits the received amount at the rate that the member saw, after the operator typed it", async () => {
    const memberId = await newMember();
    const deposit = await announce(memberId);
    await importXml(statement([{ amount: "90.00", reference: "no reference" }]));
    const { suggestions } = await caseOf(deposit.depositNo);
    const line = suggestions.find(({ fiat }) => fiat === "EUR 90.00")!;
    expect(line).toMatchObject({ worth: "97.67", sameAmount: false, sameReference: false });
    const credit = (amount: string, login = "finance-1") =>
      ask(login, "deposit/credit", { depositNo: deposit.depositNo, amount, reason });
    expect((await credit("97.67")).status).toBe(409);
    const matched = await ask("finance-1", "deposit/matchStatement", {
      depositNo: deposit.depositNo,
      entryId: line.entryId,
      reason,
    });
    expect(matched.body.data).toMatchObject({ matched: { worth: "97.67" } });
    expect((await credit("100.00")).status).toBe(400);
    expect((await credit("97.67", "support-1")).status).toBe(403);
    expect((await credit("97.67", "auditor-1")).status).toBe(403);
    const both = await Promise.all([credit("97.67"), credit("97.67", "finance-2")]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await realOf(memberId)).toBe(97_670_000n);
    const again = await announce(memberId);
    const taken = await ask("finance-1", "deposit/matchStatement", {
      depositNo: again.depositNo,
      entryId: line.entryId,
      reason,
    });
    expect(taken.status).toBe(409);
    const [audit] = await sql<{ action: string }>(
      "SELECT action FROM audit_trail WHERE subject = $1 AND action = 'deposit/credit' AND outcome = 'done'",
      [deposit.depositNo],
    );
    expect(audit).toEqual({ action: "deposit/credit" });
    await balanced();
  });

  it("is enforced by the database too, which requires a session of finance and a line", async () => {
    const deposit = await announce(await newMember());
    await importXml(statement([{ amount: "91.00" }]));
    const [row] = await sql<{ id: string; support: string; finance: string; entry: string }>(
      `SELECT (SELECT max(deposit_id) FROM deposits) AS id, (SELECT max(entry_id) FROM statement_entries) AS entry,
         max(session_id) FILTER (WHERE login = 'support-1') AS support, max(session_id) FILTER (WHERE login = 'finance-1') AS finance
       FROM operator_sessions JOIN operators USING (operator_id)`,
    );
    const { console: office, money } = world.context.databases;
    await expect(
      office.query("SELECT match_statement($1, $2, $3)", [row!.support, row!.id, row!.entry]),
    ).rejects.toThrow("is of none of");
    await expect(office.query("SELECT credit_bank_deposit($1, $2, 1)", [row!.finance, row!.id])).rejects.toThrow(
      "no line",
    );
    for (const database of [office, money]) {
      await expect(database.query("UPDATE deposits SET stage = 'credited'")).rejects.toThrow("permission denied");
      await expect(database.query("UPDATE bank_deposits SET matched_entry = 1")).rejects.toThrow("permission denied");
      await expect(database.query("SELECT book_deposit(1, 2, 'x', 3)")).rejects.toThrow("permission denied");
    }
    expect(deposit.state).toBe("processing");
  });

  it("frees its line again if the deposit is rejected after all", async () => {
    const [wrong, right] = [await announce(await newMember()), await announce(await newMember())];
    await importXml(statement([{ amount: "88.00", reference: "one of two" }]));
    const line = (await caseOf(wrong.depositNo)).suggestions.find(({ fiat }) => fiat === "EUR 88.00")!;
    const match = ({ depositNo }: Deposit) =>
      ask("finance-1", "deposit/matchStatement", { depositNo, entryId: line.entryId, reason });
    expect((await match(wrong)).status).toBe(200);
    expect((await match(right)).status).toBe(409);
    await ask("finance-1", "deposit/reject", { depositNo: wrong.depositNo, reason: "The payment is another's." });
    expect((await caseOf(wrong.depositNo)).matched).toBeNull();
    expect((await caseOf(right.depositNo)).suggestions).toContainEqual(
      expect.objectContaining({ entryId: line.entryId }),
    );
    const open = (await ask("finance-1", "statement/list", {})).body.data as { items: { entryId: string }[] };
    expect(open.items).toContainEqual(expect.objectContaining({ entryId: line.entryId }));
    expect((await match(right)).status).toBe(200);
    await balanced();
  });

  it("is impossible after a rejection: the deposit has failed, with a reason that the member reads", async () => {
    const memberId = await newMember();
    const deposit = await announce(memberId);
    const end = { depositNo: deposit.depositNo, reason: "The name on the transfer is not yours." };
    expect((await ask("finance-1", "deposit/reject", end)).body.data).toMatchObject({ state: "failed" });
    const second = await ask("finance-2", "deposit/reject", end);
    expect([second.status, second.body.data]).toMatchObject([
      409,
      { params: { by: "finance-1", action: "deposit/reject" } },
    ]);
    expect((await caseOf(end.depositNo)).decided).toMatchObject([{ by: { login: "finance-1" }, what: "reject" }]);
    expect(await tell("deposit/detail", memberId, { depositNo: deposit.depositNo })).toMatchObject({
      state: "failed",
      reason: end.reason,
    });
    const late = await picture(memberId, "#123456");
    expect(await answer("deposit/receipt", memberId, { depositNo: deposit.depositNo, fileId: late })).toMatchObject({
      refusal: { error: "CONFLICT" },
    });
    expect((await importXml(statement([{ amount: "92.15", reference: deposit.reference! }]))).body.data).toMatchObject({
      credited: [],
    });
    expect(await realOf(memberId)).toBe(0n);
    await balanced();
  });
});

describe("a card deposit", () => {
  const propose = async (memberId: MemberId, login: string, amount = "250.00", reference = `ACQ-${(made += 1)}-01`) =>
    ask(login, "deposit/proposeCard", {
      memberId: formatId("member", memberId),
      amount,
      reference,
      reason: "Card payment, see the chat",
      clientId: clientId(),
    });

  it("takes two people: one proposes it, and another one in finance books it", async () => {
    const memberId = await newMember();
    const { proposalId, depositNo } = (await propose(memberId, "finance-1")).body.data as {
      proposalId: string;
      depositNo: string;
    };
    expect(await tell("deposit/detail", memberId, { depositNo })).toMatchObject({
      method: "card",
      state: "processing",
      amount: "250.00",
    });
    const approve = (login: string, amount = "250.00") =>
      ask(login, "deposit/approveCard", { proposalId, amount, reason: "Receipt of the card checked" });
    expect((await approve("finance-1")).status).toBe(403);
    expect((await approve("support-1")).status).toBe(403);
    expect((await approve("finance-2", "2500.00")).status).toBe(400);
    expect((await approve("finance-2")).body.data).toMatchObject({ state: "approved" });
    expect((await approve("finance-2")).status).toBe(409);
    expect(await realOf(memberId)).toBe(250_000_000n);
    expect(await tell("deposit/detail", memberId, { depositNo })).toMatchObject({ state: "deposited" });
    await balanced();
  });

  it("can be rejected with a reason that the member reads, and has a minimum and maximum", async () => {
    const memberId = await newMember();
    const { proposalId, depositNo } = (await propose(memberId, "support-1")).body.data as {
      proposalId: string;
      depositNo: string;
    };
    const rejected = await ask("finance-1", "deposit/rejectCard", {
      proposalId,
      reason: "The payment was taken back.",
    });
    expect(rejected.body.data).toMatchObject({ state: "rejected" });
    expect(await tell("deposit/detail", memberId, { depositNo })).toMatchObject({
      state: "failed",
      reason: "The payment was taken back.",
    });
    expect((await propose(memberId, "support-1", "19.99")).body.data).toMatchObject({ error: "DEPOSIT_BELOW_MINIMUM" });
    expect((await propose(memberId, "auditor-1")).status).toBe(403);
  });

  it.each([2, 10, 50])(
    "sent %d times at once, by a second tap or a lost answer, makes one proposal",
    async (copies) => {
      const memberId = await newMember();
      const wish = {
        memberId: formatId("member", memberId),
        amount: "250.00",
        reference: `ACQ-${(made += 1)}-03`,
        reason: "Card payment, see the chat",
        clientId: clientId(),
      };
      const send = (change: object = {}, login = "support-1") =>
        ask(login, "deposit/proposeCard", { ...wish, ...change });
      const answers = await Promise.all(Array.from({ length: copies }, () => send()));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const numbers = answers.map(({ body }) => body.data as { proposalId: string; depositNo: string });
      const [first] = numbers;
      expect(numbers).toEqual(Array.from({ length: copies }, () => expect.objectContaining({ ...first })));
      expect(await sql("SELECT 1 FROM proposals WHERE member_id = $1", [memberId])).toHaveLength(1);
      expect(await sql("SELECT 1 FROM deposits WHERE member_id = $1", [memberId])).toHaveLength(1);
      expect((await send({ amount: "251.00" })).body.data).toMatchObject({ error: "CLIENT_ID_REUSED" });
      expect((await send({ reason: "Another one" })).body.data).toMatchObject({ error: "CLIENT_ID_REUSED" });
      expect((await send({ clientId: "" })).status).toBe(400);
      // Another operator's request counts as a new one, and conflicts because the payment already has a deposit.
      expect((await send({}, "finance-1")).body.data).toMatchObject({ error: "CONFLICT" });
      const back = { proposalId: first!.proposalId, reason: "the wrong member" };
      expect((await ask("support-1", "deposit/rejectCard", back)).status).toBe(200);
      expect((await send()).body.data).toMatchObject({ proposalId: first!.proposalId, state: "rejected" });
      expect(await sql("SELECT 1 FROM deposits WHERE member_id = $1", [memberId])).toHaveLength(1);
      await balanced();
    },
  );

  it("is accepted once for each payment, by the acquirer's reference, until it is rejected", async () => {
    const [memberId, other] = [await newMember(), await newMember()];
    const first = (await propose(memberId, "support-1", "250.00", "arn-74000001")).body.data as {
      proposalId: string;
      depositNo: string;
    };
    expect((await propose(memberId, "finance-1", "250.00", "ARN-74000001")).status).toBe(409);
    expect((await propose(other, "support-1", "90.00", "Arn-74000001")).status).toBe(409);
    expect((await propose(memberId, "support-1", "250.00", "")).status).toBe(400);
    const next = (await propose(memberId, "support-1")).body.data as { depositNo: string };
    expect(await caseOf(next.depositNo)).toMatchObject({
      otherCards: [{ depositNo: first.depositNo, amount: "250.00", stage: "in_review", reference: "ARN-74000001" }],
    });
    // Only the proposer and finance can withdraw it.
    const back = (login: string, proposalId: string) =>
      ask(login, "deposit/rejectCard", { proposalId, reason: "the wrong member" });
    expect((await back("support-1", first.proposalId)).body.data).toMatchObject({ state: "rejected" });
    const again = (await propose(other, "finance-1", "250.00", "ARN-74000001")).body.data as { proposalId: string };
    expect((await back("support-1", again.proposalId)).status).toBe(403);
    const approved = await ask("finance-2", "deposit/approveCard", {
      proposalId: again.proposalId,
      amount: "250.00",
      reason: "Seen on the acquirer's list",
    });
    expect(approved.body.data).toMatchObject({ state: "approved", reference: "ARN-74000001" });
    expect((await propose(memberId, "support-1", "250.00", "ARN-74000001")).status).toBe(409);
    expect(await realOf(other)).toBe(250_000_000n);
    await balanced();
  });

  it.each([
    [
      "self-excluded",
      "UPDATE members SET standing = 'excluded', excluded_until = NULL WHERE member_id = $1",
      "EXCLUDED",
    ],
    ["suspended", "UPDATE members SET standing = 'suspended', standing_reason = 'x' WHERE member_id = $1", "SUSPENDED"],
    ["in a region for practice", "UPDATE members SET region = 'DE' WHERE member_id = $1", "REGION_PRACTICE_ONLY"],
  ])("is refused to somebody who is %s, as by any other way", async (_who, change, error) => {
    const memberId = await newMember();
    await sql(change, [memberId]);
    expect((await propose(memberId, "support-1")).body.data).toMatchObject({ error });
  });

  it("is reversed by two people if the cardholder's bank takes it back", async () => {
    const memberId = await newMember();
    const { proposalId, depositNo } = (await propose(memberId, "support-1")).body.data as {
      proposalId: string;
      depositNo: string;
    };
    await ask("finance-1", "deposit/approveCard", { proposalId, amount: "250.00", reason: "Receipt checked" });
    const reversal = (await ask("finance-1", "deposit/proposeReversal", { depositNo, reason: "a chargeback" })).body
      .data as { proposalId: string };
    const approve = (login: string) =>
      ask(login, "deposit/approveReversal", {
        proposalId: reversal.proposalId,
        amount: "250.00",
        reason: "Seen at the acquirer",
      });
    expect((await approve("finance-1")).status).toBe(403);
    expect((await approve("finance-2")).status).toBe(200);
    expect(await realOf(memberId)).toBe(0n);
    expect(await tell("deposit/detail", memberId, { depositNo })).toMatchObject({ stage: "reversed" });
    await balanced();
  });

  it("can't be booked without a decision by another person, whatever the program does", async () => {
    const memberId = await newMember();
    await propose(memberId, "finance-1");
    const [row] = await sql<{ id: string; by: string; session: string }>(
      "SELECT proposal_id AS id, made_by AS by, made_session AS session FROM proposals WHERE kind = 'card_deposit' ORDER BY proposal_id DESC LIMIT 1",
    );
    const office = world.context.databases.console;
    await expect(office.query("SELECT apply_card_deposit($1, 1)", [row!.id])).rejects.toThrow("no approved");
    await expect(
      office.query(
        `INSERT INTO decisions (proposal_id, made_by, made_session, decided_by, decided_session, decided_at, decision, reason)
         VALUES ($1, $2, $3, $2, $3, 1, 'approved', 'myself')`,
        [row!.id, row!.by, row!.session],
      ),
    ).rejects.toThrow("maker_is_not_checker");
  });
});

describe("a receiving card", () => {
  const card = {
    regions: ["BR"],
    currency: "EUR",
    bank: "Bank",
    bankCode: "COBADEFFXXX",
    holder: "Fairtick",
    number: "DE02 1203 0000 0000 2020 51",
    note: "Write the reference.",
    rate: "0.93",
    active: true,
  };

  it("is offered once a second admin agrees, and deposits under way keep the version they were announced with", async () => {
    const propose = (body: object) =>
      ask("admin-1", "receivingCard/propose", { ...card, reason: "a new account", ...body });
    expect((await propose({ number: "DE02 1203 0000 0000 2020 52" })).status).toBe(400);
    expect((await propose({ rate: "0" })).status).toBe(400);
    const { proposalId } = (await propose({})).body.data as { proposalId: string };
    const approve = (id: string, login: string) =>
      ask(login, "receivingCard/approve", { proposalId: id, reason: "checked with the bank" });
    expect((await approve(proposalId, "admin-1")).status).toBe(403);
    expect((await approve(proposalId, "finance-1")).status).toBe(403);
    expect((await approve(proposalId, "admin-2")).status).toBe(200);
    const memberId = await newMember();
    const [offered] = (await answer("deposit/cards", memberId, { region: "BR", currency: "EUR" }).then((said) =>
      said.ok ? said.value : [],
    )) as { cardId: string; rate: string }[];
    const all = await ask("admin-1", "receivingCard/list", {});
    const mine = (all.body.data as { cards: { cardId: string; number: string }[] }).cards.find(
      ({ number }) => number === "DE02120300000000202051",
    )!;
    expect(offered).toBeDefined();
    const deposit = await announce(memberId, 100, mine.cardId);
    expect(deposit).toMatchObject({ rate: "0.93", fiatAmount: "93.00" });
    const next = (await propose({ cardId: mine.cardId, rate: "0.95", active: false })).body.data as {
      proposalId: string;
    };
    expect((await approve(next.proposalId, "admin-2")).status).toBe(200);
    expect(await tell("deposit/detail", memberId, { depositNo: deposit.depositNo })).toMatchObject({ rate: "0.93" });
    expect(
      await answer("deposit/bank", memberId, { cardId: mine.cardId, amount: 50_000_000n, clientId: clientId() }),
    ).toMatchObject({ refusal: { error: "CARD_UNKNOWN" } });
    const done = await importXml(
      statement([{ amount: "93.00", reference: deposit.reference! }], "DE02120300000000202051"),
    );
    expect(done.body.data).toMatchObject({ credited: [{ amount: "100.00" }] });
  });
});

describe("a claim", () => {
  const hash = (digit: string) => `0x${digit.repeat(64)}`;
  async function arrive(memberId: MemberId, units: bigint, txHash: string): Promise<string> {
    await sql(
      `INSERT INTO chain_instances (chain, evm_chain_id, genesis_hash, token, cursor_height, cursor_hash, head_height, read_at)
       VALUES ('test', 1, '0x1', '0xtoken', 9, '0x9', 9, 1) ON CONFLICT DO NOTHING`,
    );
    const id = 5_000_000n + BigInt((made += 1));
    await sql(
      "INSERT INTO deposits (deposit_id, member_id, method, stage, amount, created_at, stage_at) VALUES ($1, $2, 'crypto', 'confirming', $3, $4, $4)",
      [id, memberId, units, systemClock.now()],
    );
    await sql(
      `INSERT INTO chain_transfers (instance_id, tx_hash, log_index, deposit_id, token, from_address, to_address, raw_amount, rate, height, block_hash)
       SELECT instance_id, $1, 0, $2, token, '0xa', '0xb', $3, 1000000, 9, '0x9' FROM chain_instances LIMIT 1`,
      [txHash, id, units],
    );
    const list = await answer("deposit/list", memberId, {});
    return list.ok ? (list.value as { items: Deposit[] }).items.find((each) => each.txHash === txHash)!.depositNo : "";
  }
  const claim = async (memberId: MemberId, quantity: bigint, txHash?: string, fileId?: string) =>
    answer("deposit/crypto", memberId, {
      chain: "test",
      quantity,
      fileId: fileId ?? (await picture(memberId, "#0000ff")),
      clientId: clientId(),
      ...(txHash && { txHash }),
    });

  it("is linked to its transfer when that arrives, and the chain's amount is credited", async () => {
    const memberId = await newMember();
    const claimed = await claim(memberId, 500_000_000n, hash("a").toUpperCase().replace("0X", ""));
    expect(claimed).toMatchObject({
      value: { state: "processing", stage: "claimed", quantity: "500.000000", txHash: hash("a") },
    });
    const depositNo = await arrive(memberId, 50_000_000n, hash("a"));
    const list = await answer("deposit/list", memberId, {});
    expect(list).toMatchObject({ value: { items: [{ depositNo, quantity: "50.000000", stage: "confirming" }] } });
    const own = (claimed as { value: Deposit }).value.depositNo;
    expect(await tell("deposit/detail", memberId, { depositNo: own })).toMatchObject({
      depositNo,
      quantity: "50.000000",
    });
    expect(await realOf(memberId)).toBe(0n);
    await balanced();
  });

  it("without a hash finds a transfer of exactly that quantity, and returns one that has already arrived", async () => {
    const memberId = await newMember();
    const depositNo = await arrive(memberId, 33_000_000n, hash("b"));
    expect(await claim(memberId, 34_000_000n)).toMatchObject({ value: { stage: "claimed" } });
    expect(await claim(memberId, 33_000_000n)).toMatchObject({ value: { depositNo, stage: "confirming" } });
    // A second claim no longer finds the transfer.
    expect(await claim(memberId, 33_000_000n)).toMatchObject({ value: { stage: "claimed" } });
  });

  it("without a hash is not linked to a transfer credited long ago, but operators are shown that one", async () => {
    const memberId = await newMember();
    const depositNo = await arrive(memberId, 44_000_000n, hash("d"));
    await sql("ALTER TABLE deposits DISABLE TRIGGER step_deposit");
    await sql(
      `UPDATE deposits SET stage = 'credited', transfer_id = (SELECT min(transfer_id) FROM transfers) WHERE deposit_id =
         (SELECT deposit_id FROM chain_transfers WHERE tx_hash = $1)`,
      [hash("d")],
    );
    const claimed = await claim(memberId, 44_000_000n);
    expect(claimed).toMatchObject({ value: { state: "processing", stage: "claimed" } });
    const own = (claimed as { value: Deposit }).value.depositNo;
    expect(await caseOf(own)).toMatchObject({ couldBe: [{ depositNo, txHash: hash("d") }] });
    const waiting = await ask("finance-1", "deposit/list", { state: "waiting", method: "crypto" });
    expect((waiting.body.data as { items: object[] }).items).toContainEqual(
      expect.objectContaining({ depositNo: own }),
    );
    // The transfer that the member is missing is linked when it arrives.
    const late = await arrive(memberId, 44_000_000n, hash("e"));
    expect(await tell("deposit/detail", memberId, { depositNo: own })).toMatchObject({ depositNo: late });
    await sql(
      "UPDATE deposits SET stage = 'confirming', transfer_id = NULL WHERE stage = 'credited' AND method = 'crypto'",
    );
    await sql("ALTER TABLE deposits ENABLE ALWAYS TRIGGER step_deposit");
  });

  it("never finds another member's transfer, and its picture is used once", async () => {
    const [memberId, other] = [await newMember(), await newMember()];
    await arrive(other, 21_000_000n, hash("c"));
    const fileId = await picture(memberId, "#00ffff");
    expect(await claim(memberId, 21_000_000n, hash("c"), fileId)).toMatchObject({ value: { stage: "claimed" } });
    expect(await claim(memberId, 22_000_000n, hash("c"), fileId)).toMatchObject({
      refusal: { error: "RECEIPT_MISSING" },
    });
    const waiting = await ask("finance-1", "deposit/list", { state: "waiting", method: "crypto" });
    const { items } = waiting.body.data as { items: { depositNo: string; stage: string }[] };
    const [mine] = items.slice(-1);
    expect(
      (await ask("finance-1", "deposit/reject", { depositNo: mine!.depositNo, reason: "No such transfer came." })).body
        .data,
    ).toMatchObject({ state: "failed" });
  });
});
