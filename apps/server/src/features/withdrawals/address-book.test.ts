/** Tests the waiting time of new addresses and a member's own freeze. */
import type { ClientId, MemberId } from "@fairtick/domain";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { hashRecoveryCode } from "../second-factor/factor-rows.ts";
import { setFirstTradePassword } from "../sessions/testing.ts";
import { addAddress, listAddresses, removeAddress } from "./address-book.ts";
import { cancelWithdrawal } from "./cancel-withdrawal.ts";
import { checkRecipient } from "./judge-recipient.ts";
import { listMethods, showQuote } from "./list-methods.ts";
import { readWithdrawal } from "./list-withdrawals.ts";
import { requestWithdrawal } from "./request-withdrawal.ts";
import { createPayoutWorld, type PayoutWorld, usd } from "../payouts/test-world.ts";
import type { WithdrawalContext } from "./withdrawal-context.ts";
import { formatWithdrawNo, parseWithdrawNo } from "./withdrawal-view.ts";

const HOUR_MS = 3_600_000;
const PIN = "482915";
let world: PayoutWorld;
let context: WithdrawalContext;
let member: MemberId;
let made = 0;
beforeAll(async () => {
  world = await createPayoutWorld();
  context = { ...world.context, config: { ...world.context.config, withdrawalAddressHours: 24 } };
}, 120_000);
afterAll(() => world.close());
const now = () => systemClock.now();
const newMember = async () => {
  const memberId = (await world.chain.build.createMember({ real: usd(500), tradePassword: false })) as MemberId;
  const set = await setFirstTradePassword(context, memberId, PIN, now());
  if (!set.ok) throw new Error(set.refusal.error);
  return memberId;
};
beforeEach(async () => {
  member = await newMember();
});
afterEach(() => setClock(0));

/** Moves the clock that the database uses for withdrawals. */
async function setClock(aheadMs: number) {
  await world.chain.build.client.query(
    `CREATE OR REPLACE FUNCTION withdrawal_now() RETURNS bigint LANGUAGE sql VOLATILE AS $$
       SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${aheadMs} $$`,
  );
}
const own = () => ({ memberId: member, sessionId: member as bigint, now: now() });
const newAddress = () => `0x${String((made += 1)).padStart(40, "b")}` as const;
async function ask(address: string, amount = 100, as: WithdrawalContext = context) {
  made += 1;
  const wish = {
    chain: "test",
    address,
    amount: usd(amount),
    tradePassword: PIN,
    clientId: `book-${made}` as ClientId,
  };
  const asked = await requestWithdrawal(as, member, wish, now());
  if (!asked.ok) throw new Error(asked.refusal.error);
  return { id: parseWithdrawNo(asked.value.withdrawNo) ?? 0n, shown: asked.value };
}
const stageOf = async (id: bigint) => (await world.row(id)).stage;
const shown = async (id: bigint) => {
  const read = await readWithdrawal(context, member, formatWithdrawNo(id));
  if (!read.ok) throw new Error(read.refusal.error);
  return read.value;
};
const checked = async (address: string, who = member) => {
  const found = await checkRecipient(context, who, { chain: "test", address });
  if (!found.ok) throw new Error(found.refusal.error);
  return found.value;
};
const setStage = (id: bigint, stage: string) =>
  world.chain.context.databases.payout.query("UPDATE withdrawals SET stage = $2 WHERE withdrawal_id = $1", [id, stage]);
const tellsOf = async (key: string) =>
  (
    await world.chain.build.client.query("SELECT 1 FROM member_messages WHERE member_id = $1 AND message_key = $2", [
      member,
      key,
    ])
  ).rows.length;

