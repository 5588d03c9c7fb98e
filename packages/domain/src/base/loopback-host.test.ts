import { expect, it } from "vitest";
import { isLoopbackHost } from "./loopback-host.ts";

it.each(["127.0.0.1", "127.0.0.1:8080", "127.1.2.3", "localhost", "LOCALHOST:1", "[::1]:9090"])("allows %s", (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

it.each([
  undefined,
  "",
  "rebound.example",
  "127.0.0.1.evil.example",
  "localhost.evil.example",
  "10.0.0.1",
  "127.0.0.1@x",
])("refuses %s", (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});
