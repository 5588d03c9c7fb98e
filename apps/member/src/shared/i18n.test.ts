// @vitest-environment jsdom
import { expect, test } from "vitest";
import { activateAllWords, activateWords, chooseLanguage, text } from "./i18n.ts";
import { store } from "./storage.ts";

test("the first view's catalogue removes no messages that were loaded before", async () => {
  store("lang", "de");
  await activateAllWords();
  const words = text("order.today");
  await activateWords("first");
  expect(words).not.toBe("order.today");
  expect(text("order.today")).toBe(words);
});

test("another language's catalogue replaces the one before", async () => {
  await chooseLanguage("fr");
  expect(document.documentElement.lang).toBe("fr");
  expect(text("shell.login")).toBe("Se connecter");
});
