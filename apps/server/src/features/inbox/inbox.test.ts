import { mkdtempSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { createFakeClock } from "@fairtick/testkit";
import { fastify, type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMailer, type Mailer } from "../../platform/mail.ts";
import { createSmsSender } from "../../platform/sms.ts";
import { createSessionsWorld, type SessionsWorld } from "../sessions/testing.ts";
import { logIn } from "../sessions/log-in.ts";
import { type Inbox, startInbox } from "./inbox.ts";
import { addInboxRoutes } from "./inbox-routes.ts";
import { sandboxOperators } from "../operators/index.ts";
import { SEEDED_ACCOUNTS, seedAccounts } from "./seed-accounts.ts";

const clock = createFakeClock();
const operators = sandboxOperators(mkdtempSync(join(tmpdir(), "fairtick-inbox-")));
let inbox: Inbox;
let mailer: Mailer;
let app: FastifyInstance;
beforeAll(async () => {
  inbox = await startInbox(clock);
  mailer = createMailer(inbox.mailUrl, "Fairtick <no-reply@fairtick.example>");
  app = fastify();
  addInboxRoutes(app, inbox, operators);
});
afterAll(async () => {
  mailer.close();
  await app.close();
  await inbox.close();
});

describe("the inbox", () => {
  it.each([
    ["plain", "Your code: 123456", "Your code is 123456.\n\nBye", "123456"],
    [
      "of any script",
      "驗證碼：654321 ✓ — длинная тема письма, которая не помещается в одну строку",
      "您的驗證碼是 654321。\n祝好",
      "654321",
    ],
    ["with lines longer than mail allows", "Long", `${"word ".repeat(400)}=3D done`, undefined],
    ["with dots alone on a line", "Dots", "a\n.\n..\nb", undefined],
  ])("keeps mail %s as it was written", async (_, subject, text, code) => {
    await mailer.send({ to: "reader@example.org", subject, text });
    const [mail] = inbox.messages("READER@example.org");
    expect(mail).toEqual({
      at: Number(clock.now()),
      channel: "email",
      to: "reader@example.org",
      subject,
      text,
      ...(code !== undefined && { code }),
    });
  });

  it("treats an address as a single one, whatever it contains", async () => {
    await expect(mailer.send({ to: "a@example.org, b@example.org", subject: "x", text: "x" })).rejects.toThrow(/./);
    expect(inbox.messages("b@example.org")).toHaveLength(0);
  });

  it("keeps SMS, and its gateway refuses anything else", async () => {
    await createSmsSender(inbox.smsUrl, "Fairtick").send({
      to: "+4915112345678",
      text: "Fairtick: 112233 is your code",
    });
    expect(inbox.messages("+4915112345678")[0]).toMatchObject({ channel: "phone", code: "112233" });
    for (const body of ["", "{", "[]", '{"to":1}']) {
      expect((await fetch(inbox.smsUrl, { method: "POST", body })).status).toBe(400);
    }
  });

  it("accepts no SMS from a web page, or under another host name", async () => {
    const { port } = new URL(inbox.smsUrl);
    const send = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = request({ host: "127.0.0.1", port, path: "/messages", method: "POST", headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        asked.on("error", reject).end(JSON.stringify({ to: "+4915112345679", from: "x", text: "forged" }));
      });
    expect(await send({ host: "rebound.example" })).toBe(421);
    expect(await send({ origin: "https://evil.example" })).toBe(403);
    expect(inbox.messages("+4915112345679")).toEqual([]);
    expect(await send({})).toBe(202);
  });

  it("survives clients that send nonsense or disconnect", async () => {
    const socket = connect(Number(new URL(inbox.mailUrl).port), "127.0.0.1");
    socket.write("EHLO x\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\nhalf a ma");
    await once(socket, "data");
    socket.destroy();
    await mailer.send({ to: "after@example.org", subject: "x", text: "still here" });
    expect(inbox.messages("after@example.org")).toHaveLength(1);
  });

  it("returns JSON, newest first, for one address if given, even with an unescaped plus sign", async () => {
    clock.advance(1_000);
    await mailer.send({ to: "reader@example.org", subject: "newest", text: "000111" });
    const all = (await app.inject("/dev/inbox")).json<{ subject: string }[]>();
    expect(all[0]).toMatchObject({ subject: "newest", code: "000111", at: Number(clock.now()) });
    expect((await app.inject("/dev/inbox?to=+4915112345678")).json()).toHaveLength(1);
    expect((await app.inject("/dev/inbox?to=%2B4915112345678")).json()).toHaveLength(1);
    expect((await app.inject("/dev/inbox?to=nobody@example.org")).json()).toEqual([]);
  });

  it("shows browsers a page in which strangers' markup is plain text", async () => {
    await mailer.send({
      to: "evil@example.org",
      subject: "<script>alert(1)</script>",
      text: '<img src=x onerror="alert(1)">',
    });
    const page = await app.inject({
      url: "/dev/inbox?to=evil@example.org%22%3E%3Cscript%3E",
      headers: { accept: "text/html,*/*" },
    });
    const one = await app.inject({ url: "/dev/inbox", headers: { accept: "text/html" } });
    expect(page.headers["content-type"]).toContain("text/html");
    for (const { body } of [page, one]) {
      expect(body).not.toMatch(/<script|<img/);
    }
    expect(one.body).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(one.headers["content-security-policy"]).toContain("default-src 'none'");
  });
});

describe("the seeded accounts", () => {
  let world: SessionsWorld;
  beforeAll(async () => {
    world = await createSessionsWorld();
  });
  afterAll(() => world.close());

  it("are registered once, like any member, and can log in with the passwords shown", async () => {
    await seedAccounts(world.context, world.inbox);
    await seedAccounts(world.context, world.inbox);
    const members = await world.context.databases.sessions.query("SELECT 1 FROM members");
    expect(members).toHaveLength(SEEDED_ACCOUNTS.length);
    for (const { account, password, tradePassword, region } of SEEDED_ACCOUNTS) {
      const entered = await logIn(world.context, { account, password }, world.visitor());
      expect(entered).toMatchObject({
        ok: true,
        value: { userInfo: { region, tradePasswordSet: tradePassword !== null } },
      });
    }
    const shown = await app.inject("/dev/accounts");
    expect(shown.json()).toEqual([...SEEDED_ACCOUNTS, ...operators]);
  });
});
