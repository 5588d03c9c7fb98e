import { expect, it } from "vitest";
import { readMessagesOf } from "./catalogues.ts";
import { LANGUAGE_CODES } from "./languages.ts";

const BANK = /bank|banque|banco|banca|bancari|ngân hàng|銀行|银行|은행/i;
/** Messages that are also shown if no bank has said anything, such as after a card payment was charged back. */
const WITHOUT_A_LINE = [
  "message.depositReversed.title",
  "message.depositReversed.body",
  "message.withdrawalEndedForDebt.title",
  "message.withdrawalEndedForDebt.body",
  "withdraw.reason.owed",
  "withdraw.reason.debt",
  "assets.owed",
  "assets.remark.depositReversed",
  "bank.reversed",
  "center.part.depositReversed",
];

it.each(LANGUAGE_CODES)(
  "in %s, only the message about a statement's line says that a bank reversed a deposit",
  (code) => {
    const messages: Readonly<Record<string, string>> = readMessagesOf(code);
    expect(WITHOUT_A_LINE.filter((id) => !(id in messages) || BANK.test(messages[id] ?? ""))).toEqual([]);
    expect(messages["withdraw.reason.returned"]).toMatch(BANK);
  },
);
