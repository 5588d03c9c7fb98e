import { type ClientId, createIdSource, type MemberId, type MicroUsd, type Verdict } from "@fairtick/domain";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chainSettings } from "../chain/test-settings.ts";
import { checkInvariants } from "../ledger/index.ts";
import { createOrderWorld, type OrderWorld, usd } from "../orders/test-world.ts";
import { setFirstTradePassword } from "../sessions/testing.ts";
import { requestWithdrawal } from "./request-withdrawal.ts";
import type { SignerDoor } from "../signer/signer-door.ts";
import type { WithdrawalContext } from "./withdrawal-context.ts";

// Tests simultaneous orders and withdrawals from one balance.

const TOKEN = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const PASSWORD = "482915";
const ROUNDS = 30;
/** The numbers of requests. Withdrawals stay below the number of tries at the transaction password. */
const [ORDERS, WITHDRAWALS] = [60, 4];
const ORDER = usd(10.1);
const WITHDRAWAL = usd(60);
/** Stands in for the signer. Withdrawals need one, but these tests never call it. */
const signer = { state: () => Promise.reject(new Error("not asked here")) } as unknown as SignerDoor;

let world: OrderWorld;
let context: WithdrawalContext;
beforeAll(async () => {
  world = await createOrderWorld();
  const { clock, config } = world.context;
  const chains = [chainSettings("http://127.0.0.1:1", TOKEN, { explorer: "https://explorer.example/{hash}" })];
  context = {
    ...world.context,
    config: { ...config, chains },
    ids: createIdSource({ node: 903, clock }),
    signer,
  };
  await world.build.client.query(
    `INSERT INTO chain_instances (chain, evm_chain_id, genesis_hash, token, cursor_height, cursor_hash, head_height, read_at)
     VALUES ('test', 31337, '0x' || repeat('1', 64), $1, 9, '0x9', 9, $2)`,
    [TOKEN, clock.now()],
  );
});
afterAll(() => world.close());

const now = () => world.context.clock.now();

async function withdraw(memberId: MemberId, number: number): Promise<Verdict<unknown>> {
  const wish = {
    chain: "test",
    address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    amount: WITHDRAWAL,
    tradePassword: PASSWORD,
    clientId: `withdrawal-${memberId}-${number}` as ClientId,
  };
  return requestWithdrawal(context, memberId, wish, now());
}

it("never takes more than the balance by orders and withdrawals at once, and leaves less than either needs", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const funds = usd(211 + round);
    const memberId = (await world.build.createMember({ real: funds, region: "BR", tradePassword: false })) as MemberId;
    await setFirstTradePassword(context, memberId, PASSWORD, now());
    // Setting passwords takes a while, so the price comes afterwards to be fresh.
    await world.tick();
    const [orders, withdrawals] = await Promise.all([
      Promise.all(Array.from({ length: ORDERS }, () => world.place(memberId, { wallet: "real" }))),
      Promise.all(Array.from({ length: WITHDRAWALS }, (_, number) => withdraw(memberId, number))),
    ]);
    const count = (verdicts: readonly Verdict<unknown>[]) => verdicts.filter(({ ok }) => ok).length;
    const taken = BigInt(count(orders)) * ORDER + BigInt(count(withdrawals)) * WITHDRAWAL;
    const { rows } = await world.build.client.query<{ available: string; locked: string }>(
      "SELECT real_available AS available, real_locked AS locked FROM members_money WHERE member_id = $1",
      [memberId],
    );
    const available = BigInt(rows[0]!.available) as MicroUsd;
    expect(available).toBe(funds - taken);
    expect(BigInt(rows[0]!.locked)).toBe(taken);
    expect(available).toBeGreaterThanOrEqual(0n);
    expect(available).toBeLessThan(ORDER);
    const refusals = [...orders, ...withdrawals].flatMap((verdict) => (verdict.ok ? [] : [verdict.refusal.error]));
    for (const error of refusals) expect(["INSUFFICIENT_BALANCE", "WITHDRAWAL_TOO_LARGE"]).toContain(error);
    expect(refusals.length).toBeGreaterThan(0);
  }
  expect(await checkInvariants(world.context, 0n)).toEqual([]);
});
