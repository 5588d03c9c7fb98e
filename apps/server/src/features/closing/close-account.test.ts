import type { MemberId } from "@fairtick/domain";
import { createBuilder, type Builder } from "@fairtick/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAuthenticator } from "../sessions/index.ts";
import { logIn } from "../sessions/log-in.ts";
import { createSessionsWorld, PASSWORD, type SessionsWorld } from "../sessions/testing.ts";
import { closeAccount } from "./close-account.ts";
import { finishClosings } from "./finish-closings.ts";

let world: SessionsWorld;
let build: Builder;
let email: string;
let member: { memberId: MemberId; token: string };
let count = 0;
beforeAll(async () => {
  world = await createSessionsWorld();
  build = await createBuilder(world.databaseUrl);
});
afterAll(async () => {
  await build.end();
  await world.close();
});
beforeEach(async () => {
  email = `leaves${(count += 1)}@example.org`;
  member = await world.join(email);
});

const now = () => world.context.clock.now();
const close = (reason: "member" | "consent", loginPassword = PASSWORD) =>
  closeAccount(
    world.context,
    { loginPassword, reason },
    { memberId: member.memberId, sessionId: BigInt(count), now: now() },
  );
const enter = () => logIn(world.context, { account: email, password: PASSWORD }, world.visitor(`10.1.0.${count}`));
async function sessionLives(): Promise<boolean> {
  const authenticator = createAuthenticator(world.context);
  const session = await authenticator.authenticate(member.token);
  authenticator.close();
  return session !== null;
}
/** Inserts a running order, as acceptance does; `settle` removes it, as settlement does. */
const run = (orderId: bigint) =>
  build.client.query(
    "INSERT INTO open_groups (first_id, accepted_at, duration, symbol, order_ids, member_ids) VALUES ($1, 1, 30, 'EURUSD', ARRAY[$1::bigint], ARRAY[$2::bigint])",
    [orderId, member.memberId],
  );
const settle = (orderId: bigint) => build.client.query("DELETE FROM open_groups WHERE first_id = $1", [orderId]);
const standing = async () =>
  (await build.client.query("SELECT standing FROM members WHERE member_id = $1", [member.memberId])).rows[0].standing;

describe("closing an account", () => {
  it("ends its sessions, prevents logins, and notifies the member", async () => {
    await build.client.query(
      "UPDATE members SET username = 'Nightjar', settings = '{\"theme\":\"dark\"}' WHERE member_id = $1",
      [member.memberId],
    );
    expect(await close("member")).toEqual({ ok: true, value: null });
    expect(await sessionLives()).toBe(false);
    expect(await enter()).toMatchObject({ refusal: { error: "CLOSED" } });
    const { rows } = await build.client.query("SELECT username, settings FROM members WHERE member_id = $1", [
      member.memberId,
    ]);
    expect(rows[0]).toEqual({ username: null, settings: {} });
    await world.context.messenger.drained();
    expect(world.inbox.messages(email)[0]?.subject).toBe("Your Fairtick account has been closed");
  });

  it("needs the login password", async () => {
    expect(await close("member", "another password")).toMatchObject({ refusal: { error: "WRONG_PASSWORD" } });
    expect(await standing()).toBe("active");
    expect(await sessionLives()).toBe(true);
  });

  it("waits for running orders: nothing new can start, but the member can watch, even from another device", async () => {
    await run(7n + BigInt(count));
    expect((await close("member")).ok).toBe(true);
    expect(await standing()).toBe("closed");
    expect(await sessionLives()).toBe(true);
    expect((await enter()).ok).toBe(true);
    expect(await finishClosings(world.context, now())).toBe(0);
    await settle(7n + BigInt(count));
    expect(await finishClosings(world.context, now())).toBe(1);
    expect(await sessionLives()).toBe(false);
    expect(await enter()).toMatchObject({ refusal: { error: "CLOSED" } });
    expect(await finishClosings(world.context, now())).toBe(0);
  });

  it("changes nothing when repeated", async () => {
    await run(70n + BigInt(count));
    await Promise.all([close("member"), close("member")]);
    await settle(70n + BigInt(count));
    expect(await finishClosings(world.context, now())).toBe(1);
  });

  it("prevents the address from being registered again", async () => {
    await close("member");
    await expect(world.join(email)).rejects.toThrow("CLOSED");
  });
});

describe("withdrawing consent", () => {
  it("logs out at once, even with running orders, and closes the account when they are settled", async () => {
    await run(700n + BigInt(count));
    expect((await close("consent")).ok).toBe(true);
    expect(await sessionLives()).toBe(false);
    expect(await enter()).toMatchObject({ refusal: { error: "CLOSED" } });
    await settle(700n + BigInt(count));
    expect(await finishClosings(world.context, now())).toBe(1);
  });

  it("is possible while a closing is still waiting", async () => {
    await run(7000n + BigInt(count));
    await close("member");
    await close("consent");
    expect(await sessionLives()).toBe(false);
    expect(await enter()).toMatchObject({ refusal: { error: "CLOSED" } });
    await settle(7000n + BigInt(count));
    await finishClosings(world.context, now());
  });
});
