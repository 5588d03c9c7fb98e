/** Tests what someone who can only read a member's mail can take, and which withdrawals pause after a reset. */
import type { ClientId, MemberId } from "@fairtick/domain";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMailer } from "../../platform/mail.ts";
import { systemClock } from "../../platform/clock.ts";
import { createMessenger } from "../../platform/messenger.ts";
import { createSmsSender } from "../../platform/sms.ts";
import { startInbox } from "../inbox/index.ts";
import { changeLoginPassword, resetPassword } from "../sessions/change-login-password.ts";
import { hashPassword } from "../sessions/passwords.ts";
import { sendCode } from "../sessions/send-code.ts";
import { resetTradePassword, setTradePassword } from "../sessions/trade-password.ts";
import type { SessionContext } from "../sessions/session-context.ts";
import { cancelWithdrawal } from "./cancel-withdrawal.ts";
import { listMethods, showQuote } from "./list-methods.ts";
import { readWithdrawal } from "./list-withdrawals.ts";
import { requestWithdrawal } from "./request-withdrawal.ts";
import { createPayoutWorld, type PayoutWorld, usd } from "../payouts/test-world.ts";
import { formatWithdrawNo, parseWithdrawNo } from "./withdrawal-view.ts";

const HOUR_MS = 3_600_000;
const OWNERS = "a quiet harbour at noon";
const THIEFS = "nobody else knows this one";
const twice = (password: string) => ({ password, confirmPassword: password });
const now = () => systemClock.now();

let world: PayoutWorld;
let sessions: SessionContext;
let inbox: Awaited<ReturnType<typeof startInbox>>;
let mailer: ReturnType<typeof createMailer>;
let member: MemberId;
let email: string;
let made = 0;

beforeAll(async () => {
  world = await createPayoutWorld();
  inbox = await startInbox(systemClock);
  mailer = createMailer(inbox.mailUrl, "Fairtick <no-reply@fairtick.example>");
  const base = world.chain.context;
  const messenger = createMessenger({ mailer, sms: createSmsSender(inbox.smsUrl, "Fairtick"), log: base.log });
  sessions = { ...base, clock: systemClock, ids: world.context.ids, messenger };
}, 120_000);
afterAll(async () => {
  await sessions.messenger.drained();
  mailer.close();
  await inbox.close();
  await world.close();
});

beforeEach(async () => {
  made += 1;
  email = `owner-${made}@reset.example`;
  member = (await world.chain.build.createMember({ real: usd(500), tradePassword: false })) as MemberId;
  await world.chain.build.client.query(
    "UPDATE members SET email = $2, phone = $3, password_hash = $4 WHERE member_id = $1",
    [member, email, `+5511900000${100 + made}`, await hashPassword(OWNERS)],
  );
  const set = await setTradePassword(sessions, { ...twice("482915"), loginPassword: OWNERS }, by());
  if (!set.ok) throw new Error(set.refusal.error);
});
afterEach(() => setClock(0));

const by = () => ({ memberId: member, sessionId: 90_000n + BigInt(made), now: now() });
const visitor = () => ({ ip: "203.0.113.7", lang: "en" as const, userAgent: "Mozilla/5.0", now: now() });

/** Moves the clock that the database uses for withdrawals. */
async function setClock(aheadMs: number) {
  await world.chain.build.client.query(
    `CREATE OR REPLACE FUNCTION withdrawal_now() RETURNS bigint LANGUAGE sql VOLATILE AS $$
       SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${aheadMs} $$`,
  );
}
async function mailedCode(purpose: "reset" | "tradePassword") {
  // Wait until the message about the last reset has arrived, so that the next mail is the code.
  await sessions.messenger.drained();
  const sent = await sendCode(sessions, { channel: "email", to: email, purpose }, visitor());
  expect(sent.ok).toBe(true);
  await sessions.messenger.drained();
  return inbox.messages(email).find(({ code }) => code !== undefined)?.code ?? "";
}
async function resetLogin(password = THIEFS) {
  const code = await mailedCode("reset");
  const done = await resetPassword(sessions, twice(password), { address: email, code, ...visitor() });
  expect(done.ok).toBe(true);
}
async function resetTransaction(loginPassword = THIEFS) {
  const code = await mailedCode("tradePassword");
  const reset = { channel: "email", code, loginPassword, ...twice("804271") } as const;
  expect((await resetTradePassword(sessions, reset, { ...by(), ip: "203.0.113.7" })).ok).toBe(true);
}
async function ask(tradePassword: string, amount = 100) {
  made += 1;
  const address = `0x${String(made).padStart(40, "a")}` as const;
  const wish = {
    chain: "test",
    address,
    amount: usd(amount),
    tradePassword,
    clientId: `reset-${made}-${process.pid}` as ClientId,
  };
  const asked = await requestWithdrawal(world.context, member, wish, now());
  if (!asked.ok) throw new Error(asked.refusal.error);
  return { id: parseWithdrawNo(asked.value.withdrawNo) ?? 0n, address, shown: asked.value };
}
const stageOf = async (id: bigint) => (await world.row(id)).stage;
const shown = async (id: bigint) => {
  const read = await readWithdrawal(world.context, member, formatWithdrawNo(id));
  if (!read.ok) throw new Error(read.refusal.error);
  return read.value;
};

