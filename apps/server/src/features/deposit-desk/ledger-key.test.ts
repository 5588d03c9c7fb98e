import { createIdSource, formatPrefixedId, type MicroUsd } from "@fairtick/domain";
import { type Builder, createBuilder } from "@fairtick/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import type { OperatorSession } from "../../platform/console/index.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { seedReceivingCards } from "../deposits/index.ts";
import { checkInvariants } from "../ledger/index.ts";
import { creditDeposit } from "./decide-deposit.ts";

let context: TestContext;
let build: Builder;
beforeAll(async () => {
  context = await createTestContext();
  build = await createBuilder(context.database.url);
  await seedReceivingCards(context);
  const soon = (await build.now()) + 3_600_000n;
  await build.client.query(
    "INSERT INTO operators (operator_id, login, name, created_at) VALUES (1, 'cashier', 'Cashier', 1)",
  );
  await build.client.query("INSERT INTO operator_roles (operator_id, role) VALUES (1, 'finance')");
  await build.client.query(
    `INSERT INTO operator_sessions (session_id, operator_id, token_hash, ip, device, created_at, seen_at, expires_at, verified_at)
     VALUES (1, 1, sha256('x'), '::1', 'test', 1, 1, $1, 1)`,
    [soon],
  );
  await build.client.query(
    "INSERT INTO bank_statements (statement_id, message, file_hash, imported_by, imported_at) VALUES (1, 'M', sha256('m'), 1, 1)",
  );
});
afterAll(async () => {
  await build.end();
  await context.close();
});

const session = { sessionId: 1n, operatorId: 1n } as OperatorSession;
const ids = createIdSource({ node: 7, clock: systemClock });
const credit = (depositNo: string) =>
  context.databases.console.transaction((db) =>
    creditDeposit(
      { config: context.config, ids },
      db,
      session,
      { depositNo, amount: 100_000_000n as MicroUsd },
      systemClock.now(),
    ),
  );

let made = 100n;
async function matchedDeposit() {
  const memberId = await build.createMember({ region: "BR" });
  made += 1n;
  const [money, office] = [context.databases.money, context.databases.console];
  await money.query("SELECT announce_bank_deposit($1, 'client-1', '\\x00', $2, 1, 100000000, $3)", [
    memberId,
    made,
    `REF${made}`,
  ]);
  await build.client.query(
    `INSERT INTO statement_entries (entry_id, statement_id, account, entry_reference, amount, digits, currency, booked_on, debtor, remittance)
     VALUES ($1::bigint, 1, 'DE89370400440532013000', $1::text, 9215, 2, 'EUR', '2026-11-20', '', '')`,
    [made],
  );
  await office.query("SELECT match_statement(1, $1, $1)", [made]);
  return { memberId, depositNo: formatPrefixedId("dep", made), depositId: made };
}

async function realOf(memberId: bigint): Promise<string> {
  const { rows } = await build.client.query<{ real: string }>(
    "SELECT real_available AS real FROM members_money WHERE member_id = $1",
    [memberId],
  );
  return rows[0]?.real ?? "";
}

describe("the ledger's key", () => {
  it("prevents a second credit of a line even if the deposit's own row was rolled back", async () => {
    const { memberId, depositNo, depositId } = await matchedDeposit();
    expect(await credit(depositNo)).toMatchObject({ ok: true });
    await build.client.query("ALTER TABLE deposits DISABLE TRIGGER step_deposit");
    await build.client.query("UPDATE deposits SET stage = 'in_review', transfer_id = NULL WHERE deposit_id = $1", [
      depositId,
    ]);
    await build.client.query("ALTER TABLE deposits ENABLE ALWAYS TRIGGER step_deposit");
    await expect(context.databases.console.query("SELECT credit_bank_deposit(1, $1, 77)", [depositId])).rejects.toThrow(
      "idempotency_key",
    );
    expect(await realOf(memberId)).toBe("100000000");
    expect((await checkInvariants(context, 0n)).map(({ invariant }) => invariant)).toContain("I9");
  });
});
