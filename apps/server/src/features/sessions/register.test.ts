import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agreementVersion } from "../content/index.ts";
import { createAuthenticator } from "./authenticate.ts";
import { register } from "./register.ts";
import { accountSubject } from "../../platform/attempts.ts";
import { sendCode } from "./send-code.ts";
import { createSessionsWorld, PASSWORD, type SessionsWorld } from "./testing.ts";

let world: SessionsWorld;
beforeAll(async () => {
  world = await createSessionsWorld();
});
afterAll(() => world.close());

const attempt = (address: string, code: string, changes: object = {}, ip?: string) =>
  register(world.context, { ...world.registration(address, code), ...changes }, world.visitor(ip));

describe("asking for a code", () => {
  it("sends six digits by a real mail server, in the member's language", async () => {
    await sendCode(
      world.context,
      { channel: "email", to: "anna@example.org", purpose: "register" },
      { ...world.visitor(), lang: "en" },
    );
    await world.context.messenger.drained();
    const [mail] = world.inbox.messages("anna@example.org");
    expect(mail).toMatchObject({ channel: "email", to: "anna@example.org", code: expect.stringMatching(/^\d{6}$/) });
    expect(mail?.subject).toContain(mail?.code);
    expect(mail?.text).toContain("10 minutes");
  });

  it("sends six digits by SMS over HTTP", async () => {
    const code = await world.codeFor("+5511912345678");
    expect(code).toMatch(/^\d{6}$/);
    expect(world.inbox.messages("+5511912345678")[0]).toMatchObject({ channel: "phone", subject: "" });
  });

  it("refuses a second one within a minute and says when", async () => {
    await world.codeFor("twice@example.org");
    const again = await sendCode(
      world.context,
      { channel: "email", to: "twice@example.org", purpose: "register" },
      world.visitor(),
    );
    const { now } = world.visitor();
    expect(again).toMatchObject({
      ok: false,
      refusal: { error: "RATE_LIMITED", params: { retryAt: Number(now) + 60_000 } },
    });
    world.pass(60_000);
    await expect(world.codeFor("twice@example.org")).resolves.toMatch(/^\d{6}$/);
  });

  it("says with a code when the same device may ask for another", async () => {
    const wanted = { channel: "email", to: "next@example.org", purpose: "register" } as const;
    const visitor = world.visitor();
    const sent = await sendCode(world.context, wanted, visitor);
    expect(sent).toMatchObject({ ok: true, value: { retryAt: Number(visitor.now) + 60_000 } });
  });

  it("waits longer from the fourth to one address on, and says for how long", async () => {
    for (let sent = 0; sent < 3; sent += 1) {
      await world.codeFor("often@example.org");
      world.pass(60_000);
    }
    const wanted = { channel: "email", to: "often@example.org", purpose: "register" } as const;
    const more = await sendCode(world.context, wanted, world.visitor());
    const retryAt = Number(world.visitor().now) + 240_000;
    expect(more).toMatchObject({ ok: false, refusal: { error: "RATE_LIMITED", params: { retryAt } } });
    world.pass(240_000);
    await expect(world.codeFor("often@example.org")).resolves.toMatch(/^\d{6}$/);
  });

  it("is allowed a hundred times at once for strangers at one address, and more if a test's setting says so", async () => {
    const visitor = world.visitor("203.0.113.77");
    const send = (context: typeof world.context, name: string) =>
      sendCode(context, { channel: "email", to: `${name}@example.org`, purpose: "register" }, visitor);
    for (let sent = 0; sent < 100; sent += 1)
      expect(await send(world.context, `host-${sent}`)).toMatchObject({ ok: true });
    expect(await send(world.context, "host-100")).toMatchObject({ refusal: { error: "RATE_LIMITED" } });
    const raised = { ...world.context, config: { ...world.context.config, rateLimitFactor: 1_000 } };
    for (let sent = 0; sent < 110; sent += 1) expect(await send(raised, `raised-${sent}`)).toMatchObject({ ok: true });
  });

  it("refuses numbers that can't exist and blocked regions", async () => {
    const number = await sendCode(
      world.context,
      { channel: "phone", to: "+4912", purpose: "register" },
      world.visitor(),
    );
    expect(number).toMatchObject({ ok: false, refusal: { error: "FIELD_INVALID", fields: { to: "FIELD_INVALID" } } });
    const region = await sendCode(
      world.context,
      { channel: "email", to: "kim@example.org", region: "KP", purpose: "register" },
      world.visitor(),
    );
    expect(region).toMatchObject({ ok: false, refusal: { error: "REGION_BLOCKED" } });
  });
});

