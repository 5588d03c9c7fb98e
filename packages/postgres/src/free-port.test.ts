import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { freePort } from "./free-port.ts";

it("finds ports that can be listened on and that the system gives to no other program", async () => {
  const [lowest = 0] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").trim().split(/\s+/).map(Number);
  const found = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(Math.max(...found)).toBeLessThan(lowest);
  expect(Math.min(...found)).toBeGreaterThan(1_023);
  const server = createServer();
  await new Promise<void>((done) => void server.listen(found[0], "127.0.0.1", done));
  await new Promise((done) => server.close(done));
});
