import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { endStalledSockets } from "./end-stalled-sockets.ts";

const MINUTE_MS = 60_000;
const LOOK_MS = 50;
/** Time for more than two looks, since the second has to see the same as the first. */
const LOOKS_MS = 400;
const LONG = Buffer.alloc(64 * 1024 * 1024, "x");
let server: Server;
let client: Socket;
/** The port's clock, in ms. Only the looks are timed by the machine's clock. */
let now = 0;

async function ask(): Promise<void> {
  server = createServer((_request, response) => response.end(LONG));
  endStalledSockets(server, MINUTE_MS, () => now, LOOK_MS);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  client = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
  client.pause().write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
}

afterEach(async () => {
  client.destroy();
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});

const held = () =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );

it("ends a socket whose client has read nothing for a minute, but not sooner", async () => {
  await ask();
  await sleep(LOOKS_MS);
  expect(await held()).toBe(1);
  now = MINUTE_MS - 1;
  await sleep(LOOKS_MS);
  expect(await held()).toBe(1);
  now = MINUTE_MS * 2;
  await expect.poll(held, { timeout: 20_000 }).toBe(0);
});

it("spares a client that reads a part of one long write now and then", async () => {
  await ask();
  for (let look = 0; look < 4; look += 1) {
    let taken = 0;
    await new Promise<void>((resolve) => {
      const take = (part: Buffer) => {
        taken += part.length;
        if (taken < 8 * 1024 * 1024) return;
        client.off("data", take).pause();
        resolve();
      };
      client.on("data", take).resume();
    });
    await sleep(LOOKS_MS);
    now += MINUTE_MS - 1;
    expect(await held()).toBe(1);
  }
});
