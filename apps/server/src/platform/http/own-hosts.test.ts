import { describe, expect, it } from "vitest";
import { isLoopback, ownHosts } from "./own-hosts.ts";

describe("the names a server answers to", () => {
  const hosts = ownHosts(["https://app.fairtick.example", null], ["LAN.example"]);

  it.each([
    ["app.fairtick.example", "10.0.0.5"],
    ["app.fairtick.example:443", "10.0.0.5"],
    ["APP.Fairtick.Example", "10.0.0.5"],
    ["lan.example:8080", "10.0.0.5"],
    ["localhost:8080", "127.0.0.1"],
    ["127.0.0.1:8080", "127.0.0.1"],
    ["[::1]:8080", "::1"],
    ["10.0.0.5:8080", "10.0.0.5"],
    ["10.0.0.5", "::ffff:10.0.0.5"],
    ["[fd00::5]:8080", "fd00::5"],
  ])("include %s on %s", (host, localAddress) => {
    expect(hosts(host, localAddress)).toBe(true);
  });

  it.each([
    ["evil.example", "127.0.0.1"],
    ["evil.example:8080", "127.0.0.1"],
    ["app.fairtick.example.evil.example", "10.0.0.5"],
    ["localhost.evil.example", "127.0.0.1"],
    ["10.0.0.6", "10.0.0.5"],
    ["app.fairtick.example@evil.example", "10.0.0.5"],
    ["app.fairtick.example, evil.example", "10.0.0.5"],
    ["", "10.0.0.5"],
    [undefined, "10.0.0.5"],
  ])("don't include %s on %s", (host, localAddress) => {
    expect(hosts(host, localAddress)).toBe(false);
  });

  it("include the loopback in both IP versions", () => {
    expect(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"].every(isLoopback)).toBe(true);
    expect(["10.0.0.1", "127.evil.example", "", undefined].some(isLoopback)).toBe(false);
  });
});
