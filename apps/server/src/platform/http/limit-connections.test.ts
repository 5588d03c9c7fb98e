import { createServer, request, type Server } from "node:http";
import { connect, type AddressInfo, Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isReserved, limitConnections, type LimitedConnections, socketsMax } from "./limit-connections.ts";

let server: Server;
let port: number;
let limited: LimitedConnections;
const sockets: Socket[] = [];

async function listen(caps: { total: number; perClient: number | null }): Promise<void> {
  server = createServer((asked, response) => response.end(isReserved(asked.socket) ? "reserved" : "open"));
  limited = limitConnections(server, caps);
  await new Promise<void>((listening) => {
    server.listen(0, "0.0.0.0", listening);
  });
  ({ port } = server.address() as AddressInfo);
}

beforeEach(() => sockets.splice(0));
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  await new Promise((closed) => {
    server.close(closed);
  });
});

/** Opens silent sockets from one loopback address. Returns how many are still open after the server has decided. */
async function openSilent(count: number, localAddress: string): Promise<number> {
  const opened = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve) => {
          const socket = connect({ port, host: "127.0.0.1", localAddress });
          sockets.push(socket);
          socket.on("error", () => undefined);
          socket.once("connect", () => resolve(socket));
          socket.once("close", () => resolve(socket));
        }),
    ),
  );
  // The server closes excess sockets as soon as it accepts them.
  await new Promise((wake) => {
    setTimeout(wake, 200);
  });
  return opened.filter((socket) => !socket.destroyed && socket.readyState === "open").length;
}

function ask(localAddress: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: "127.0.0.1", localAddress, agent: false }, (response) => {
      response.on("data", (chunk: Buffer) => resolve(chunk.toString()));
    });
    asked.on("error", reject);
    asked.end();
  });
}

describe("the sockets of a port", () => {
  it("are capped for each address, without affecting other addresses", async () => {
    await listen({ total: 1_000, perClient: 20 });
    expect(await openSilent(50, "127.0.0.1")).toBe(20);
    expect(limited.refused).toBe(30);
    await expect(ask("127.0.0.1")).rejects.toThrow(/ECONNRESET|socket hang up|EPIPE/);
    expect(await ask("127.0.0.2")).toBe("open");
  });

  it("are given back when they close", async () => {
    await listen({ total: 1_000, perClient: 20 });
    await openSilent(20, "127.0.0.1");
    for (const socket of sockets.splice(0, 5)) socket.destroy();
    await expect.poll(() => limited.open).toBe(15);
    expect(await ask("127.0.0.1")).toBe("open");
  });

  it("are capped in total, with a few reserved for health checks", async () => {
    await listen({ total: 30, perClient: 20 });
    await openSilent(20, "127.0.0.1");
    await openSilent(10, "127.0.0.2");
    expect(await ask("127.0.0.3")).toBe("reserved");
    await openSilent(60, "127.0.0.4");
    await openSilent(60, "127.0.0.5");
    expect(limited.open).toBeLessThanOrEqual(30 + 32);
    await expect(ask("127.0.0.6")).rejects.toThrow(/ECONNRESET|socket hang up|EPIPE/);
  });

  it("are capped only in total behind our own proxy, where all come from one address", async () => {
    await listen({ total: 100, perClient: null });
    expect(await openSilent(60, "127.0.0.1")).toBe(60);
  });

  it("are counted by /64 for IPv6, since one customer has all of it", async () => {
    await listen({ total: 1_000, perClient: 3 });
    const open = await Promise.all(
      ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::77", "2001:db8:1:3::1"].map(
        async (remoteAddress) => {
          const socket = new Socket();
          Object.defineProperty(socket, "remoteAddress", { value: remoteAddress });
          sockets.push(socket);
          server.emit("connection", socket);
          return !socket.destroyed;
        },
      ),
    );
    expect(open).toEqual([true, true, true, false, true]);
    expect(limited.refused).toBe(1);
  });

  it.each([
    [1_024, 256],
    [4_096, 2_764],
    [1_048_576, 942_796],
  ])("leave the house itself 1,024 and a tenth of %d descriptors", (descriptors, sockets) => {
    expect(socketsMax(descriptors)).toBe(sockets);
  });
});
