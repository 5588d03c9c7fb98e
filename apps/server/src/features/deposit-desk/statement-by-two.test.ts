import type { MemberId, MicroUsd, Verdict } from "@fairtick/domain";
import { createIdSource } from "@fairtick/domain";
import type { MemberCall, Deposit } from "@fairtick/protocol";
import type { DepositCase } from "@fairtick/protocol/operator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { depositRoutes, formatCardId, seedReceivingCards } from "../deposits/index.ts";
import { checkInvariants } from "../ledger/index.ts";
import { SANDBOX_LOGINS } from "../operators/index.ts";
import { systemClock } from "../../platform/clock.ts";
import type { CallRequest } from "../../platform/http/route.ts";
import { createConsoleWorld, type ConsoleWorld } from "../../testing/console-world.ts";

// Tests what one person may credit from a statement that they imported themselves, and what takes two.
let world: ConsoleWorld;
const cookies = new Map<string, string>();
let announceCall: (memberId: MemberId, input: object) => Promise<Verdict<unknown>>;
const IBAN = "DE89370400440532013000";

beforeAll(async () => {
  world = await createConsoleWorld();
  for (const { account } of SANDBOX_LOGINS.filter(({ account: login }) => login.startsWith("finance")))
    cookies.set(account, await world.logIn(account));
  await seedReceivingCards(world.context);
  const ids = createIdSource({ node: 3, clock: systemClock });
  const context = { ...world.context, clock: systemClock, ids, addresses: null };
  const bank = depositRoutes(context).find(({ call }) => call.path === "deposit/bank");
  announceCall = async (memberId, input) => {
    const request = { input, session: { sessionId: 1n, memberId }, now: systemClock.now() };
    const said: unknown = await bank?.handler(request as unknown as CallRequest<MemberCall>);
    return said as Verdict<unknown>;
  };
});
afterAll(() => world.close());

let made = 0;
const next = () => (made += 1);
const reason = "seen on the statement";
const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.builder.client.query<Row>(text, values)).rows;

