import type { MemberId } from "@fairtick/domain";
import { afterAll, beforeAll, expect, it } from "vitest";
import { int8Array } from "../../platform/binary-array.ts";
import { BEGIN, COMMIT, type Lane, openLane, ROLLBACK } from "../../platform/lane.ts";
import { createOrderWorld, type OrderWorld, usd } from "../orders/test-world.ts";
import { LOCK_MEMBERS, lockedMoneyOf, writeMoneySteps } from "./index.ts";

let world: OrderWorld;
let lane: Lane;
beforeAll(async () => {
  world = await createOrderWorld();
  lane = await openLane(world.context.databases.orders);
});
afterAll(async () => {
  await lane.close();
  await world.close();
});

async function lock(members: readonly bigint[]) {
  const [, rows = []] = await lane.flush([[BEGIN], [LOCK_MEMBERS, [int8Array(members)]]]);
  return lockedMoneyOf(rows);
}

/** Returns each member's practice wallet with one dollar added. */
const withADollar = (locked: Awaited<ReturnType<typeof lock>>) =>
  locked.map(({ memberId, memberSeq, wallets: { practice } }) => {
    if (practice === undefined) throw new Error("the practice wallet was not read");
    const after = { ...practice, available: (practice.available + usd(1)) as typeof practice.available };
    return { memberId, memberSeq: memberSeq + 1n, after };
  });

async function practiceOf(memberId: MemberId): Promise<bigint> {
  const { rows } = await world.build.client.query<{ practice: string }>(
    "SELECT practice_available AS practice FROM members_money WHERE member_id = $1",
    [memberId],
  );
  return BigInt(rows[0]?.practice ?? -1);
}

it("writes the wallets of all members at once", async () => {
  const members = await world.build.createMembers(3, { practice: usd(10) });
  const written = withADollar(await lock(members));
  await lane.flush([...writeMoneySteps({ practice: written, real: [] }), [COMMIT]]);
  for (const { memberId } of written) expect(await practiceOf(memberId)).toBe(usd(11));
});

it("writes no wallet if one row is missing, although the COMMIT was sent along", async () => {
  const members = await world.build.createMembers(3, { practice: usd(10) });
  const written = withADollar(await lock(members));
  const strange = written.map((row, index) => (index === 1 ? { ...row, memberId: 1n as MemberId } : row));
  await expect(lane.flush([...writeMoneySteps({ practice: strange, real: [] }), [COMMIT]])).rejects.toMatchObject({
    code: "22000",
    message: "2 of 3 rows were written",
  });
  await lane.flush([[ROLLBACK]]);
  for (const { memberId } of written) expect(await practiceOf(memberId)).toBe(usd(10));
});
