import { describe, expect, it } from "vitest";
import { hashNumber, openNumber, sealNumber } from "./document-number.ts";

describe("a document's number", () => {
  const secret = Buffer.alloc(32, 7);
  it("can only be decrypted with its own case and secret, and is encrypted differently each time", () => {
    const sealed = sealNumber("L01X00T47", secret, 5n);
    expect(openNumber(sealed, secret, 5n)).toBe("L01X00T47");
    expect(sealNumber("L01X00T47", secret, 5n).equals(sealed)).toBe(false);
    expect(() => openNumber(sealed, secret, 6n)).toThrow(/authenticate/);
    expect(() => openNumber(sealed, Buffer.alloc(32, 8), 5n)).toThrow(/authenticate/);
    expect(hashNumber("A1234", secret).equals(hashNumber("A1234", Buffer.alloc(32, 8)))).toBe(false);
  });
});