interface Announced {
  readonly memberId: MemberId;
  readonly depositNo: string;
  readonly line: { readonly amount: string; readonly reference: string; readonly bankRef: string };
}
async function announce(usd: number): Promise<Announced> {
  const memberId = (await world.builder.createMember({ region: "VN" })) as MemberId;
  const amount = (BigInt(usd) * 1_000_000n) as MicroUsd;
  const said = await announceCall(memberId, { cardId: formatCardId(1n), amount, clientId: `client-${next()}-000000` });
  if (!said.ok) throw new Error(said.refusal.error);
  const { depositNo, fiatAmount = "", reference = "" } = said.value as Deposit;
  return { memberId, depositNo, line: { amount: fiatAmount.replaceAll(",", ""), reference, bankRef: `TWO-${next()}` } };
}
const statement = (lines: readonly Announced["line"][]) =>
  `<Document><BkToCstmrStmt><GrpHdr><MsgId>M${next()}</MsgId></GrpHdr><Stmt><Acct><Id><IBAN>${IBAN}</IBAN></Id></Acct>${lines
    .map(
      ({ amount, reference, bankRef }) =>
        `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>
        <AcctSvcrRef>${bankRef}</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>${reference}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
    )
    .join("")}</Stmt></BkToCstmrStmt></Document>`;
const ask = (login: string, path: string, body: object) => world.call(path, body, cookies.get(login));
const take = (login: string, xml: string) => ask(login, "deposit/importStatement", { statement: xml });
const realOf = async ({ memberId }: Announced) =>
  (
    await sql<{ real: string }>("SELECT real_available / 1000000 AS real FROM members_money WHERE member_id = $1", [
      memberId,
    ])
  )[0]!.real;
/** Moves all credits a day back, so that none of them counts toward today's limit. */
const nextDay = () =>
  sql("UPDATE bank_deposits SET credited_at = credited_at - 86400001 WHERE credited_at IS NOT NULL");

describe("a statement that one person imported", () => {
  it("credits up to 5,000.00 automatically, and more once another person has typed the amount", async () => {
    const [first, second] = [await announce(4000), await announce(1001)];
    const done = await take("finance-1", statement([first.line, second.line]));
    expect(done.body.data).toMatchObject({
      lines: 2,
      known: 0,
      open: 0,
      credited: [{ depositNo: first.depositNo, amount: "4000.00" }],
      waiting: [{ depositNo: second.depositNo, amount: "1001.00" }],
    });
    expect([await realOf(first), await realOf(second)]).toEqual(["4000", "0"]);
    const { depositNo } = second;
    const shown = (await ask("finance-1", "deposit/detail", { depositNo })).body.data as DepositCase;
    expect(shown).toMatchObject({
      state: "processing",
      matched: { worth: "1001.00", aboveOnePerson: true, onePersonMax: "5000.00", importedBy: { login: "finance-1" } },
    });
    const credit = (login: string) => ask(login, "deposit/credit", { depositNo, amount: "1001.00", reason });
    expect((await credit("finance-1")).status).toBe(403);
    expect(await realOf(second)).toBe("0");
    expect((await credit("finance-2")).body.data).toMatchObject({ state: "deposited" });
    expect(await realOf(second)).toBe("1001");
    const whole = await announce(999);
    expect((await take("finance-1", statement([whole.line]))).body.data).toMatchObject({
      credited: [{ depositNo: whole.depositNo }],
      waiting: [],
    });
    await nextDay();
  });

  it("can't exceed the limit by many small lines, several files, or a match by hand", async () => {
    const many = [await announce(1700), await announce(1700), await announce(1700)];
    for (const { line } of many.slice(0, 2)) await take("finance-1", statement([line]));
    const third = await take("finance-1", statement([many[2]!.line]));
    expect(third.body.data).toMatchObject({ credited: [], waiting: [{ depositNo: many[2]!.depositNo }] });
    const byHand = await announce(50);
    const forged = { amount: "40000.00", reference: "no reference", bankRef: `TWO-${next()}` };
    await take("finance-1", statement([forged]));
    const { depositNo } = byHand;
    const { suggestions } = (await ask("finance-1", "deposit/detail", { depositNo })).body.data as DepositCase;
    const { entryId, worth } = suggestions.find(({ fiat }) => fiat.includes("40000.00") || fiat.includes("40,000.00"))!;
    expect((await ask("finance-1", "deposit/matchStatement", { depositNo, entryId, reason })).status).toBe(200);
    expect((await ask("finance-1", "deposit/credit", { depositNo, amount: worth, reason })).status).toBe(403);
    expect(await realOf(byHand)).toBe("0");
    await nextDay();
  });

  it("can't exceed the limit by two credits at the same time", async () => {
    const both = [await announce(3000), await announce(3000)];
    const odd = both.map(({ line }) => ({ ...line, reference: "torn off", amount: "2764.50" }));
    await take("finance-1", statement(odd));
    for (const { depositNo } of both) {
      const { suggestions } = (await ask("finance-1", "deposit/detail", { depositNo })).body.data as DepositCase;
      const { entryId } = suggestions.find(({ fiat }) => fiat === "EUR 2764.50")!;
      expect((await ask("finance-1", "deposit/matchStatement", { depositNo, entryId, reason })).status).toBe(200);
    }
    const answers = await Promise.all(
      both.map(({ depositNo }) => ask("finance-1", "deposit/credit", { depositNo, amount: "3000.00", reason })),
    );
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "403"]);
    await nextDay();
  });

  it("is credited in full once a second person imports what the bank gave them, the same file or a later one", async () => {
    const [one, two, never] = [await announce(6000), await announce(7000), await announce(8000)];
    const file = statement([one.line]);
    expect((await take("finance-1", file)).body.data).toMatchObject({ credited: [], waiting: [{}] });
    expect((await take("finance-1", file)).status).toBe(409);
    await take("finance-1", statement([two.line, never.line]));
    expect((await take("finance-2", file)).body.data).toMatchObject({
      lines: 0,
      known: 1,
      credited: [{ depositNo: one.depositNo, amount: "6000.00" }],
    });
    expect((await take("finance-2", file)).status).toBe(409);
    // A line that the first person invented isn't in the file that the bank gives the second one.
    expect((await take("finance-2", statement([two.line]))).body.data).toMatchObject({
      credited: [{ depositNo: two.depositNo }],
    });
    expect([await realOf(one), await realOf(two), await realOf(never)]).toEqual(["6000", "7000", "0"]);
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });

  it("records who imported it from the session, which the console's role can't bypass", async () => {
    const office = world.context.databases.console;
    await expect(
      office.query(
        "INSERT INTO bank_statements VALUES (1, 'M', sha256('x'), (SELECT min(operator_id) FROM operators), 1)",
      ),
    ).rejects.toThrow("permission denied");
    await expect(office.query("UPDATE bank_deposits SET credited_by = NULL")).rejects.toThrow("permission denied");
  });
});

it("reports a line with a known reference and another amount, and counts it as neither known nor new", async () => {
  const { depositNo, line } = await announce(100);
  await take("finance-1", statement([line]));
  const other = { ...line, amount: "920.15" };
  const said = await take("finance-2", statement([other]));
  expect(said.body.data).toMatchObject({
    lines: 0,
    known: 0,
    open: 0,
    credited: [],
    differing: [{ reference: line.bankRef, fiat: "EUR 920.15", before: `EUR ${line.amount}` }],
  });
  const incidents = await sql("SELECT subject, detail FROM incidents WHERE kind = 'statement_differs'");
  expect(incidents).toEqual([
    {
      subject: `${IBAN} ${line.bankRef}`,
      detail: { account: IBAN, reference: line.bankRef, nowSaid: `EUR 920.15 instead of EUR ${line.amount}` },
    },
  ]);
  expect((await ask("finance-1", "deposit/detail", { depositNo })).body.data).toMatchObject({ amount: "100.00" });
});
