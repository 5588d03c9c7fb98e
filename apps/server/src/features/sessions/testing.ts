/** A world for tests: members made by the real verbs on a real database, with codes read from a real inbox. */
import type { Instant, MemberId, Verdict } from "@fairtick/domain";
import { createFakeClock, createTestDatabase } from "@fairtick/testkit";
import { createLocalBus } from "../../platform/bus.ts";
import { readConfig } from "../../platform/config.ts";
import { closeDatabases, openDatabases } from "../../platform/context.ts";
import { readDeviceKey } from "../../platform/device-key.ts";
import { createLog } from "../../platform/log.ts";
import { createMailer } from "../../platform/mail.ts";
import { createMessenger } from "../../platform/messenger.ts";
import { createSmsSender } from "../../platform/sms.ts";
import { startInbox } from "../inbox/index.ts";
import { openIds } from "./open-ids.ts";
import { hashPassword } from "./passwords.ts";
import { register } from "./register.ts";
import { sendCode } from "./send-code.ts";
import type { SessionContext } from "./session-context.ts";
import { setTradePassword } from "./trade-password.ts";

export const PASSWORD = "a quiet harbour at noon";
export const VISITOR = {
  ip: "203.0.113.7",
  lang: "en",
  userAgent: "Mozilla/5.0 (iPhone) Version/18.0 Safari/605.1",
} as const;

/**
 * Gives a member of the testkit's builder the login password and, with it, the first transaction password, as a person
 * would set them.
 */
export async function setFirstTradePassword(
  context: Pick<SessionContext, "databases" | "config" | "messenger" | "bus">,
  memberId: MemberId,
  pin: string,
  now: Instant,
): Promise<Verdict<null>> {
  passwordHash ??= hashPassword(PASSWORD);
  await context.databases.sessions.query("UPDATE members SET password_hash = $2 WHERE member_id = $1", [
    memberId,
    await passwordHash,
  ]);
  const change = { password: pin, confirmPassword: pin, loginPassword: PASSWORD };
  return setTradePassword(context, change, { memberId, sessionId: memberId, now });
}
/** The password's hash, computed once for all members because it takes a while. */
let passwordHash: Promise<string> | undefined;

export async function createSessionsWorld() {
  const database = await createTestDatabase();
  const log = createLog("test", "silent");
  const databases = openDatabases(database.url, log);
  const clock = createFakeClock();
  const inbox = await startInbox(clock);
  const mailer = createMailer(inbox.mailUrl, "Fairtick <no-reply@fairtick.example>");
  const messenger = createMessenger({ mailer, sms: createSmsSender(inbox.smsUrl, "Fairtick"), log });
  const context: SessionContext = {
    config: readConfig({ DATABASE_URL: database.url }),
    log,
    clock,
    bus: createLocalBus((error) => {
      throw error;
    }),
    databases,
    ids: await openIds({ databases, clock }),
    messenger,
  };
  const world = {
    context,
    databaseUrl: database.url,
    inbox,
    pass: (ms: number) => clock.advance(ms),
    visitor: (ip: string = VISITOR.ip) => ({ ...VISITOR, ip, now: clock.now() }),
    /** Returns visitors on one browser, which keeps the device key that it is given. */
    browser(ip: string = VISITOR.ip) {
      let kept: string | undefined;
      return () => ({
        ...world.visitor(ip),
        deviceKey: readDeviceKey(kept, context.config.secret, "member"),
        keepDeviceKey: (key: string) => {
          kept = key;
        },
      });
    },
    async codeFor(
      to: string,
      purpose: "register" | "reset" | "tradePassword" = "register",
      visitor: Parameters<typeof sendCode>[2] = world.visitor(),
    ) {
      const channel = to.startsWith("+") ? "phone" : "email";
      const sent = await sendCode(context, { channel, to, purpose }, visitor);
      if (!sent.ok) throw new Error(`no code: ${sent.refusal.error}`);
      await messenger.drained();
      return inbox.messages(to)[0]?.code ?? "";
    },
    registration: (address: string, code: string) => ({
      region: "BR",
      channel: address.startsWith("+") ? ("phone" as const) : ("email" as const),
      address,
      code,
      password: PASSWORD,
      confirmPassword: PASSWORD,
      acceptTerms: true,
    }),
    /** Registers an address, each from a separate host. */
    async join(address: string): Promise<{ memberId: MemberId; token: string }> {
      const code = await world.codeFor(address);
      const joined = await register(context, world.registration(address, code), world.visitor());
      if (!joined.ok) throw new Error(`cannot register: ${joined.refusal.error}`);
      const [row] = await databases.sessions.query<{ member_id: MemberId }>(
        "SELECT member_id FROM members WHERE phone = $1 OR email = $1",
        [address],
      );
      if (row === undefined) throw new Error("no member");
      return { memberId: row.member_id, token: joined.value.access_token };
    },
    async close() {
      await messenger.drained();
      mailer.close();
      await inbox.close();
      await closeDatabases(databases);
      await database.drop();
    },
  };
  return world;
}

export type SessionsWorld = Awaited<ReturnType<typeof createSessionsWorld>>;
