import type { MemberId } from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cancelWithdrawal } from "../withdrawals/cancel-withdrawal.ts";
import { readWithdrawal } from "../withdrawals/list-withdrawals.ts";
import { formatWithdrawNo } from "../withdrawals/withdrawal-view.ts";
import { createPayoutWorld, type PayoutWorld, usd } from "./test-world.ts";

let world: PayoutWorld;
beforeAll(async () => {
  world = await createPayoutWorld();
});
afterAll(() => world.close());

const stage = async (id: bigint) => (await world.row(id)).stage;
const shown = async (memberId: MemberId, id: bigint) => {
  const found = await readWithdrawal(world.context, memberId, formatWithdrawNo(id));
  return found.ok ? found.value : found.refusal;
};
const cancel = (memberId: MemberId, id: bigint) => cancelWithdrawal(world.context, memberId, formatWithdrawNo(id));
/** The node of a wallet that has this much of the token. */
const nodeWith = (tokens: bigint) => ({ ...world.parts.node, tokenBalance: () => Promise.resolve(tokens) });

describe("an approved withdrawal that can't be sent yet", () => {
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
