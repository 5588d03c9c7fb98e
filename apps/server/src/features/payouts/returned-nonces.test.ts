import { paymentStatement } from "@fairtick/domain";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { payoutRound } from "./payout-round.ts";
import type { SignerDoor } from "../signer/signer-door.ts";
import { type Approver, createPayoutWorld, type PayoutWorld, usd } from "./test-world.ts";
import { formatWithdrawNo, paymentOf } from "../withdrawals/withdrawal-view.ts";

let world: PayoutWorld;
let one: Approver;
beforeAll(async () => {
  world = await createPayoutWorld();
  one = await world.newApprover();
});
afterAll(() => world.close());
beforeEach(() => world.memory.sentAt.clear());

const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.chain.build.client.query<Row>(text, values)).rows;
const stage = async (id: bigint) => (await world.row(id)).stage;
const nextNonce = async () =>
  Number((await sql<{ next_nonce: string }>("SELECT next_nonce FROM payout_wallets"))[0]?.next_nonce ?? 0);
const nonceOf = async (id: bigint) =>
  (await sql<{ nonce: string }>("SELECT nonce FROM payout_nonces WHERE withdrawal_id = $1", [id])).map(({ nonce }) =>
    Number(nonce),
  );
const doorThat = (change: Partial<SignerDoor>): { signer: SignerDoor } => ({ signer: { ...world.door, ...change } });
/** A signer that doesn't answer: approved payments get a nonce but no signature. */
const silent = () => doorThat({ sign: () => Promise.reject(new Error("no answer")) });

async function reserved(...amounts: number[]) {
  const asked = [];
  for (const amount of amounts) asked.push(await world.ask(amount));
  await expect(world.round(silent())).rejects.toThrow("no answer");
  for (const { id } of asked) expect(await stage(id)).toBe("reserved");
  return asked;
}
async function freeze(memberId: bigint) {
  const [row] = await sql<{ incident_id: string }>(
    "INSERT INTO incidents (kind, subject, member_id, detail, opened_at) VALUES ('credited_reorg', $1::text, $1::bigint, '{}', 0) RETURNING incident_id",
    [memberId],
  );
  await sql("INSERT INTO withdrawal_freezes (member_id, incident_id, frozen_at) VALUES ($1, $2, 0)", [
    memberId,
    row?.incident_id,
  ]);
}
const lift = (memberId: bigint) => sql("UPDATE withdrawal_freezes SET lifted_at = 1 WHERE member_id = $1", [memberId]);

describe("a debt that arises after the nonce was assigned", () => {
  it("holds the payment too, shows its member the reason, and lets it continue once nothing is owed", async () => {
    const [asked] = await reserved(23);
    await sql("UPDATE members_money SET real_debt = 1 WHERE member_id = $1 AND real_available = 0", [asked!.memberId]);
    const [owes] = await sql("SELECT real_debt FROM members_money WHERE member_id = $1", [asked!.memberId]);
    expect(owes).toEqual({ real_debt: "1" });
    await world.rounds(2);
    expect(await stage(asked!.id)).toBe("review");
    expect(await nonceOf(asked!.id)).toEqual([]);
    expect(await world.row(asked!.id)).toMatchObject({ frozen: true, waits_for: "owed" });
    await expect(world.approve(one, asked!.id)).rejects.toThrow("frozen");
    await sql("UPDATE members_money SET real_debt = 0 WHERE member_id = $1", [asked!.memberId]);
    expect(await world.approve(one, asked!.id)).toBe("approved");
    await world.rounds(4);
    expect(await stage(asked!.id)).toBe("confirmed");
  });
});

describe("an approval that no longer counts when the nonce is assigned", () => {
  it("takes the payment back before its first signature, and operators are asked again", async () => {
    const gone = await world.newApprover(one);
    const asked = await world.ask(700);
    await world.round();
    await world.approve(gone, asked.id);
    await expect(world.round(silent())).rejects.toThrow("no answer");
    expect(await stage(asked.id)).toBe("reserved");
    await sql(
      "DELETE FROM operator_roles WHERE operator_id = (SELECT operator_id FROM operator_keys WHERE key_id = $1)",
      [gone.keyId],
    );
    await world.rounds(2);
    expect(await stage(asked.id)).toBe("review");
    expect(await nonceOf(asked.id)).toEqual([]);
    expect(await world.row(asked.id)).toMatchObject({ agreed: 0n, given: 0n });
    expect(await world.approve(one, asked.id)).toBe("approved");
    await world.rounds(4);
    expect(await stage(asked.id)).toBe("confirmed");
  });

  it("makes operators decide again before a nonce is assigned, too", async () => {
    const gone = await world.newApprover(one);
    const asked = await world.ask(701);
    await world.round();
    expect(await world.approve(gone, asked.id)).toBe("approved");
    await sql(
      "DELETE FROM operator_roles WHERE operator_id = (SELECT operator_id FROM operator_keys WHERE key_id = $1)",
      [gone.keyId],
    );
    await world.rounds(2);
    expect(await stage(asked.id)).toBe("review");
    expect(await world.tokensOf(asked.address)).toBe(0n);
  });
});