describe("registering", () => {
  it("makes a member with 10,000.00 of play money and logs them in", async () => {
    const code = await world.codeFor("joao@example.org");
    const joined = await attempt("joao@example.org", code);
    if (!joined.ok) throw new Error(joined.refusal.error);
    expect(joined.value.userInfo).toMatchObject({
      account: "j•••@example.org",
      username: "j•••@example.org",
      region: "BR",
      standing: "active",
      tradePasswordSet: false,
      wallet: "practice",
      realWalletOpen: true,
      language: "en",
      access_token: joined.value.access_token,
    });
    const authenticator = createAuthenticator(world.context);
    expect(await authenticator.authenticate(joined.value.access_token)).not.toBeNull();
    authenticator.close();
    const [money] = await world.context.databases.reader.query(
      `SELECT practice_available, real_available, members_money.member_seq, kind, t.member_seq AS fact FROM members
       JOIN members_money USING (member_id) JOIN transfers t USING (member_id) WHERE email = 'joao@example.org'`,
    );
    expect(money).toMatchObject({
      practice_available: 10_000_000_000n,
      real_available: 0n,
      kind: "practice_issue",
      fact: 1n,
    });
    const [accepted] = await world.context.databases.sessions.query(
      "SELECT terms_version FROM members WHERE email = 'joao@example.org'",
    );
    expect(accepted).toEqual({ terms_version: agreementVersion() });
  });

  it("accepts a code once: of two requests with the same code, one creates a member", async () => {
    const code = await world.codeFor("once@example.org");
    const both = await Promise.all([attempt("once@example.org", code), attempt("once@example.org", code)]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    const members = await world.context.databases.sessions.query(
      "SELECT 1 FROM members WHERE email = 'once@example.org'",
    );
    expect(members).toHaveLength(1);
  });

  it.each([
    [
      "a blocked region",
      { region: "IR" },
      {
        error: "REGION_BLOCKED",
        params: { rule: "Iranian Transactions and Sanctions Regulations, 31 CFR 560", year: "2012" },
      },
    ],
    ["an unknown region", { region: "ZZ" }, { error: "REGION_BLOCKED" }],
    ["terms not accepted", { acceptTerms: false }, { error: "TERMS_NOT_ACCEPTED" }],
    ["passwords that differ", { confirmPassword: "another one" }, { error: "PASSWORDS_DIFFER" }],
    [
      "seven characters",
      { password: "ü5-äöü€", confirmPassword: "ü5-äöü€" },
      { error: "PASSWORD_TOO_SHORT", params: { min: 8 } },
    ],
    ["a common password", { password: "Password1", confirmPassword: "Password1" }, { error: "PASSWORD_COMMON" }],
    ["a row of the keyboard", { password: "qwertyuiop", confirmPassword: "qwertyuiop" }, { error: "PASSWORD_COMMON" }],
    ["one repeated character", { password: "aaaaaaaaaa", confirmPassword: "aaaaaaaaaa" }, { error: "PASSWORD_COMMON" }],
    [
      "the product's name",
      { password: "Fairtick2026!", confirmPassword: "Fairtick2026!" },
      { error: "PASSWORD_COMMON" },
    ],
    [
      "the account's name",
      { password: "table@example.org", confirmPassword: "table@example.org" },
      { error: "PASSWORD_COMMON" },
    ],
    [
      "an unknown invite code",
      { inviteCode: "NOBODY22" },
      { error: "FIELD_INVALID", fields: { inviteCode: "FIELD_INVALID" } },
    ],
    ["a wrong code", { code: "wrong!" }, { error: "BAD_CODE", params: {}, fields: { code: "BAD_CODE" } }],
  ])("refuses %s", async (_, changes, refusal) => {
    expect(await attempt("table@example.org", "000000", changes)).toEqual({ ok: false, refusal });
  });

  it("accepts passwords of any script and length", async () => {
    const password = "毎朝コーヒーを飲む猫";
    const code = await world.codeFor("neko@example.org");
    expect((await attempt("neko@example.org", code, { password, confirmPassword: password })).ok).toBe(true);
  });

  it("links members to the person who invited them", async () => {
    const [inviter] = await world.context.databases.sessions.query<{ member_id: bigint; invite_code: string }>(
      "SELECT member_id, invite_code FROM members WHERE email = 'joao@example.org'",
    );
    const code = await world.codeFor("guest@example.org");
    const joined = await attempt("guest@example.org", code, { inviteCode: inviter!.invite_code.toLowerCase() });
    expect(joined.ok).toBe(true);
    const [guest] = await world.context.databases.sessions.query(
      "SELECT invited_by FROM members WHERE email = 'guest@example.org'",
    );
    expect(guest).toEqual({ invited_by: inviter!.member_id });
  });

  it("refuses an expired code even if it is right", async () => {
    const code = await world.codeFor("late@example.org");
    world.pass(600_000);
    expect(await attempt("late@example.org", code)).toMatchObject({ refusal: { error: "CODE_EXPIRED" } });
  });

  it("reveals a known address only to someone who enters its code, with the reason if the member is locked out", async () => {
    await world.join("known@example.org");
    world.pass(60_000);
    const code = await world.codeFor("known@example.org");
    expect(await attempt("known@example.org", "999999x")).toMatchObject({ refusal: { error: "BAD_CODE" } });
    expect(await attempt("known@example.org", code)).toMatchObject({ refusal: { error: "ALREADY_REGISTERED" } });
    const until = world.visitor().now + 1_000_000n;
    await world.context.databases.sessions.query(
      "UPDATE members SET standing = 'excluded', excluded_until = $1 WHERE email = 'known@example.org'",
      [until],
    );
    expect(await attempt("known@example.org", code)).toMatchObject({
      refusal: { error: "EXCLUDED", params: { until: Number(until) } },
    });
    await world.context.databases.sessions.query(
      "UPDATE members SET standing = 'closed' WHERE email = 'known@example.org'",
    );
    expect(await attempt("known@example.org", code)).toMatchObject({ refusal: { error: "CLOSED" } });
  });

  it("disables a code, even for the right entry, after five wrong entries on the device that asked for it", async () => {
    const browser = world.browser("198.51.100.9");
    const code = await world.codeFor("guess@example.org", "register", browser());
    const enter = (typed: string) => register(world.context, world.registration("guess@example.org", typed), browser());
    for (let wrong = 0; wrong < 5; wrong += 1)
      expect(await enter("wrong!")).toMatchObject({ refusal: { error: "BAD_CODE" } });
    world.pass(300_000);
    expect(await enter(code)).toMatchObject({ refusal: { error: "BAD_CODE" } });
  });

  it("judges no more than five of a thousand guesses sent at once, and remembers them after a restart", async () => {
    await world.codeFor("storm@example.org");
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => attempt("storm@example.org", "wrong!", {}, `192.0.2.${index % 250}`)),
    );
    const judged = answers.filter((answer) => !answer.ok && answer.refusal.error === "BAD_CODE");
    expect(judged).toHaveLength(5);
    expect(answers.filter((answer) => !answer.ok && answer.refusal.error === "TOO_MANY_TRIES")).toHaveLength(995);
    const [row] = await world.context.databases.sessions.query<{ tries: bigint[] }>(
      "SELECT tries FROM attempts WHERE kind = 'code' AND cardinality(tries) = 5 AND subject = $1",
      [accountSubject("storm@example.org")],
    );
    expect(row?.tries).toHaveLength(5);
  });

  it("stores no password and no code in clear text", async () => {
    const rows = await world.context.databases.sessions.query("SELECT * FROM members");
    const codes = await world.context.databases.sessions.query("SELECT * FROM verification_codes");
    const stored = JSON.stringify([rows, codes], (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    expect(stored).not.toContain(PASSWORD);
    expect(stored).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
  });
});