describe("someone with only the mailbox", () => {
  it("can reset both passwords and request a withdrawal, but is paid nothing for 24 hours", async () => {
    await resetLogin();
    await resetTransaction();
    const { id, address, shown: asked } = await ask("804271");
    await world.rounds(4);
    expect(await world.tokensOf(address)).toBe(0n);
    const until = asked.restsUntil ?? 0;
    expect(until).toBeGreaterThan(Number(now()) + 23.9 * HOUR_MS);
    expect(await shown(id)).toMatchObject({
      state: "processing",
      reason: "resting",
      restsUntil: until,
      cancelable: true,
    });

    await setClock(23 * HOUR_MS);
    await world.rounds(2);
    expect(await stageOf(id)).toBe("requested");
    await setClock(24 * HOUR_MS + 1_000);
    await world.rounds(4);
    expect(await stageOf(id)).toBe("confirmed");
  });

  it.each(["login", "transaction"] as const)("has to wait after a reset of only the %s password", async (which) => {
    await (which === "login" ? resetLogin() : resetTransaction(OWNERS));
    const { id } = await ask(which === "login" ? "482915" : "804271");
    await world.rounds(3);
    expect(await stageOf(id)).toBe("requested");
    // The held amount returns at once if the owner cancels the withdrawal.
    expect((await cancelWithdrawal(world.context, member, formatWithdrawNo(id))).ok).toBe(true);
    expect(await stageOf(id)).toBe("canceled");
  });

  it("is told of the wait beforehand, as is an owner who forgot their password", async () => {
    const quote = { chain: "test", amount: usd(100) };
    expect(await showQuote(world.context, member, quote)).toMatchObject({ value: { restsUntil: null } });
    await resetLogin();
    const methods = await listMethods(world.context, member, now());
    const until = methods.ok ? (methods.value[0]?.restsUntil ?? 0) : 0;
    expect(until).toBeGreaterThan(Number(now()) + 23.9 * HOUR_MS);
    expect(await showQuote(world.context, member, quote)).toMatchObject({ value: { restsUntil: until } });
    await sessions.messenger.drained();
    const phone = `+5511900000${String(100 + Number(email.match(/\d+/)?.[0]))}`;
    for (const to of [email, phone])
      expect(inbox.messages(to).map(({ text }) => text)).toContainEqual(expect.stringMatching(/ithdrawals wait until/));
    const told = await world.chain.build.client.query(
      "SELECT params FROM member_messages WHERE member_id = $1 AND message_key = 'withdrawalsRest'",
      [member],
    );
    expect(told.rows).toEqual([{ params: { until: new Date(until).toISOString() } }]);
  });
});

describe("withdrawals requested before a reset", () => {
  it("get no nonce even if they were already approved, and are paid once the rest is over", async () => {
    const { id } = await ask("482915");
    await world.chain.context.databases.payout.query(
      "UPDATE withdrawals SET stage = 'approved' WHERE withdrawal_id = $1",
      [id],
    );
    await resetLogin();
    await world.rounds(3);
    expect(await stageOf(id)).toBe("approved");
    await setClock(24 * HOUR_MS + 1_000);
    await world.rounds(4);
    expect(await stageOf(id)).toBe("confirmed");
  });

  it("can't be approved by any operator, whatever a program believes", async () => {
    const { id } = await ask("482915");
    await world.chain.context.databases.payout.query(
      "UPDATE withdrawals SET stage = 'review' WHERE withdrawal_id = $1",
      [id],
    );
    await resetLogin();
    const person = await world.newApprover();
    await expect(world.approve(person, id)).rejects.toThrow(/frozen/);
    await expect(
      world.chain.context.databases.payout.query("UPDATE withdrawals SET stage = 'approved' WHERE withdrawal_id = $1", [
        id,
      ]),
    ).rejects.toThrow(/frozen/);
    await setClock(24 * HOUR_MS + 1_000);
    expect(await world.approve(person, id)).toBe("approved");
  });
});

it("don't rest after a change with the old passwords", async () => {
  expect((await changeLoginPassword(sessions, { oldPassword: OWNERS, ...twice(THIEFS) }, by())).ok).toBe(true);
  const change = { oldPassword: "482915", ...twice("804271") };
  expect((await setTradePassword(sessions, change, by())).ok).toBe(true);
  const { id, shown: asked } = await ask("804271");
  expect(asked).not.toHaveProperty("restsUntil");
  await world.rounds(4);
  expect(await stageOf(id)).toBe("confirmed");
});
