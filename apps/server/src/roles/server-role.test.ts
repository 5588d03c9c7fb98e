import { once } from "node:events";
import { createTestDatabase, type TestDatabase } from "@fairtick/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { runServer, type RunningServer } from "../testing/running-server.ts";

interface Answer {
  readonly code: number;
  readonly msg: string;
  readonly data: { readonly access_token: string; readonly error?: string } | null;
}

describe("the server in a sandbox", () => {
  let database: TestDatabase;
  let server: RunningServer;
  beforeAll(async () => {
    database = await createTestDatabase();
    server = await runServer(database);
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  const call = async (path: string, fields: Record<string, string> = {}, token = "") => {
    const answer = await fetch(`${server.base}/client/${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        ...(token !== "" && { exchange2508Token: token }),
      },
      body: new URLSearchParams(fields).toString(),
    });
    return (await answer.json()) as Answer;
  };
  const codeOf = async (to: string) => {
    for (let tries = 0; tries < 200; tries += 1) {
      const mails = (await (await fetch(`${server.base}/dev/inbox?to=${encodeURIComponent(to)}`)).json()) as {
        code?: string;
      }[];
      if (mails[0]?.code !== undefined) return mails[0].code;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error("no code came");
  };

  it("registers a newcomer who reads their code in the inbox, and shows them their play money", async () => {
    const email = "newcomer@example.org";
    expect(
      await call("auth/sendCode", { channel: "email", to: email, purpose: "register", region: "BR" }),
    ).toMatchObject({ code: 200 });
    const password = "seven small boats";
    const registered = await call("auth/register", {
      region: "BR",
      channel: "email",
      email,
      code: await codeOf(email),
      password,
      confirmPassword: password,
      acceptTerms: "true",
    });
    expect(registered).toMatchObject({ code: 200, data: { userInfo: { standing: "active" } } });
    const token = registered.data!.access_token;
    expect(await call("user/summary", { wallet: "practice" }, token)).toMatchObject({
      data: { available: "10000.00", locked: "0.00" },
    });
    const pin = { password: "804271", confirmPassword: "804271", loginPassword: password };
    expect(await call("user/setTradePassword", pin, token)).toMatchObject({ code: 200 });
    expect(await call("user/info", {}, token)).toMatchObject({ data: { tradePasswordSet: true } });
  });

  it("lets the seeded accounts in with the passwords it prints", async () => {
    expect(server.accounts.length).toBeGreaterThan(1);
    // Operators log in at their console.
    for (const { account, password, totpSecret } of server.accounts) {
      if (totpSecret !== undefined) continue;
      expect(await call("auth/login", { account, password })).toMatchObject({ code: 200 });
    }
  });

  it("ends a session that another one revokes at once, on its socket and for its calls", async () => {
    const [seed] = server.accounts;
    const signIn = async () =>
      (await call("auth/login", { account: seed!.account, password: seed!.password })).data!.access_token;
    const mine = await signIn();
    const lost = await signIn();
    const socket = new WebSocket(`${server.base.replace("http", "ws")}/client/stream`);
    await once(socket, "open");
    socket.send(JSON.stringify({ op: "auth", token: lost }));
    await once(socket, "message");
    const sessions = (await call("auth/sessions", {}, lost)) as unknown as {
      data: { sessionId: string; current: boolean }[];
    };
    const { sessionId } = sessions.data.find(({ current }) => current)!;
    const closed = once(socket, "close");
    expect(await call("auth/revokeSession", { sessionId }, mine)).toMatchObject({ code: 200 });
    expect(await call("user/info", {}, lost)).toMatchObject({ code: 401, data: { error: "SESSION_EXPIRED" } });
    expect((await closed)[0]).toBe(4401);
    expect(await call("user/info", {}, mine)).toMatchObject({ code: 200 });
  });

  it("ends a session whose token is used without its device key, for calls and for the stream", async () => {
    const [seed] = server.accounts;
    const login = (cookie?: string) =>
      fetch(`${server.base}/client/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...(cookie !== undefined && { cookie }) },
        body: new URLSearchParams({ account: seed!.account, password: seed!.password }).toString(),
      });
    const first = await login();
    const cookie = first.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(cookie).toMatch(/^member-device=/);
    const tokenOf = async (answer: Response) => ((await answer.json()) as Answer).data!.access_token;
    const infoWith = async (token: string, headers: Record<string, string>) =>
      (
        await fetch(`${server.base}/client/user/info`, {
          method: "POST",
          headers: { exchange2508Token: token, ...headers },
        })
      ).status;
    const streamWith = async (token: string, headers: Record<string, string>) => {
      const socket = new WebSocket(`${server.base.replace("http", "ws")}/client/stream`, { headers });
      await once(socket, "open");
      socket.send(JSON.stringify({ op: "auth", token }));
      const [said] = (await once(socket, "message")) as [Buffer];
      socket.terminate();
      return JSON.parse(said.toString()) as unknown;
    };
    const token = await tokenOf(await login(cookie));
    expect(await infoWith(token, { cookie })).toBe(200);
    expect(await streamWith(token, { cookie })).toMatchObject({ t: "ok", op: "auth" });
    expect(await infoWith(token, {})).toBe(401);
    expect(await infoWith(token, { cookie })).toBe(401);

    const other = await tokenOf(await login(cookie));
    expect(await streamWith(other, {})).toMatchObject({ t: "error", error: "SESSION_EXPIRED" });
    expect(await infoWith(other, { cookie })).toBe(401);
  });

  it("freezes by a warning's link only when its button is pressed, not when the page is read", async () => {
    const seed = server.accounts.find(({ account, totpSecret }) => totpSecret === undefined && account.includes("@"))!;
    const signedIn = await call("auth/login", { account: seed.account, password: seed.password });
    const token = signedIn.data!.access_token;
    const since = async (of = token) =>
      ((await call("user/info", {}, of)) as unknown as { data: { frozenSince: number | null } }).data.frozenSince;
    let link: string | undefined;
    for (let tries = 0; tries < 200 && link === undefined; tries += 1) {
      const answer = await fetch(`${server.base}/dev/inbox?to=${encodeURIComponent(seed.account)}`);
      const mails = (await answer.json()) as { text: string }[];
      link = mails.map(({ text }) => /token=([A-Za-z0-9_-]{43})/.exec(text)?.[1]).find((found) => found !== undefined);
      if (link === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    for (const path of ["/", "/client/auth/freeze", "/pages/auth/freeze"])
      await fetch(`${server.base}${path}?token=${link}`);
    await call("auth/freeze", { token: "A".repeat(43) });
    expect(await since()).toBeNull();
    expect(await call("auth/freeze", { token: link ?? "" })).toMatchObject({ code: 200, data: null });
    expect(await call("user/info", {}, token)).toMatchObject({ code: 401 });
    const again = await call("auth/login", { account: seed.account, password: seed.password });
    expect(await since(again.data!.access_token)).not.toBeNull();
    expect(await call("user/liftFreeze", { loginPassword: seed.password }, again.data!.access_token)).toMatchObject({
      code: 200,
    });
    expect(await since(again.data!.access_token)).toBeNull();
  });

  it("says in the caller's language that a region is blocked before anything is sent", async () => {
    const answer = await call("auth/sendCode", {
      channel: "email",
      to: "x@example.org",
      purpose: "register",
      region: "KP",
    });
    expect(answer).toMatchObject({
      code: 403,
      data: { error: "REGION_BLOCKED", params: { rule: expect.any(String) } },
    });
  });
});

describe("the server in live", () => {
  it("has no inbox, no seeded accounts and no pages of them", async () => {
    const database = await createTestDatabase();
    const server = await runServer(database, {
      DEPLOYMENT: "live",
      MAIL_URL: "smtp://127.0.0.1:2525",
      SMS_URL: "http://127.0.0.1:2526/sms",
    });
    for (const path of ["/dev/inbox", "/dev/accounts"]) {
      expect((await fetch(`${server.base}${path}`)).status).toBe(404);
    }
    expect(server.accounts).toEqual([]);
    await server.stop();
    await database.drop();
  });
});