describe("a freeze that comes after the nonce was assigned", () => {
  it("takes the payment back before its first signature, and those behind it get new nonces", async () => {
    const [first, second] = await reserved(21, 22);
    const nonce = await nonceOf(first!.id);
    await freeze(first!.memberId);
    await world.rounds(4);
    expect(await stage(first!.id)).toBe("review");
    expect(await nonceOf(first!.id)).toEqual([]);
    expect(await stage(second!.id)).toBe("confirmed");
    expect(await nonceOf(second!.id)).toEqual(nonce);
    expect(await world.tokensOf(first!.address)).toBe(0n);
    // The signer refuses it as well, whatever it is asked.
    const row = await world.row(first!.id);
    const wish = { nonce: 90n, attempt: 1, maxFee: 10n ** 10n, priorityFee: 1n };
    expect(await world.door.sign(paymentOf(row), wish)).toMatchObject({ ok: false });
    await lift(first!.memberId);
    expect(await world.approve(one, first!.id)).toBe("approved");
    await world.rounds(3);
    expect(await stage(first!.id)).toBe("confirmed");
    expect(await world.tokensOf(first!.address)).toBe(20_000_000n);
    await world.chain.checkBooks();
  });

  it("doesn't stop a payment that the signer has signed, since its bytes may be known", async () => {
    const asked = await world.ask(23);
    const sign: SignerDoor["sign"] = async (payment, wish) => {
      await world.door.sign(payment, wish);
      throw new Error("no answer");
    };
    await expect(world.round(doorThat({ sign }))).rejects.toThrow("no answer");
    expect(await stage(asked.id)).toBe("reserved");
    const nonce = await nonceOf(asked.id);
    await freeze(asked.memberId);
    await world.rounds(3);
    expect(await stage(asked.id)).toBe("confirmed");
    expect(await nonceOf(asked.id)).toEqual(nonce);
    expect(await world.tokensOf(asked.address)).toBe(22_000_000n);
  });

  it("doesn't stop a signed payment that no node knows yet", async () => {
    const asked = await world.ask(24);
    const send = () => Promise.reject(new Error("no answer"));
    await payoutRound({ ...world.parts, node: { ...world.parts.node, send } }, world.memory);
    expect(await stage(asked.id)).toBe("signed");
    await freeze(asked.memberId);
    await world.rounds(3);
    expect(await stage(asked.id)).toBe("confirmed");
  });
});

