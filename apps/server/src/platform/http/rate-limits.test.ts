import type { Instant } from "@fairtick/domain";
import { expect, it } from "vitest";
import { newVisitorKey, readDeviceKey, signDeviceKey } from "../device-key.ts";
import { createRateLimits, RATE_LIMITS } from "./rate-limits.ts";

const clock = { now: () => 1_763_700_000_000n as Instant, elapsedMs: () => 0 };

it("counts all spellings of an address, and all of an IPv6 customer's network, as one", async () => {
  const limits = createRateLimits(clock);
  const { perAddress } = RATE_LIMITS.signIn;
  for (const spellings of [
    ["203.0.113.9", "::ffff:203.0.113.9", "::ffff:cb00:7109"],
    ["2001:db8:7:7::1", "2001:0db8:7:7:ffff::2", "2001:db8:7:7:1:2:3:4"],
  ]) {
    for (let calls = 0; calls < perAddress; calls += 1) {
      const spelling = spellings[calls % spellings.length] ?? "";
      expect(await limits.countAddress("signIn", spelling)).toMatchObject({ ok: true });
    }
    for (const spelling of spellings)
      expect(await limits.countAddress("signIn", spelling)).toMatchObject({ refusal: { error: "RATE_LIMITED" } });
  }
  expect(await limits.countAddress("signIn", "2001:db8:7:8::1")).toMatchObject({ ok: true });
});

it("lets a device that has logged in before do so again from an address whose allowance others used up", async () => {
  const limits = createRateLimits(clock);
  const secret = Buffer.alloc(32, 7);
  const made = signDeviceKey(secret, "member");
  const known = readDeviceKey(made.text, secret, "member");
  const visitor = readDeviceKey(newVisitorKey().text, secret, "member");
  const { perAddress, perMember } = RATE_LIMITS.signIn;
  for (let calls = 0; calls < perAddress; calls += 1) await limits.countVisitor("signIn", "203.0.113.9", visitor);
  expect(await limits.countVisitor("signIn", "203.0.113.9", null)).toMatchObject({
    refusal: { error: "RATE_LIMITED" },
  });
  for (let calls = 0; calls < perMember; calls += 1)
    expect(await limits.countVisitor("signIn", "203.0.113.9", known)).toMatchObject({ ok: true });
  expect(await limits.countVisitor("signIn", "203.0.113.9", known)).toMatchObject({
    refusal: { error: "RATE_LIMITED" },
  });
  expect(readDeviceKey(made.text, Buffer.alloc(32, 8), "member")).toBeNull();
  expect(readDeviceKey(made.text, secret, "operator")).toBeNull();
});
