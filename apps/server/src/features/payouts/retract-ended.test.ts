import { paymentStatement } from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cancelWithdrawal } from "../withdrawals/cancel-withdrawal.ts";
import { formatWithdrawNo, paymentOf } from "../withdrawals/withdrawal-view.ts";
import { type Approver, createPayoutWorld, type PayoutWorld, usd } from "./test-world.ts";

let world: PayoutWorld;
let one: Approver;
beforeAll(async () => {
  world = await createPayoutWorld();
  one = await world.newApprover();
});
afterAll(() => world.close());

const emptyWallet = () => ({ node: { ...world.parts.node, tokenBalance: () => Promise.resolve(0n) } });
const spent = async () => BigInt((await world.door.state()).spentToday);
const cancel = ({ memberId, id }: Awaited<ReturnType<PayoutWorld["ask"]>>) =>
  cancelWithdrawal(world.context, memberId, formatWithdrawNo(id));

describe("the signer", () => {
  it("is told that an approved withdrawal was canceled, and no longer counts or authorizes it", async () => {
    const before = await spent();
    const asked = await world.ask(300);
    await world.round(emptyWallet());
    expect((await spent()) - before).toBe(299_000_000n);
    const payment = paymentOf(await world.row(asked.id));
    expect(await cancel(asked)).toMatchObject({ ok: true });
    await world.round();
    expect(await spent()).toBe(before);
    expect(await world.door.authorize(payment, [])).toMatchObject({ ok: false, refusal: "ENDED" });
  });

  it("is told of a rejected withdrawal that someone approved, before it ever heard of it", async () => {
    const asked = await world.ask(6_000);
    await world.round();
    expect(await world.approve(one, asked.id)).toBe("review");
    const payment = paymentOf(await world.row(asked.id));
    const approval = { keyId: one.keyId, signature: await one.sign(paymentStatement(payment)) };
    await world.chain.context.databases.console.query("SELECT reject_withdrawal($1, $2, $3, 'not this one')", [
      one.sessionId,
      asked.id,
      world.context.ids.next(),
    ]);
    expect(await world.door.authorize(payment, [approval])).toMatchObject({ refusal: "NEEDS_APPROVALS" });
    await world.round();
    expect(await world.door.authorize(payment, [approval])).toMatchObject({ refusal: "ENDED" });
  });

  it("is told of it in a later round if it didn't answer", async () => {
    const before = await spent();
    const asked = await world.ask(20);
    await world.round(emptyWallet());
    expect(await cancel(asked)).toMatchObject({ ok: true });
    const retract = () => Promise.reject(new Error("no answer"));
    await expect(world.round({ signer: { ...world.door, retract } })).rejects.toThrow("no answer");
    expect(await spent()).toBe(before + usd(19));
    const told: string[] = [];
    const signer = {
      ...world.door,
      retract: (...args: Parameters<typeof world.door.retract>) => {
        told.push(args[0].id);
        return world.door.retract(...args);
      },
    };
    await world.round({ signer });
    await world.round({ signer });
    expect(told).toEqual([formatWithdrawNo(asked.id)]);
    expect(await spent()).toBe(before);
  });

  it("isn't told of withdrawals that nobody approved", async () => {
    const asked = await world.ask(700);
    await world.round();
    expect(await cancel(asked)).toMatchObject({ ok: true });
    const retract = () => Promise.reject(new Error("told"));
    await world.round({ signer: { ...world.door, retract } });
  });
});
