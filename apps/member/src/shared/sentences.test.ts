import { afterEach, expect, it } from "vitest";
import { i18n } from "./i18n.ts";
import { joinSentences } from "./sentences.ts";

afterEach(() => i18n.loadAndActivate({ locale: "en-US", messages: {} }));

it.each([
  ["en-US", ["Insufficient balance", "No order was placed."], "Insufficient balance. No order was placed."],
  ["en-US", ["Really?", "Yes"], "Really? Yes"],
  ["de-DE", ["Betrag zu hoch.", "Nichts wurde gebunden."], "Betrag zu hoch. Nichts wurde gebunden."],
  ["ja-JP", ["残高が不足しています", "注文は出されていません。"], "残高が不足しています。注文は出されていません。"],
  ["zh-TW", ["餘額不足", "未下單"], "餘額不足。未下單"],
  ["en-US", ["", "Alone"], "Alone"],
])("in %s %j read %s", (locale, sentences, joined) => {
  i18n.loadAndActivate({ locale, messages: {} });
  expect(joinSentences(...sentences)).toBe(joined);
});
