import { createIdSource, type Instant, type MemberId } from "@fairtick/domain";
import type { PlacedOrder } from "@fairtick/protocol";
import { createBuilder, waitUntil } from "@fairtick/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepStatement } from "./import-statement.ts";
import { settleExact } from "./settle-exact.ts";
import type { Changed } from "./tell-deposit.ts";
import { announceBankDeposit } from "../deposits/bank-deposit.ts";
import { formatCardId, seedReceivingCards } from "../deposits/index.ts";
import { checkInvariants } from "../ledger/index.ts";
import { createOrderWorld, type OrderWorld, usd } from "../orders/test-world.ts";
import { systemClock } from "../../platform/clock.ts";
import type { OperatorSession } from "../../platform/console/index.ts";

// Imports a statement with many exact lines while the same members place orders.
const ids = createIdSource({ node: 903, clock: systemClock });
let world: OrderWorld;
let one: OperatorSession;
let two: OperatorSession;
beforeAll(async () => {
  world = await createOrderWorld();
  await seedReceivingCards(world.context);
  [one, two] = [await newOperator(8_001n), await newOperator(8_002n)];
});
afterAll(() => world.close());

const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.build.client.query<Row>(text, values)).rows;

async function newOperator(operatorId: bigint): Promise<OperatorSession> {
  const sessionId = operatorId + 1_000_000n;
  await sql("INSERT INTO operators (operator_id, login, name, created_at) VALUES ($1, $2, 'x', 0)", [
    operatorId,
    `person-${operatorId}`,
  ]);
  await sql("INSERT INTO operator_roles (operator_id, role) VALUES ($1, 'finance')", [operatorId]);
  await sql(
    `INSERT INTO operator_sessions (session_id, operator_id, token_hash, ip, device, created_at, seen_at, expires_at, verified_at)
     VALUES ($1::bigint, $2, sha256($1::bigint::text::bytea), 'x', 'x', 0, 0, 9e15::bigint, 1)`,
    [sessionId, operatorId],
  );
  const expiresAt = 9_000_000_000_000_000n as Instant;
  return { sessionId, operatorId, login: "", name: "", roles: ["finance"], verified: true, expiresAt };
}

