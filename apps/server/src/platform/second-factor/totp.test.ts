import { randomBytes } from "node:crypto";
import type { Instant } from "@fairtick/domain";
import { describe, expect, it } from "vitest";
import { fromBase32, hotp, matchTotp, toBase32, totp } from "./totp.ts";
import { openTotpSecret, sealTotpSecret } from "./totp-secret.ts";

/** The secret of RFC 4226 appendix D and of the SHA-1 rows of RFC 6238 appendix B. */
const RFC_SECRET = Buffer.from("12345678901234567890");
const at = (seconds: number) => (BigInt(seconds) * 1000n) as Instant;

describe("one-time codes", () => {
  it("are those of RFC 4226, appendix D", () => {
    const codes = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"];
    expect(codes.map((_code, counter) => hotp(RFC_SECRET, BigInt(counter)))).toEqual(codes);
  });

  it("are those of RFC 6238, appendix B, by their last six digits", () => {
    expect(
      [59, 1_111_111_109, 1_111_111_111, 1_234_567_890, 2_000_000_000, 20_000_000_000].map((seconds) =>
        totp(RFC_SECRET, at(seconds)),
      ),
    ).toEqual(["287082", "081804", "050471", "005924", "279037", "353130"]);
  });

  it("are accepted one step before and after, and never a used one", () => {
    const now = at(1_000_000);
    const step = now / 30_000n;
    for (const offset of [-1n, 0n, 1n])
      expect(matchTotp(RFC_SECRET, hotp(RFC_SECRET, step + offset), now, 0n)).toBe(step + offset);
    for (const offset of [-2n, 2n]) expect(matchTotp(RFC_SECRET, hotp(RFC_SECRET, step + offset), now, 0n)).toBeNull();
    expect(matchTotp(RFC_SECRET, hotp(RFC_SECRET, step), now, step)).toBeNull();
  });

  it("have secrets that survive base 32", () => {
    expect(toBase32(RFC_SECRET)).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    const secret = randomBytes(20);
    expect(fromBase32(toBase32(secret))).toEqual(secret);
  });
});

describe("a sealed secret", () => {
  const key = randomBytes(32);
  const owner = { side: "member", id: 7n } as const;

  it("opens only for its owner and with the deployment's secret", () => {
    const sealed = sealTotpSecret(RFC_SECRET, key, owner);
    expect(sealed.includes(RFC_SECRET)).toBe(false);
    expect(openTotpSecret(sealed, key, owner)).toEqual(RFC_SECRET);
    expect(() => openTotpSecret(sealed, key, { side: "member", id: 8n })).toThrow("authenticate");
    expect(() => openTotpSecret(sealed, key, { side: "operator", id: 7n })).toThrow("authenticate");
    expect(() => openTotpSecret(sealed, randomBytes(32), owner)).toThrow("authenticate");
  });
});
