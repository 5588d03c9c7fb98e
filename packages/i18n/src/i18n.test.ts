import { setupI18n, type Messages } from "@lingui/core";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readAreas, readMessagesOf } from "./catalogues.ts";
import { checkCatalogues, placeholdersOf } from "./check.ts";
import { hasMessage, LANGUAGES, languageOf, languageOfHeader, translate } from "./server.ts";
import { fairtickMessages } from "./vite-plugin.ts";

const ROOT = join(import.meta.dirname, "../../..");

describe("translate", () => {
  it("shows figures, plurals and the dollar value", () => {
    expect(translate("en", "errors.STAKE_BELOW_MINIMUM", { min: "1.00" })).toBe("The minimum order amount is $1.00");
    expect(translate("en", "errors.TRADE_PASSWORD_WRONG", { left: 1 })).toMatch(/1 attempt left$/);
    expect(translate("de", "errors.TRADE_PASSWORD_WRONG", { left: 2 })).toMatch(/Noch 2 Versuche$/);
  });

  it("keeps the specification's own words in English", () => {
    expect(translate("en", "common.networkError")).toBe("Nerwork Error");
    expect(translate("en", "common.serverError")).toBe("Server Error");
    expect(translate("en", "errors.SESSION_EXPIRED")).toBe("Login expired, please log in again");
    expect(translate("en", "common.copyFailed")).toBe("Copy failed, please copy manually");
  });

  it("names only the cause of a refusal, because the screen adds that no order was placed", () => {
    const errors = Object.entries(readMessagesOf("en")).filter(([id]) => id.startsWith("errors."));
    expect(errors.filter(([, said]) => said.includes("No order was placed"))).toEqual([]);
  });

  it.each(LANGUAGES.map(({ code }) => code))("translates everything that the server says to %s", (code) => {
    for (const [id, message] of Object.entries(readMessagesOf(code))) {
      if (!hasMessage(id)) throw new Error(id);
      const params = Object.fromEntries(
        placeholdersOf(message)
          .split(", ")
          .map((name) => [name, 3]),
      );
      const said = translate(code, id, params);
      expect([id, said]).toEqual([id, expect.stringMatching(/^[^{}]+$/)]);
    }
  });

  it.each(LANGUAGES.map(({ code }) => code))("names the currency of every bound in %s", (code) => {
    for (const id of [
      "errors.STAKE_BELOW_MINIMUM",
      "errors.DEPOSIT_BELOW_MINIMUM",
      "errors.WITHDRAWAL_BELOW_MINIMUM",
    ] as const)
      expect(translate(code, id, { min: "20.00" })).toMatch(/\$20\.00|20\.00 USD/);
  });

  it("writes a refusal's amounts in English as the specification does, elsewhere as all other amounts of the app", () => {
    for (const { code } of LANGUAGES) {
      const withDollar = Object.entries(readMessagesOf(code)).filter(([, message]) => message.includes("$"));
      expect([code, withDollar.length > 0]).toEqual([code, code === "en"]);
    }
    expect(translate("de", "errors.STAKE_ABOVE_MAXIMUM", { max: "1.000,00" })).toMatch(/ 1\.000,00 USD$/);
  });

  it("knows which messages exist", () => {
    expect(hasMessage("errors.CLOSED")).toBe(true);
    expect(hasMessage("toString")).toBe(false);
  });
});

describe("languages", () => {
  it("are chosen by the Lang header, with English for unknown ones", () => {
    expect(LANGUAGES.map(({ lang }) => languageOfHeader(lang))).toEqual(LANGUAGES.map(({ code }) => code));
    expect(languageOfHeader(undefined)).toBe("en");
    expect(languageOfHeader("de")).toBe("en");
    expect(languageOf("nope").code).toBe("en");
  });
});