describe("a withdrawal to a new address", () => {
  it("is accepted and held, but not paid for 24 hours", async () => {
    const address = newAddress();
    const { id, shown: asked } = await ask(address);
    expect(asked).toMatchObject({ state: "processing", reason: "newAddress", cancelable: true });
    expect(asked.paysFrom).toBeGreaterThan(Number(now()) + 23.9 * HOUR_MS);
    await world.rounds(3);
    expect(await stageOf(id)).toBe("requested");
    await setClock(23 * HOUR_MS);
    await world.rounds(2);
    expect(await stageOf(id)).toBe("requested");
    expect(await world.tokensOf(address)).toBe(0n);
    await setClock(24 * HOUR_MS + 1_000);
    await world.rounds(4);
    expect(await stageOf(id)).toBe("confirmed");
    expect(await shown(id)).not.toHaveProperty("paysFrom");

    const { id: second } = await ask(address, 50);
    await world.rounds(4);
    expect(await stageOf(second)).toBe("confirmed");
  });

  it("can't be approved early by a program or an operator, and keeps its date", async () => {
    const { id } = await ask(newAddress());
    await expect(setStage(id, "approved")).rejects.toThrow(/waits for its address/);
    await setStage(id, "review");
    const person = await world.newApprover();
    await expect(world.approve(person, id)).rejects.toThrow(/waits for its address/);
    const earlier = (change: string, values: unknown[] = []) => world.chain.build.client.query(change, values);
    await expect(earlier("UPDATE withdrawals SET pays_from = 0 WHERE withdrawal_id = $1", [id])).rejects.toThrow(
      /stays/,
    );
    await expect(earlier("UPDATE withdrawal_addresses SET usable_at = added_at")).rejects.toThrow(/stays/);
    await expect(world.chain.build.client.query("DELETE FROM withdrawal_addresses")).rejects.toThrow(/not deleted/);
    await setClock(24 * HOUR_MS + 1_000);
    expect(await world.approve(person, id)).toBe("approved");
  });

  it("returns the held amount at once if its member cancels it", async () => {
    const { id } = await ask(newAddress());
    expect((await cancelWithdrawal(context, member, formatWithdrawNo(id))).ok).toBe(true);
    expect(await stageOf(id)).toBe("canceled");
  });

  it("shows the longer wait beforehand, in the address check and in the quote", async () => {
    const address = newAddress();
    const before = await checked(address);
    expect(before).toEqual({ known: false, usableAt: expect.any(Number), asksFactor: false });
    const quote = async () => {
      const found = await showQuote(context, member, { chain: "test", amount: usd(100), address });
      if (!found.ok) throw new Error(found.refusal.error);
      return found.value.paysFrom;
    };
    expect(Math.abs(((await quote()) ?? 0) - (before.usableAt ?? 0))).toBeLessThan(60_000);
    await world.chain.build.client.query("SELECT begin_withdrawal_rest($1, 'login', 48)", [member]);
    expect(await quote()).toBeGreaterThan(Number(now()) + 47 * HOUR_MS);
    const methods = await listMethods(context, member, now());
    expect(methods.ok && methods.value[0]?.addressHours).toBe(24);
  });
});

describe("the address book", () => {
  it("adds an address with a name, warns of it once, and counts its wait from then", async () => {
    const address = newAddress();
    const told = world.chain.context.posted.length;
    const wish = { chain: "test", address, label: " Ledger " };
    const added = await addAddress(context, own(), wish);
    expect(added).toMatchObject({ ok: true, value: { label: "Ledger", chain: "test", usableAt: expect.any(Number) } });
    const again = await addAddress(context, own(), { ...wish, label: "Cold wallet" });
    expect(again).toMatchObject({ value: { addressId: added.ok && added.value.addressId, label: "Cold wallet" } });
    expect(await tellsOf("withdrawalAddressAdded")).toBe(1);
    expect(world.chain.context.posted.length).toBeGreaterThan(told);
    await setClock(24 * HOUR_MS + 1_000);
    expect(await listAddresses(context, member)).toMatchObject([{ label: "Cold wallet", usableAt: null }]);
    const { id } = await ask(address);
    await world.rounds(4);
    expect(await stageOf(id)).toBe("confirmed");
  });

  it("restarts the wait for an address that was removed and added again", async () => {
    const address = newAddress();
    const added = await addAddress(context, own(), { chain: "test", address });
    if (!added.ok) throw new Error(added.refusal.error);
    await setClock(25 * HOUR_MS);
    expect((await checked(address)).usableAt).toBeNull();
    for (let time = 0; time < 2; time += 1)
      expect((await removeAddress(context, member, added.value.addressId)).ok).toBe(true);
    expect(await listAddresses(context, member)).toEqual([]);
    const { shown: asked } = await ask(address);
    expect(asked).toMatchObject({ reason: "newAddress" });
    expect(asked.paysFrom).toBeGreaterThan(Number(now()) + 48 * HOUR_MS);
  });

  it("belongs to one member", async () => {
    const address = newAddress();
    const added = await addAddress(context, own(), { chain: "test", address });
    if (!added.ok) throw new Error(added.refusal.error);
    const stranger = await newMember();
    expect(await listAddresses(context, stranger)).toEqual([]);
    expect(await checked(address, stranger)).toMatchObject({ known: false });
    expect(await removeAddress(context, stranger, added.value.addressId)).toMatchObject({
      refusal: { error: "NOT_FOUND" },
    });
    expect(await listAddresses(context, member)).toHaveLength(1);
  });

  it("refuses addresses that no withdrawal may go to", async () => {
    for (const [chain, address, error] of [
      ["nowhere", newAddress(), "CHAIN_UNKNOWN"],
      ["test", "0x12", "ADDRESS_INVALID"],
      ["test", world.chain.tokens.noReturn, "ADDRESS_IS_OURS"],
    ] as const)
      expect(await addAddress(context, own(), { chain, address })).toMatchObject({ refusal: { error } });
  });

  it("adds no wait if the house has none, as a sandbox may", async () => {
    const { id, shown: asked } = await ask(newAddress(), 100, world.context);
    expect(asked).not.toHaveProperty("paysFrom");
    await world.rounds(4);
    expect(await stageOf(id)).toBe("confirmed");
  });
});

