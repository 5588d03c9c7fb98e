import { expect, it } from "vitest";
import { isGuessablePin } from "./payment-password.ts";

it.each(["123456", "654321", "890123", "210987", "000000", "111111", "121212", "100000", "112233", "998877", "123123"])(
  "finds %s easy to guess",
  (pin) => {
    expect(isGuessablePin(pin)).toBe(true);
  },
);

it.each(["246810", "135790", "170590", "804271", "112234", "123457", "122334"])("accepts %s", (pin) => {
  expect(isGuessablePin(pin)).toBe(false);
});

it.each(["170590", "051790", "900517"])("finds %s easy to guess for someone born on 17 May 1990", (pin) => {
  expect(isGuessablePin(pin, "1990-05-17")).toBe(true);
  expect(isGuessablePin(pin, "1991-05-17")).toBe(false);
});