let made = 0;
interface Announced {
  readonly memberId: bigint;
  readonly line: string;
}
async function announce(memberId: bigint, dollars: number): Promise<Announced> {
  made += 1;
  const number = made;
  const asked = { cardId: formatCardId(1n), amount: usd(dollars), clientId: `many-${number}-000000` };
  const said = await announceBankDeposit({ ...world.context, ids }, memberId as MemberId, asked, systemClock.now());
  if (!said.ok) throw new Error(said.refusal.error);
  const { fiatAmount = "", reference = "" } = said.value;
  const line = `<Ntry><Amt Ccy="EUR">${fiatAmount.replaceAll(",", "")}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
    <BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>MANY-${number}</AcctSvcrRef>
    <NtryDtls><TxDtls><RmtInf><Ustrd>${reference}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
  return { memberId, line };
}
function statement(announced: readonly Announced[]): string {
  made += 1;
  return `<Document><BkToCstmrStmt><GrpHdr><MsgId>MANY${made}</MsgId></GrpHdr><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>
    ${announced.map(({ line }) => line).join("")}</Stmt></BkToCstmrStmt></Document>`;
}

/** Imports a statement as the console does: stores the lines in one transaction, then credits exact ones in others. */
async function take(by: OperatorSession, xml: string, tell: (credited: Changed) => void = () => undefined) {
  const context = { ...world.context, ids };
  const kept = await context.databases.console.transaction((db) => keepStatement(context, db, by, xml));
  return kept.ok ? settleExact(context, kept.value, tell) : kept.refusal.error;
}

async function placeAll(members: readonly bigint[]): Promise<PlacedOrder[]> {
  await world.tick();
  return Promise.all(members.map((memberId) => world.accepted(memberId)));
}
/** Lets the orders expire and settles them. Returns how many orders are still running. */
async function settleAll(placed: readonly PlacedOrder[]): Promise<number> {
  const at = BigInt(Math.max(...placed.map(({ acceptedAt }) => acceptedAt)));
  await world.build.feedTicks("EURUSD", [
    { time: at + 1n, price: 1_085_000n },
    { time: at + 20_000n, price: 1_085_002n },
    { time: at + 30_001n, price: 1_085_001n },
  ]);
  await world.settlement.settleNow();
  return (await sql("SELECT 1 FROM open_orders")).length;
}

const creditedBy = async ({ operatorId }: OperatorSession) =>
  (
    await sql<{ sum: string }>(
      "SELECT coalesce(sum(amount), 0)::text AS sum FROM bank_deposits JOIN deposits USING (deposit_id) WHERE credited_by = $1",
      [operatorId],
    )
  )[0]?.sum;

describe("300 exact lines", () => {
  it("delay nobody's orders, even while they wait themselves, and are credited once", async () => {
    const members = await world.build.createMembers(300, { region: "BR" });
    const announced: Announced[] = [];
    for (const memberId of members) announced.push(await announce(memberId, 20));
    const xml = statement(announced);
    const placed = await placeAll(members);

    // Another connection locks the deposit of the 150th line, so that the import stops in the middle.
    const other = await createBuilder(world.context.database.url);
    const credited: Changed[] = [];
    try {
      await other.client.query("BEGIN");
      await other.client.query("SELECT FROM deposits WHERE member_id = $1 FOR UPDATE", [members[149]]);
      const importing = take(one, xml, (each) => credited.push(each));
      await waitUntil("149 lines are credited", () => credited.length === 149);
      expect(await settleAll(placed)).toBe(0);
      expect(await settleAll(await placeAll(members.slice(0, 160)))).toBe(0);
      expect(credited).toHaveLength(149);
      await other.client.query("COMMIT");
      const report = await importing;
      // One person may credit up to 5,000.00 from statements they imported, and not one line more.
      expect(report).toMatchObject({ lines: 300, known: 0, open: 0 });
      if (typeof report === "string") throw new Error(report);
      expect([report.credited.length, report.waiting.length]).toEqual([250, 50]);
      expect(await creditedBy(one)).toBe(String(usd(5_000)));
    } finally {
      await other.end();
    }

    expect(await take(one, xml)).toBe("CONFLICT");
    // The other person imports the same file while all members place orders.
    const [again, left] = await Promise.all([take(two, xml), placeAll(members).then(settleAll)]);
    expect(left).toBe(0);
    expect(again).toMatchObject({ lines: 0, known: 300, waiting: [], open: 0 });
    if (typeof again === "string") throw new Error(again);
    expect(again.credited).toHaveLength(50);
    expect(await take(two, xml)).toBe("CONFLICT");
    const rich = "SELECT 1 FROM members_money WHERE member_id = ANY ($1) AND real_available = $2";
    expect(await sql(rich, [members, usd(20)])).toHaveLength(300);
    const messages = "SELECT 1 FROM member_messages WHERE member_id = ANY ($1) AND message_key = 'depositCredited'";
    expect(await sql(messages, [members])).toHaveLength(300);
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });
});

describe("two files that one person imports at the same time", () => {
  it("together credit no more than one person may", async () => {
    await sql("UPDATE bank_deposits SET credited_at = credited_at - 86400001 WHERE credited_at IS NOT NULL");
    const before = BigInt((await creditedBy(one)) ?? 0);
    const members = await world.build.createMembers(16, { region: "BR" });
    const announced = await Promise.all(members.map((memberId) => announce(memberId, 500)));
    const reports = await Promise.all([
      take(one, statement(announced.slice(0, 8))),
      take(one, statement(announced.slice(8))),
    ]);
    const counts = reports.map((report) => (typeof report === "string" ? [] : [report.credited, report.waiting]));
    expect(counts.flatMap(([credited = []]) => credited)).toHaveLength(10);
    expect(counts.flatMap(([, waiting = []]) => waiting)).toHaveLength(6);
    expect(BigInt((await creditedBy(one)) ?? 0) - before).toBe(usd(5_000));
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });

  it("credit each line once if they are the same file", async () => {
    await sql("UPDATE bank_deposits SET credited_at = credited_at - 86400001 WHERE credited_at IS NOT NULL");
    const members = await world.build.createMembers(10, { region: "BR" });
    const xml = statement(await Promise.all(members.map((memberId) => announce(memberId, 50))));
    await Promise.all([take(one, xml), take(one, xml), take(two, xml)]);
    const rich = "SELECT 1 FROM members_money WHERE member_id = ANY ($1) AND real_available = $2";
    expect(await sql(rich, [members, usd(50)])).toHaveLength(10);
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });
});
