import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { Agent } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MemberId } from "@fairtick/domain";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Order } from "@fairtick/protocol";
import { readMessageTitles } from "../notices/index.ts";
import { warnMember } from "../security-notices/index.ts";
import { changeSettings } from "../settings/settings.ts";
import { readOrders } from "../orders/index.ts";
import { createOrderWorld, instant, type OrderWorld } from "../orders/test-world.ts";
import { isInside } from "../../platform/inside-networks.ts";
import { openPushAgent } from "./push-agent.ts";
import { startPush } from "./start-push.ts";
import { subscribe, unsubscribe } from "./subscriptions.ts";
import { openVapidKeys } from "./vapid-keys.ts";

/** Stands in for a browser's push service, and keeps what the server sends. */
interface Service {
  readonly taken: { readonly path: string; readonly headers: IncomingMessage["headers"]; readonly body: Buffer }[];
  status: number;
  readonly port: number;
  readonly server: Server;
}
async function startService(): Promise<Service> {
  const taken: Service["taken"] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      taken.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(parts) });
      response.writeHead(service.status).end();
    });
  });
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  const service: Service = { taken, status: 201, port: (server.address() as AddressInfo).port, server };
  return service;
}

/** A browser with its keys, which can read encrypted messages (RFC 8291). */
class Browser {
  readonly #keys: ECDH = createECDH("prime256v1");
  readonly #auth = randomBytes(16);
  readonly endpoint: string;
  constructor(name: string) {
    this.#keys.generateKeys();
    this.endpoint = `https://push.service.example/${name}`;
  }
  get subscription() {
    const { endpoint } = this;
    return { endpoint, p256dh: this.#keys.getPublicKey("base64url"), auth: this.#auth.toString("base64url") };
  }
  read(body: Buffer): unknown {
    const salt = body.subarray(0, 16);
    const serverKey = body.subarray(21, 86);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.#keys.getPublicKey(), serverKey]);
    const secret = hkdfSync("sha256", this.#keys.computeSecret(serverKey), this.#auth, info, 32);
    const key = Buffer.from(hkdfSync("sha256", Buffer.from(secret), salt, "Content-Encoding: aes128gcm\0", 16));
    const nonce = Buffer.from(hkdfSync("sha256", Buffer.from(secret), salt, "Content-Encoding: nonce\0", 12));
    const sealed = body.subarray(86);
    const decipher = createDecipheriv("aes-128-gcm", key, nonce);
    decipher.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
  }
}

let world: OrderWorld;
let service: Service;
let push: ReturnType<typeof startPush>;
/** A second server on the same tables, which gets the same events. */
let otherPush: ReturnType<typeof startPush>;
let alertId = 0n;
const folder = mkdtempSync(join(tmpdir(), "fairtick-push-"));
beforeAll(async () => {
  world = await createOrderWorld();
  service = await startService();
  // All push services are this one, reached without encryption.
  const agent = new Agent();
  agent.createConnection = () => connect(service.port, "127.0.0.1");
  // The list of listeners is cached for some seconds. The clock moves on so that each look reads it again.
  let elapsed = 0;
  const clock = { now: () => world.context.clock.now(), elapsedMs: () => (elapsed += 10_000) };
  const start = () =>
    startPush(
      { ...world.context, clock },
      {
        keys: openVapidKeys(folder),
        agent,
        nameOf: (symbol) => world.configs.findInstrument(symbol)?.name ?? symbol,
        readAlerts: async (members) =>
          members.map((memberId) => ({
            memberId,
            alert: { alertId: "alr_1", symbol: "EURUSD", price: "1.200000", direction: "up", createdAt: 1, firedAt: 2 },
          })),
        readOrders: (members, orderIds) => readOrders(world.placing, members, orderIds),
        readWarnings: (messageIds) => readMessageTitles(world.context, messageIds),
      },
    );
  push = start();
  otherPush = start();
});
afterAll(async () => {
  await push.stop();
  await otherPush.stop();
  service.server.close();
  await world.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  service.taken.length = 0;
  service.status = 201;
});

async function listener(name: string, settings: object = { notifications: true }, language = "en") {
  const memberId = (await world.build.createMember()) as MemberId;
  await world.build.client.query("UPDATE members SET settings = $2, language = $3 WHERE member_id = $1", [
    memberId,
    settings,
    language,
  ]);
  await world.build.logIn([memberId]);
  const session = { sessionId: memberId as bigint, memberId };
  const browser = new Browser(name);
  const at = instant(await world.build.now());
  expect(await subscribe(world.context, session, browser.subscription, at)).toEqual({ ok: true, value: null });
  return { ...session, browser, at };
}
async function fire(memberId: MemberId) {
  alertId += 1n;
  world.context.bus.publish("alerts", { members: [memberId], alertIds: [alertId] });
  await drained();
}
async function drained() {
  await push.drained();
  await otherPush.drained();
}

describe("messages to a browser", () => {
  it("are signed for its push service and can be read only by the browser", async () => {
    const { memberId, browser } = await listener("signed");
    await fire(memberId);
    expect(service.taken).toHaveLength(1);
    const [taken] = service.taken;
    expect(taken?.path).toBe("/signed");
    expect(taken?.headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "3600" });
    const [, token = "", key] = /^vapid t=([^,]+), k=(.+)$/.exec(taken?.headers.authorization ?? "") ?? [];
    expect(key).toBe(openVapidKeys(folder).publicKey);
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { aud: string };
    expect(claims.aud).toBe("https://push.service.example");
    expect(browser.read(taken?.body ?? Buffer.alloc(0))).toEqual({
      title: "EUR/USD",
      body: "The price has reached 1.200000 or higher.",
      tag: "alr_1",
      route: "/pages/trade/index?symbol=EURUSD",
    });
  });

  it("are sent once, by however many servers and however often they are announced", async () => {
    const { memberId } = await listener("once");
    await fire(memberId);
    expect(service.taken).toHaveLength(1);
    world.context.bus.publish("alerts", { members: [memberId], alertIds: [alertId] });
    await drained();
    expect(service.taken).toHaveLength(1);
    await fire(memberId);
    expect(service.taken).toHaveLength(2);
  });

  it("warn, with a link that freezes, even browsers whose session was just ended by the same event", async () => {
    const { memberId, browser } = await listener("warned");
    await listener("bystander");
    const { databases, config } = world.context;
    const warning = await warnMember(databases.sessions, { config }, memberId, {
      key: "loginPasswordReset",
      params: {},
    });
    await world.build.client.query("UPDATE sessions SET ended_at = now() WHERE member_id = $1", [memberId]);
    for (let time = 0; time < 2; time += 1)
      world.context.bus.publish("warnings", { members: [memberId], messageIds: [warning.messageId] });
    await drained();
    expect(service.taken).toHaveLength(1);
    const note = browser.read(service.taken[0]?.body ?? Buffer.alloc(0)) as { title: string; route: string };
    expect(note.title).toBe("Login password reset");
    const token = /^\/pages\/auth\/freeze\?token=([A-Za-z0-9_-]{43})$/.exec(note.route)?.[1] ?? "";
    expect(
      await databases.sessions.query("SELECT use_freeze_link(sha256($1::text::bytea)) AS member", [token]),
    ).toEqual([{ member: memberId }]);

    await world.build.client.query(
      "UPDATE sessions SET ended_at = now() - interval '10 minutes' WHERE member_id = $1",
      [memberId],
    );
    const later = await warnMember(databases.sessions, { config }, memberId, { key: "tradePasswordSet", params: {} });
    world.context.bus.publish("warnings", { members: [memberId], messageIds: [later.messageId] });
    await drained();
    expect(service.taken).toHaveLength(1);
  });

  it("announce a settled order in the member's language, and nothing before", async () => {
    const { memberId, browser } = await listener("orders", { notifications: false }, "de");
    await world.tick();
    await world.accepted(memberId);
    await drained();
    expect(service.taken).toEqual([]);
    // Turn notifications on after the list of listeners was read. The very next event is sent.
    await world.build.client.query("UPDATE members SET settings = $2 WHERE member_id = $1", [
      memberId,
      { notifications: true },
    ]);
    const at = (await world.build.now()) + 1n;
    await world.build.feedTicks("EURUSD", [
      { time: at, price: 1_085_000n },
      { time: at + 29_000n, price: 1_085_010n },
      { time: at + 30_500n, price: 1_085_010n },
    ]);
    await world.settlement.settleNow();
    await drained();
    expect(service.taken).toHaveLength(1);
    expect(browser.read(service.taken[0]?.body ?? Buffer.alloc(0))).toMatchObject({
      title: "EUR/USD: Order abgerechnet (Übung)",
      body: "Gewonnen, +8,10 USD",
    });
  });

  it("show a price as their reader's language writes it, with every decimal place", async () => {
    const { memberId, browser } = await listener("price", { notifications: true }, "de");
    await fire(memberId);
    expect(browser.read(service.taken[0]?.body ?? Buffer.alloc(0))).toMatchObject({
      body: expect.stringContaining("1,200000"),
    });
  });

  it.each([
    ["has notifications off", { notifications: false }],
    ["never turned them on", {}],
  ])("are not sent to a member who %s", async (_, settings) => {
    const { memberId } = await listener(`off-${JSON.stringify(settings).length}`, settings);
    await fire(memberId);
    expect(service.taken).toEqual([]);
  });

  it("end with the session, with the setting, and when the browser has unsubscribed", async () => {
    const logged = await listener("out");
    await world.build.client.query("UPDATE sessions SET ended_at = now() WHERE session_id = $1", [logged.sessionId]);
    await fire(logged.memberId);
    const unwanted = await listener("unwanted");
    await unsubscribe(world.context, unwanted.memberId, unwanted.browser.endpoint);
    await fire(unwanted.memberId);
    expect(service.taken).toEqual([]);
    const gone = await listener("gone");
    service.status = 410;
    await fire(gone.memberId);
    await fire(gone.memberId);
    expect(service.taken).toHaveLength(1);
  });

  it("continue when a push service fails", async () => {
    const { memberId } = await listener("fails");
    service.status = 500;
    await fire(memberId);
    service.status = 201;
    await fire(memberId);
    expect(service.taken).toHaveLength(2);
  });
});

describe("a member who has just turned notifications on", () => {
  it("is sent the very next event, although the list of listeners was read a moment before", async () => {
    const agent = new Agent();
    agent.createConnection = () => connect(service.port, "127.0.0.1");
    const still = startPush(
      { ...world.context, clock: { now: () => world.context.clock.now(), elapsedMs: () => 0 } },
      {
        keys: openVapidKeys(folder),
        agent,
        nameOf: (symbol) => symbol,
        readAlerts: () => Promise.resolve([]),
        readWarnings: () => Promise.resolve([]),
        readOrders: async (members, orderIds) =>
          members.map((memberId, place) => ({
            memberId,
            orderId: orderIds[place] ?? 0n,
            order: {
              orderNo: "ord_1",
              symbol: "EURUSD",
              wallet: "practice",
              state: "settled",
              outcome: "lost",
              profit: "-1.00",
            } as Order,
          })),
      },
    );
    let orderId = 0n;
    const tellOrder = async (memberId: MemberId) => {
      orderId += 1n;
      world.context.bus.publish("orders", { members: [memberId], orderIds: [orderId] });
      await Promise.all([still.drained(), drained()]);
    };
    const early = await listener("early");
    await tellOrder(early.memberId);
    const later = await listener("later");
    await tellOrder(later.memberId);
    const quiet = await listener("quiet", { notifications: false });
    await changeSettings(world.context, quiet.memberId, { notifications: true });
    await tellOrder(quiet.memberId);
    expect(service.taken.map(({ path }) => path)).toEqual(expect.arrayContaining(["/early", "/later", "/quiet"]));
    await still.stop();
  });
});

describe("a subscription", () => {
  it("belongs to the member who subscribed last with this browser", async () => {
    const first = await listener("shared");
    const second = await listener("other");
    await subscribe(world.context, second, first.browser.subscription, second.at);
    await unsubscribe(world.context, first.memberId, first.browser.endpoint);
    await fire(first.memberId);
    expect(service.taken).toEqual([]);
    await fire(second.memberId);
    expect(service.taken.map(({ path }) => path).toSorted()).toEqual(["/other", "/shared"]);
  });

  it.each([
    "https://127.0.0.1/x",
    "https://[::1]/x",
    "https://localhost/x",
    "https://router.lan/x",
    "https://user:word@push.example/x",
    "http://push.service.example/x",
  ])("is refused for %s", async (endpoint) => {
    const { memberId, sessionId, browser, at } = await listener("refused");
    expect(
      await subscribe(world.context, { memberId, sessionId }, { ...browser.subscription, endpoint }, at),
    ).toMatchObject({ refusal: { error: "FIELD_INVALID" } });
  });

  it("is refused for invalid keys", async () => {
    const { memberId, sessionId, browser, at } = await listener("keys");
    for (const wrong of [{ p256dh: "AAAA" }, { auth: "AAAA" }])
      expect(
        await subscribe(world.context, { memberId, sessionId }, { ...browser.subscription, ...wrong }, at),
      ).toMatchObject({ refusal: { error: "FIELD_INVALID" } });
  });
});

describe("connections to push services", () => {
  it.each([
    ["127.0.0.1", 4, true],
    ["10.1.2.3", 4, true],
    ["192.168.1.1", 4, true],
    ["169.254.169.254", 4, true],
    ["::1", 6, true],
    ["fd00::1", 6, true],
    ["::ffff:10.0.0.1", 6, true],
    ["142.250.74.14", 4, false],
    ["2a00:1450:4001::200e", 6, false],
  ] as const)("to %s (IPv%s) lead inside: %s", (address, family, inside) => {
    expect(isInside(address, family)).toBe(inside);
  });

  it("are refused to a name that leads to this machine", async () => {
    const agent = openPushAgent();
    const { request } = await import("node:https");
    const fault = await new Promise<Error>((resolve) => {
      request({ host: "localhost", port: service.port, agent }).on("error", resolve).end();
    });
    agent.destroy();
    expect(fault.message).toContain("leads to no address outside");
  });
});

it("keeps its key across restarts, readable only by its own user", () => {
  const keys = openVapidKeys(folder);
  expect(openVapidKeys(folder)).toEqual(keys);
  expect(statSync(join(folder, "push/vapid.json")).mode & 0o777).toBe(0o600);
});