describe("a member with a second factor", () => {
  const CODES = ["abcde-fghjk", "bcdef-ghjkm", "cdefg-hjkmn"];
  /** Gives the member an authenticator app that was set up this many hours ago, and recovery codes. */
  async function addFactor(hoursAgo: number) {
    const { config } = context;
    const at = now() - BigInt(hoursAgo * HOUR_MS);
    await world.chain.build.client.query(
      "INSERT INTO member_totp (member_id, sealed_secret, used_step, made_at) VALUES ($1, '\\x00', 0, $2)",
      [member, at],
    );
    for (const code of CODES)
      await world.chain.build.client.query("INSERT INTO member_recovery_codes VALUES ($1, $2, $3)", [
        member,
        hashRecoveryCode(code, config.secret, member),
        at,
      ]);
  }
  const wishFor = (address: string, secondFactor?: string) => {
    made += 1;
    const clientId = `book-${made}` as ClientId;
    return { chain: "test", address, amount: usd(100), tradePassword: PIN, clientId, secondFactor };
  };

  it("is asked for it for a new address, which is paid at once, but not again for a known one", async () => {
    await addFactor(25);
    const address = newAddress();
    expect(await checked(address)).toEqual({ known: false, usableAt: null, asksFactor: true });
    for (const [given, error] of [
      [undefined, "SECOND_FACTOR_REQUIRED"],
      ["zzzzz-zzzzz", "SECOND_FACTOR_WRONG"],
    ] as const)
      expect(await requestWithdrawal(context, member, wishFor(address, given), now(), 7n)).toMatchObject({
        refusal: { error },
      });
    expect(await listAddresses(context, member)).toEqual([]);
    const asked = await requestWithdrawal(context, member, wishFor(address, CODES[0]), now(), 7n);
    if (!asked.ok) throw new Error(asked.refusal.error);
    expect(asked.value).not.toHaveProperty("paysFrom");
    await world.rounds(4);
    expect(await stageOf(parseWithdrawNo(asked.value.withdrawNo) ?? 0n)).toBe("confirmed");
    expect(await checked(address)).toEqual({ known: true, usableAt: null, asksFactor: false });
    expect((await requestWithdrawal(context, member, wishFor(address), now(), 7n)).ok).toBe(true);
    // A used code isn't accepted again.
    expect(
      await addAddress(context, own(), { chain: "test", address: newAddress(), secondFactor: CODES[0] }),
    ).toMatchObject({
      refusal: { error: "SECOND_FACTOR_WRONG" },
    });
    expect(
      await addAddress(context, own(), { chain: "test", address: newAddress(), secondFactor: CODES[1] }),
    ).toMatchObject({
      value: { usableAt: null },
    });
  });

  it("waits anyway if the factor is newer than the waiting time, since a thief could have added it", async () => {
    await addFactor(1);
    const address = newAddress();
    const asked = await requestWithdrawal(context, member, wishFor(address, CODES[0]), now(), 7n);
    expect(asked).toMatchObject({ ok: true, value: { reason: "newAddress" } });
  });
});

describe("a member who has frozen withdrawals", () => {
  const freeze = () => world.chain.build.client.query("SELECT begin_member_freeze($1, 'link')", [member]);

  it("is paid nothing until the freeze is lifted and the rest after it is over", async () => {
    const { id } = await ask(newAddress(), 100, world.context);
    await freeze();
    await world.rounds(3);
    expect(await stageOf(id)).toBe("requested");
    expect(await shown(id)).toMatchObject({ reason: "memberFrozen", cancelable: true });
    await expect(setStage(id, "approved")).rejects.toThrow(/frozen/);
    const methods = await listMethods(context, member, now());
    expect(methods.ok && methods.value[0]?.frozenSince).toBeGreaterThan(0);

    await world.chain.build.client.query("SELECT lift_own_freeze($1), begin_withdrawal_rest($1, 'freeze', 24)", [
      member,
    ]);
    await world.rounds(2);
    expect(await shown(id)).toMatchObject({ stage: "requested", reason: "resting" });
    await setClock(24 * HOUR_MS + 1_000);
    await world.rounds(4);
    expect(await stageOf(id)).toBe("confirmed");
  });

  it("gets no nonce for a withdrawal that was approved before", async () => {
    const { id } = await ask(newAddress(), 100, world.context);
    await setStage(id, "approved");
    await freeze();
    await world.rounds(3);
    expect(await stageOf(id)).toBe("approved");
  });
});