describe("a payment that the signer won't sign", () => {
  it("goes back to the operators, who may reject it, and holds up no other payment", async () => {
    const [first, second] = await reserved(31, 32);
    const id = formatWithdrawNo(first!.id);
    const sign: SignerDoor["sign"] = async (payment, wish) =>
      payment.id === id
        ? { ok: false, refusal: "NOT_ALLOWED", detail: "not on the list" }
        : world.door.sign(payment, wish);
    for (let round = 0; round < 4; round += 1) await world.round(doorThat({ sign }));
    expect(await stage(first!.id)).toBe("review");
    expect(await stage(second!.id)).toBe("confirmed");
    await sql("SELECT reject_withdrawal($1, $2, $3, 'cannot be paid')", [
      one.sessionId,
      first!.id,
      world.context.ids.next(),
    ]);
    const money = await sql("SELECT real_available::text AS available FROM members_money WHERE member_id = $1", [
      first!.memberId,
    ]);
    expect(money).toEqual([{ available: String(usd(31)) }]);
    await world.chain.checkBooks();
  });

  it("sends a frozen payment behind it back to the operators, who approve it from the beginning", async () => {
    const first = await world.ask(37);
    const second = await world.ask(600);
    await expect(world.round(silent())).rejects.toThrow("no answer");
    expect(await stage(second.id)).toBe("review");
    expect(await world.approve(one, second.id)).toBe("approved");
    await expect(world.round(silent())).rejects.toThrow("no answer");
    expect([await stage(first.id), await stage(second.id)]).toEqual(["reserved", "reserved"]);
    await freeze(second.memberId);
    const sign: SignerDoor["sign"] = () => Promise.resolve({ ok: false, refusal: "NOT_ALLOWED", detail: "not now" });
    await world.round(doorThat({ sign }));
    expect([await stage(first.id), await stage(second.id)]).toEqual(["review", "review"]);
    await lift(second.memberId);
    expect(await world.approve(one, second.id)).toBe("approved");
    expect(await world.approve(one, first.id)).toBe("approved");
    await world.rounds(3);
    expect([await stage(first.id), await stage(second.id)]).toEqual(["confirmed", "confirmed"]);
  });

  it("is reported, and members get answers, while only one connection of the paying pool is free", async () => {
    const { payout } = world.context.databases;
    const taken = [];
    for (let count = 1; count < (payout.pool.options.max ?? 0); count += 1) taken.push(await payout.connection());
    try {
      const asked = await world.ask(38);
      const sign: SignerDoor["sign"] = () =>
        Promise.resolve({ ok: false, refusal: "DAY_LIMIT", detail: "the day's sum is used up" });
      await world.round(doorThat({ sign }));
      expect(await stage(asked.id)).toBe("review");
      const subject = `${formatWithdrawNo(asked.id)} DAY_LIMIT`;
      expect(
        await sql("SELECT 1 FROM incidents WHERE kind = 'payout_refused' AND subject = $1", [subject]),
      ).toHaveLength(1);
      await payout.transaction(async () => {
        // Nothing can be paid meanwhile, but members can still request withdrawals.
        expect(await stage((await world.ask(39)).id)).toBe("requested");
      });
    } finally {
      for (const connection of taken) connection.release();
    }
    await world.rounds(3);
  });

  it("keeps its nonce if the refusal is temporary, and so do the payments behind it", async () => {
    const [first, second] = await reserved(33, 34);
    const nonces = [await nonceOf(first!.id), await nonceOf(second!.id)];
    const sign: SignerDoor["sign"] = () => Promise.resolve({ ok: false, refusal: "FEE", detail: "too dear" });
    await world.round(doorThat({ sign }));
    expect([await stage(first!.id), await stage(second!.id)]).toEqual(["reserved", "reserved"]);
    await world.rounds(3);
    expect([await stage(first!.id), await stage(second!.id)]).toEqual(["confirmed", "confirmed"]);
    expect([await nonceOf(first!.id), await nonceOf(second!.id)]).toEqual(nonces);
  });

  it("stops the wallet if the signer's journal has another payment for its nonce, and no payment gets that nonce", async () => {
    const [before] = await reserved(35);
    const nonce = (await nonceOf(before!.id))[0]!;
    // Act as after a restore of an older backup: the signer knows of a payment that the tables don't have.
    const forgotten = { ...paymentOf(await world.row(before!.id)), id: "wdr_forgotten" };
    const approval = { keyId: one.keyId, signature: await one.sign(paymentStatement(forgotten)) };
    expect((await world.door.authorize(forgotten, [approval])).ok).toBe(true);
    const wish = { nonce: BigInt(nonce), attempt: 1, maxFee: 10n ** 10n, priorityFee: 10n ** 9n };
    const signed = await world.door.sign(forgotten, wish);
    if (!signed.ok) throw new Error(signed.detail);
    await world.round();
    expect(await stage(before!.id)).toBe("review");
    expect(await nextNonce()).toBe(nonce + 1);
    const stopped = "SELECT stop_reason FROM payout_wallets WHERE stopped_at IS NOT NULL";
    expect(await sql(stopped)).toHaveLength(1);
    // An operator sends what the signer has, and lets the wallet continue.
    await world.parts.node.send(signed.value.raw);
    await world.chain.mine();
    await sql("UPDATE payout_wallets SET stopped_at = NULL");
    expect(await world.approve(one, before!.id)).toBe("approved");
    await world.rounds(3);
    expect(await stage(before!.id)).toBe("confirmed");
    expect(await nonceOf(before!.id)).toEqual([nonce + 1]);
  });
});

describe("the tables", () => {
  it("never take back a nonce that something was signed with", async () => {
    const asked = await world.ask(36);
    await world.round();
    const { payout } = world.context.databases;
    expect(await payout.query("SELECT * FROM return_nonces($1, false)", [asked.id])).toEqual([]);
    await expect(sql("DELETE FROM payout_nonces WHERE withdrawal_id = $1", [asked.id])).rejects.toThrow("stays");
    await expect(sql("UPDATE payout_nonces SET nonce = 99 WHERE withdrawal_id = $1", [asked.id])).rejects.toThrow(
      "stays",
    );
    await world.rounds(3);
    expect(await stage(asked.id)).toBe("confirmed");
  });
});
