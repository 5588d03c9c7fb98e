import { expect, it } from "vitest";
import { judgePassword } from "./passwords.ts";

it.each([
  "Passw0rd!",
  "P@ssw0rd",
  "P@$$w0rd123",
  "Password2026!",
  "!!Dragon2026",
  "qwerty123!",
  "Welc0me1",
  "iloveyou1",
  "Letmein!!",
  "12345678!",
  "Fairtick2026",
  "F4irtick!",
  "ana.silva99",
  "abcdefgh1",
  "11111111",
])("refuses %s, which guessers try first", async (password) => {
  expect(await judgePassword(password, "ana.silva@example.org")).toMatchObject({
    refusal: { error: "PASSWORD_COMMON" },
  });
});

it.each([
  "a quiet harbour at noon",
  "gravel-window-31",
  "lantern-orchid-finance-1",
  "xk7#Lw92qz",
  "Tr0ub4dor & three",
  "pferd batterie heft",
  "mike 83746501927 blue",
  "静かな港の昼下がり",
])("accepts %s", async (password) => {
  expect(await judgePassword(password, "ana.silva@example.org")).toMatchObject({ ok: true });
});
