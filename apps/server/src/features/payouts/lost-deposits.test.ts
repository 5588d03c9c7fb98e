import type { MemberId } from "@fairtick/domain";
import { callNode } from "@fairtick/test-chain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { showAddress } from "../deposits/show-address.ts";
import { payoutRound } from "./payout-round.ts";
import { createPayoutWorld, type PayoutWorld } from "./test-world.ts";

let world: PayoutWorld;
beforeAll(async () => {
  world = await createPayoutWorld();
});
afterAll(() => world.close());

const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.chain.build.client.query<Row>(text, values)).rows;
const isFrozen = async (memberId: bigint) =>
  (await sql<{ frozen: boolean }>("SELECT is_frozen($1) AS frozen", [memberId]))[0]?.frozen;
const incidents = async (memberId: bigint) =>
  (await sql("SELECT 1 FROM incidents WHERE kind = 'credited_reorg' AND member_id = $1", [memberId])).length;

/** Deposits to the member's address, and waits until the transfer is final unless told otherwise. Returns the signed bytes. */
async function deposit(memberId: MemberId, units: bigint): Promise<string> {
  const { chain } = world;
  const shown = await showAddress(chain.deposits, memberId, "test", systemClock.now());
  if (!shown.ok) throw new Error(shown.refusal.error);
  await chain.mine(4);
  const hash = await chain.send(shown.value.address.toLowerCase(), units);
  await chain.mine(2);
  await chain.watch();
  return (await callNode(chain.anvil.url, "eth_getRawTransactionByHash", [hash])) as string;
}
/** Replaces the chain's branch with one of the same length that lacks the deposit, and lets the watcher run once. */
async function lose() {
  await world.chain.reorg(3);
  await callNode(world.chain.anvil.url, "anvil_dropAllTransactions");
  await world.chain.watch();
}
async function bringBack(raw: string) {
  await callNode(world.chain.anvil.url, "eth_sendRawTransaction", [raw]);
  await world.chain.mine(2);
  await world.chain.watch();
}

describe("a credited deposit that a reorganisation takes", () => {
  it("holds its member's withdrawals at once, and releases them if it comes back", async () => {
    const asked = await world.ask(100);
    const raw = await deposit(asked.memberId, 73_000_000n);
    expect(await world.chain.realOf(asked.memberId)).toBe(73_000_000n);
    await lose();
    expect(await isFrozen(asked.memberId)).toBe(true);
    await payoutRound(world.parts, world.memory);
    const row = await world.row(asked.id);
    expect(row).toMatchObject({ stage: "review", frozen: true });
    // It comes back as the same transaction, in another block.
    await bringBack(raw);
    expect(await isFrozen(asked.memberId)).toBe(false);
    expect(await incidents(asked.memberId)).toBe(0);
  });

  it("is reported again if it is lost a second time, however the first report ended", async () => {
    const memberId = (await world.chain.build.createMember()) as MemberId;
    const raw = await deposit(memberId, 74_000_000n);
    await lose();
    await world.chain.mine(3);
    await world.chain.watch();
    expect(await incidents(memberId)).toBe(1);
    await sql("UPDATE incidents SET closed_at = opened_at WHERE member_id = $1", [memberId]);
    await sql("UPDATE withdrawal_freezes SET lifted_at = 1 WHERE member_id = $1", [memberId]);
    // The deposit is still missing, and two operators have cleared the incident.
    await world.chain.watch();
    expect(await isFrozen(memberId)).toBe(false);
    expect(await incidents(memberId)).toBe(1);
    await bringBack(raw);
    await lose();
    expect(await isFrozen(memberId)).toBe(true);
    await world.chain.mine(3);
    await world.chain.watch();
    expect(await incidents(memberId)).toBe(2);
    expect(await isFrozen(memberId)).toBe(true);
    await world.chain.checkBooks();
  });
});

describe("a deposit below the minimum", () => {
  it("can be credited by finance only while it is on the chain", async () => {
    const { sessionId } = await world.newApprover();
    const memberId = (await world.chain.build.createMember()) as MemberId;
    const raw = await deposit(memberId, 2_000_000n);
    const [kept] = await world.chain.depositsOf(memberId);
    expect(kept?.stage).toBe("below_minimum");
    await lose();
    const credit = () =>
      sql("SELECT credit_below_minimum($1, $2, $3)", [sessionId, kept?.deposit_id, world.context.ids.next()]);
    await expect(credit()).rejects.toThrow("none below the minimum");
    expect(await world.chain.realOf(memberId)).toBe(0n);
    await bringBack(raw);
    await credit();
    expect(await world.chain.realOf(memberId)).toBe(2_000_000n);
    await world.chain.checkBooks();
  });
});
