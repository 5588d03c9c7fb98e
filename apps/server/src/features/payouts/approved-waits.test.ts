import type { MemberId } from "@fairtick/domain";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cancelWithdrawal } from "../withdrawals/cancel-withdrawal.ts";
import { readWithdrawal } from "../withdrawals/list-withdrawals.ts";
import { formatWithdrawNo } from "../withdrawals/withdrawal-view.ts";
import { createPayoutWorld, type PayoutWorld, usd } from "./test-world.ts";

let world: PayoutWorld;
beforeAll(async () => {
  world = await createPayoutWorld();
});
afterAll(() => world.close());
// What an earlier test sent is confirmed, so that it takes nothing of the wallet's balance any more.
beforeEach(() => world.rounds(2));

const stage = async (id: bigint) => (await world.row(id)).stage;
const shown = async (memberId: MemberId, id: bigint) => {
  const found = await readWithdrawal(world.context, memberId, formatWithdrawNo(id));
  return found.ok ? found.value : found.refusal;
};
const cancel = (memberId: MemberId, id: bigint) => cancelWithdrawal(world.context, memberId, formatWithdrawNo(id));
/** The node of a wallet that has this much of the token. */
const nodeWith = (tokens: bigint) => ({ ...world.parts.node, tokenBalance: () => Promise.resolve(tokens) });

describe("an approved withdrawal that can't be sent yet", () => {
  it("says that the wallet is being filled, while it has too little of the token or of the chain's own coin", async () => {
    const { id, memberId } = await world.ask(46);
    await world.round({ node: nodeWith(0n) });
    expect(await shown(memberId, id)).toMatchObject({ stage: "approved", reason: "walletFilling", cancelable: true });
    await world.round({ node: { ...world.parts.node, balance: () => Promise.resolve(0n) } });
    expect(await shown(memberId, id)).toMatchObject({ stage: "approved", reason: "walletFilling" });
    await world.round();
    expect(await shown(memberId, id)).not.toHaveProperty("reason");
    expect(await stage(id)).toBe("broadcast");
  });

  it.each([
    ["DAY_LIMIT", "payoutLimit"],
    ["PAYMENT_LIMIT", "payoutRefused"],
  ])("says what the signer's refusal %s means", async (refusal, reason) => {
    const { id, memberId } = await world.ask(47);
    await world.round({ node: nodeWith(0n) });
    const authorize = () => Promise.resolve({ ok: false as const, refusal, detail: "too much" });
    await world.round({ signer: { ...world.door, authorize } });
    expect(await shown(memberId, id)).toMatchObject({ stage: "approved", reason, cancelable: true });
    await world.round();
    expect(await shown(memberId, id)).not.toHaveProperty("reason");
  });

  it("says while all payments of the wallet are stopped, and is announced when that changes", async () => {
    const { client } = world.chain.build;
    const announced: bigint[] = [];
    const stop = world.parts.bus.subscribe("withdrawals", ({ withdrawalIds }) => announced.push(...withdrawalIds));
    const [first, second] = [await world.ask(48), await world.ask(49)];
    // The signer finds the fee too low, so the payments keep their nonces and wait.
    const sign = () => Promise.resolve({ ok: false as const, refusal: "FEE", detail: "too low" });
    await world.round({ node: nodeWith(usd(48)), signer: { ...world.door, sign } });
    expect(await stage(first.id)).toBe("reserved");
    expect(await stage(second.id)).toBe("approved");
    await client.query("UPDATE payout_wallets SET stopped_at = 1, stop_reason = 'a test'");
    announced.length = 0;
    await world.round();
    expect(announced).toHaveLength(2);
    expect(new Set(announced)).toEqual(new Set([first.id, second.id]));
    expect(await shown(first.memberId, first.id)).toMatchObject({ reason: "payoutsStopped", cancelable: false });
    expect(await shown(second.memberId, second.id)).toMatchObject({ reason: "payoutsStopped", cancelable: true });
    announced.length = 0;
    await world.round();
    expect(announced).toEqual([]);
    await client.query("UPDATE payout_wallets SET stopped_at = NULL, stop_reason = NULL");
    await world.round();
    expect(await shown(first.memberId, first.id)).not.toHaveProperty("reason");
    expect(await stage(second.id)).toBe("broadcast");
    stop();
  });

  it("no longer says it once it went back to the operators", async () => {
    const { id, memberId } = await world.ask(50);
    await world.round({ node: nodeWith(0n) });
    const later = { ...world.parts.clock, now: () => (world.parts.clock.now() + 73n * 3_600_000n) as never };
    await world.round({ clock: later });
    expect(await stage(id)).toBe("review");
    expect(await shown(memberId, id)).not.toHaveProperty("reason");
    expect((await world.row(id)).payout_waits).toBe(null);
  });

  it("can be canceled, and isn't paid once the wallet is full again", async () => {
    const { id, memberId, address } = await world.ask(40);
    await world.round({ node: nodeWith(0n) });
    expect(await shown(memberId, id)).toMatchObject({ stage: "approved", cancelable: true });
    expect(await cancel(memberId, id)).toMatchObject({ ok: true, value: { state: "canceled" } });
    await world.rounds(3);
    expect(await stage(id)).toBe("canceled");
    expect(await world.tokensOf(address)).toBe(0n);
    expect(await world.chain.realOf(memberId)).toBe(usd(40));
    await world.chain.checkBooks();
  });

  it("calls nobody if it is canceled while the signer is asked", async () => {
    const { id, memberId } = await world.ask(39);
    await world.round({ node: nodeWith(0n) });
    const authorize = async () => {
      await cancel(memberId, id);
      return { ok: false as const, refusal: "ENDED", detail: "canceled" };
    };
    await world.round({ signer: { ...world.door, authorize } });
    expect(await stage(id)).toBe("canceled");
    const { rows } = await world.chain.build.client.query("SELECT subject FROM incidents WHERE member_id = $1", [
      memberId,
    ]);
    expect(rows).toEqual([]);
  });

  it("is either canceled or paid if both happen at once", async () => {
    for (let amount = 41; amount < 46; amount += 1) {
      const { id, memberId, address } = await world.ask(amount);
      await world.round({ node: nodeWith(0n) });
      const [, answer] = await Promise.all([world.round(), cancel(memberId, id)]);
      await world.rounds(3);
      expect(await stage(id)).toBe(answer.ok ? "canceled" : "confirmed");
      expect(await world.tokensOf(address)).toBe(answer.ok ? 0n : usd(amount - 1));
    }
    await world.chain.checkBooks();
  });
});
