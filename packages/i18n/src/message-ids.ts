/** Ids of all messages, taken from the English catalogue: an id that is not there does not compile. */
import type common from "../catalogues/en/common.json";
import type errors from "../catalogues/en/errors.json";
import type fields from "../catalogues/en/fields.json";
import type home from "../catalogues/en/home.json";
import type mail from "../catalogues/en/mail.json";
import type shell from "../catalogues/en/shell.json";
import type account from "../catalogues/en/account.json";
import type market from "../catalogues/en/market.json";
import type mine from "../catalogues/en/mine.json";
/** One line for each area. */
interface Areas {
  account: typeof account;
  market: typeof market;
  mine: typeof mine;
  common: typeof common;
  errors: typeof errors;
  fields: typeof fields;
  home: typeof home;
  mail: typeof mail;
  shell: typeof shell;
}

export type MessageId = { [Name in keyof Areas]: keyof Areas[Name] & string }[keyof Areas];
