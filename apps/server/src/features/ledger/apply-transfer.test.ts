import { transferMovement, type MemberId, type MicroUsd } from "@fairtick/domain";
import { createBuilder, type Builder } from "@fairtick/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { checkInvariants } from "./check-invariants.ts";
import { writeTransfer } from "./transfer-rows.ts";

let context: TestContext;
let build: Builder;
beforeAll(async () => {
  context = await createTestContext();
  build = await createBuilder(context.database.url);
});
afterAll(async () => {
  await build.end();
  await context.close();
});

const REFUSED = /permission denied/;
const NOT_NEXT = /is not the next fact of its member/;
let made = 0n;

/** Inserts a transfer with its posting, as any program with the role could, without moving a balance. Returns its id. */
async function writtenDown(memberId: bigint, change: { readonly seq: bigint; readonly after: bigint }) {
  made += 1n;
  const { money } = context.databases;
  await money.query(
    `INSERT INTO transfers (transfer_id, kind, wallet, member_id, member_seq, available_after, made_at, idempotency_key, remark)
     VALUES ($1::bigint, 'practice_issue', 'practice', $2, $3, $4, 1, 'forged ' || $1::bigint, 'x')`,
    [made, memberId, change.seq, change.after],
  );
  await money.query(
    "INSERT INTO postings (transfer_id, line, from_account, to_account, amount) VALUES ($1, 1, 'practice_issue', 'available', 5000000)",
    [made],
  );
  return made;
}
const practiceOf = async (memberId: bigint) =>
  (
    await build.client.query<{ available: string; seq: string }>(
      "SELECT practice_available AS available, member_seq AS seq FROM members_money WHERE member_id = $1",
      [memberId],
    )
  ).rows[0];

describe("a member's balance", () => {
  it.each(["money", "chain"] as const)("can be set by no program that books as %s", async (role) => {
    const memberId = await build.createMember({ practice: 7_000_000n });
    const set = (what: string) =>
      context.databases[role].query(`UPDATE members_money SET ${what} WHERE member_id = $1`, [memberId]);
    for (const what of ["practice_available = 1", "real_available = 1", "real_debt = 0", "member_seq = 9"])
      await expect(set(what)).rejects.toThrow(REFUSED);
    // This column may be written, because locking the row takes the right to update one.
    await set("touched = false");
  });

  it.each(["orders", "settlement"] as const)("can be written by %s, except for debt and terms", async (role) => {
    const memberId = await build.createMember({ practice: 7_000_000n });
    for (const what of ["real_debt = 0", "terms_version = 9", "member_id = 1", "touched = true"])
      await expect(
        context.databases[role].query(`UPDATE members_money SET ${what} WHERE member_id = $1`, [memberId]),
      ).rejects.toThrow(REFUSED);
  });

  it("changes once by the postings of a transfer, together with the house's", async () => {
    const memberId = (await build.createMember({ practice: 7_000_000n })) as MemberId;
    const before = await practiceOf(memberId);
    const wish = {
      transferId: 900_000n,
      wallet: "practice" as const,
      movement: transferMovement({ kind: "practice_issue", amount: 3_000_000n as MicroUsd }),
      idempotencyKey: "issue 1",
      remark: "issue",
      member: { memberId },
    };
    const { money } = context.databases;
    expect(await money.transaction((db) => writeTransfer(db, wish))).toBe(true);
    expect(await money.transaction((db) => writeTransfer(db, { ...wish, transferId: 900_001n }))).toBe(false);
    await expect(money.query("SELECT apply_transfer(900000)")).rejects.toThrow(NOT_NEXT);
    expect(await practiceOf(memberId)).toEqual({ available: "10000000", seq: String(BigInt(before!.seq) + 1n) });
    expect(await checkInvariants(context, 0n)).toEqual([]);
  });

  it.each([
    ["an older number", 0n, 5_000_000n],
    ["a number after a gap", 2n, 5_000_000n],
    ["a wrong balance after it", 1n, 5_000_001n],
  ])("is not changed by a transfer with %s", async (_what, ahead, more) => {
    const memberId = await build.createMember({ practice: 7_000_000n });
    const before = await practiceOf(memberId);
    const moved = writtenDown(memberId, {
      seq: BigInt(before!.seq) + ahead,
      after: BigInt(before!.available) + more,
    }).then((transfer) => context.databases.money.query("SELECT apply_transfer($1)", [transfer]));
    await expect(moved).rejects.toThrow(NOT_NEXT);
    expect(await practiceOf(memberId)).toEqual(before);
  });
});