describe("the build's plugin", () => {
  it("compiles one language, with English for missing messages, and without the server's mails", async () => {
    const plugin = fairtickMessages();
    const id = plugin.resolveId("virtual:fairtick-messages/de/all");
    const code = plugin.load(id ?? "") ?? "";
    const { messages } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { messages: Messages };
    const i18n = setupI18n({ locale: "de-DE", messages: { "de-DE": messages } });
    expect(i18n._("errors.STAKE_BELOW_MINIMUM", { min: "1.00" })).toBe("Der Mindestbetrag je Order ist 1.00 USD");
    expect(Object.keys(messages).toSorted()).toEqual(
      Object.keys(readMessagesOf("en", { without: ["mail", "message"] })).toSorted(),
    );
    expect(plugin.resolveId("./other.ts")).toBeUndefined();
    expect(() => plugin.load("\0virtual:fairtick-messages/xx/all")).toThrow("no language xx");
    expect(() => plugin.load("\0virtual:fairtick-messages/de/some")).toThrow("no part some");
  });
});

describe("the check", () => {
  it("finds nothing wrong with the catalogues", () => {
    expect(checkCatalogues(ROOT).problems).toEqual([]);
  });

  it.each(LANGUAGES.map(({ code }) => code))("has every message of every area in %s", (code) => {
    const idsOf = (language: typeof code) => readAreas(language).flatMap(({ messages }) => Object.keys(messages));
    expect(idsOf(code).toSorted()).toEqual(idsOf("en").toSorted());
  });

  it("finds placeholders that differ, unknown ids, wrong areas and broken messages", () => {
    const { problems, completeness } = checkOf(
      { "mail.a": "{n} a", "mail.b": "b", "other.c": "c", "mail.d": "{broken" },
      { "mail.a": "{m} a", "mail.b": "be", "other.c": "ce", "mail.z": "z" },
    );
    expect(problems.filter((problem) => !problem.endsWith(" is missing"))).toEqual([
      expect.stringContaining('other.c must start with "mail."'),
      expect.stringContaining("mail.d is no ICU message"),
      expect.stringContaining('other.c must start with "mail."'),
      "de: mail.a uses {m}, English {n}",
      "de: mail.z does not stand in English",
    ]);
    expect(completeness).toContain("de  3 of 3 messages");
  });

  it("finds market terms left in English in a translated sentence", () => {
    const { problems } = checkOf(
      { "mail.a": "The first tick after it", "mail.b": "Test chain, no money", "mail.c": "Candlesticks" },
      {
        "mail.a": "Der erste Tick danach",
        "mail.b": "Test chain, kein Geld",
        "mail.c": "Ticker und Candlesticks hier",
      },
    );
    expect(problems.filter((problem) => problem.startsWith("de"))).toEqual([
      'de: mail.a says "Tick" in English',
      'de: mail.b says "Test chain" in English',
    ]);
    expect(problems.filter((problem) => problem.includes("in English") && problem.startsWith("en"))).toEqual([]);
  });

  it("finds messages that a language lacks, left in English, or with another language's plurals", () => {
    const plural = "{n, plural, one {# try} other {# tries}}";
    const { problems } = checkOf(
      { "mail.a": "Log in", "mail.b": "Log out", "mail.c": plural, "mail.d": "Wallet", "mail.e": "{n} USD" },
      { "mail.b": "Log out", "mail.c": "{n, plural, few {# x} other {# y}}", "mail.d": "Wallet", "mail.e": "{n} USD" },
    );
    expect(problems.filter((problem) => problem.startsWith("de"))).toEqual([
      'de: mail.c has no use for "few"',
      'de: mail.c lacks "one"',
      "de: mail.a is missing",
      "de: mail.b is not translated",
    ]);
    expect(problems).toContain("fr: mail.a is missing");
  });
});

/** Runs the check on a folder with these English and German mails and no other language. */
function checkOf(english: Record<string, string>, german: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "fairtick-catalogues-"));
  for (const [code, messages] of Object.entries({ en: english, de: german })) {
    mkdirSync(join(folder, code));
    writeFileSync(join(folder, code, "mail.json"), JSON.stringify(messages));
  }
  const problems = checkCatalogues(folder, folder);
  rmSync(folder, { recursive: true });
  return problems;
}
