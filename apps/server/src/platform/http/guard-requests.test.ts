import { request as httpRequest } from "node:http";
import { networkInterfaces } from "node:os";
import { connect, type AddressInfo } from "node:net";
import { fastify, type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guardRequests } from "./guard-requests.ts";
import { ownHosts } from "./own-hosts.ts";

let app: FastifyInstance;
let port: number;
const refused: string[] = [];

beforeAll(async () => {
  app = fastify({ logger: false });
  guardRequests(app, {
    hosts: ownHosts(["https://app.fairtick.example"], []),
    origins: () => ["https://app.fairtick.example"],
    onRefused: (reason, what, ip) => refused.push(`${reason} ${what} ${ip}`),
  });
  app.get("/dev/accounts", () => ({ password: "shown here alone" }));
  app.get("/x", () => ({}));
  app.post("/x", () => ({}));
  await app.listen({ host: "0.0.0.0", port: 0 });
  ({ port } = app.server.address() as AddressInfo);
});

afterAll(() => app.close());

/** Sends a request with exactly these headers. */
function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  to = "127.0.0.1",
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: to,
      port,
      method,
      path,
      headers: { host: `127.0.0.1:${port}`, ...headers },
    });
    request.on("error", reject);
    request.on("response", (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.end();
  });
}

describe("the edge's guard", () => {
  it("answers no web page whose name was pointed at this machine", async () => {
    expect((await ask("GET", "/dev/accounts", { host: `rebound.example:${port}` })).status).toBe(421);
    expect((await ask("GET", "/x", { host: `rebound.example:${port}` })).status).toBe(421);
    expect((await ask("GET", "/no-such-path", { host: `rebound.example:${port}` })).status).toBe(421);
    expect(refused).toContain(`host rebound.example:${port} 127.0.0.1`);
  });

  it("answers its own names", async () => {
    expect((await ask("GET", "/x")).status).toBe(200);
    expect((await ask("GET", "/x", { host: "app.fairtick.example" })).status).toBe(200);
  });

  it("refuses two hosts in one request", async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", reject);
      socket.on("data", (chunk) => resolve(chunk.toString()));
      socket.write(`GET /x HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(refused).toContain("hosts 127.0.0.1 127.0.0.1");
  });

  it.each([
    ["another site", "https://evil.example"],
    ["another port of this machine", "http://127.0.0.1:1"],
    ["a sandboxed frame", "null"],
  ])("refuses a form of %s", async (_whose, origin) => {
    expect((await ask("POST", "/x", { origin })).status).toBe(403);
  });

  it("accepts forms from its own pages, also behind a proxy, and from programs", async () => {
    expect((await ask("POST", "/x", { origin: `http://127.0.0.1:${port}` })).status).toBe(200);
    expect((await ask("POST", "/x", { origin: "https://app.fairtick.example" })).status).toBe(200);
    expect((await ask("POST", "/x")).status).toBe(200);
  });

  it("accepts a plain form of its own pages, which send no referrer, and none of a frame that hides its origin", async () => {
    const hidden = { origin: "null" };
    expect((await ask("POST", "/x", { ...hidden, "sec-fetch-site": "same-origin" })).status).toBe(200);
    for (const site of ["same-site", "cross-site", "none"])
      expect((await ask("POST", "/x", { ...hidden, "sec-fetch-site": site })).status).toBe(403);
  });

  it("refuses a cross-site form whose browser hides the page", async () => {
    expect((await ask("POST", "/x", { "sec-fetch-site": "cross-site" })).status).toBe(403);
  });

  it("shows developer pages to clients on this machine", async () => {
    const shown = await ask("GET", "/dev/accounts");
    expect(shown).toEqual({ status: 200, text: '{"password":"shown here alone"}' });
  });

  it.each([
    ["/dev/accounts", { host: "app.fairtick.example" }],
    ["/dev/accounts?x=1", { "x-forwarded-for": "203.0.113.7" }],
    ["/%64ev/accounts", { forwarded: "for=203.0.113.7" }],
    ["/DEV/accounts", { via: "1.1 proxy" }],
  ])("hides %s from clients behind a proxy: %o", async (path, headers) => {
    expect((await ask("GET", path, headers)).status).toBe(404);
  });

  // A connection to one of this machine's network addresses comes from that address, like one from another machine.
  const network = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const far = network.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
  it.skipIf(far === undefined)("hides them from another machine that names the loopback", async () => {
    expect((await ask("GET", "/dev/accounts", { host: "127.0.0.1" }, far)).status).toBe(404);
    expect((await ask("GET", "/x", { host: "127.0.0.1" }, far)).status).toBe(200);
  });

  it("logs no e-mail address or phone number that a stranger wrote into a path or header", async () => {
    refused.splice(0);
    const away = { via: "1.1 proxy" };
    await ask("GET", "/dev/inbox?to=maria@example.org", away);
    await ask("GET", "/dev/inbox/maria@example.org", away);
    await ask("GET", "/dev/%2B4915112345678", away);
    await ask("GET", "/x", { host: "maria@example.org" });
    await ask("GET", "/x", { host: `${"a".repeat(200)}.example` });
    await ask("POST", "/x", { origin: "https://maria:secret@evil.example/?to=maria@example.org" });
    expect(refused).toEqual([
      "developer /dev/inbox 127.0.0.1",
      "developer /dev/inbox 127.0.0.1",
      "developer /dev 127.0.0.1",
      "host unreadable 127.0.0.1",
      `host ${"a".repeat(60)} 127.0.0.1`,
      "origin evil.example 127.0.0.1",
    ]);
  });
});
