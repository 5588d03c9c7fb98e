import { expect, it } from "vitest";
import { concatBytes, equalBytes, fromHex, toHex, u32, u64, utf8 } from "./bytes.ts";

it("writes integers big-endian and throws for numbers that do not fit", () => {
  expect(toHex(u32(0x0102_03ff))).toBe("010203ff");
  expect(toHex(u64(258n))).toBe("0000000000000102");
  for (const value of [-1, 0.5, 2 ** 32, Number.NaN]) expect(() => u32(value)).toThrow(RangeError);
  for (const value of [-1n, 1n << 64n]) expect(() => u64(value)).toThrow(RangeError);
});

it("reads back its own hexadecimal and refuses other text", () => {
  expect(fromHex(toHex(utf8("a\0ü")))).toEqual(utf8("a\0ü"));
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  expect(toHex(all)).toBe(Buffer.from(all).toString("hex"));
  expect(fromHex(toHex(all))).toEqual(all);
  expect(fromHex(toHex(all).toUpperCase())).toEqual(all);
  expect(fromHex("")).toEqual(new Uint8Array());
  for (const text of ["0", "0g", "0x00", " 00", "００", "00\0", "-1", "+1", "1_", "K0", "\u{1d7d8}0"])
    expect(fromHex(text)).toBeNull();
});

it("joins and compares bytes by value", () => {
  expect(concatBytes(utf8("a"), utf8(""), utf8("bc"))).toEqual(utf8("abc"));
  expect(equalBytes(utf8("ab"), utf8("ab"))).toBe(true);
  expect(equalBytes(utf8("ab"), utf8("ac"))).toBe(false);
  expect(equalBytes(utf8("ab"), utf8("abc"))).toBe(false);
});
