/** Ids of all messages, taken from the English catalogue: an id that is not there does not compile. */
import type account from "../catalogues/en/account.json";
import type alerts from "../catalogues/en/alerts.json";
import type assets from "../catalogues/en/assets.json";
import type bank from "../catalogues/en/bank.json";
import type center from "../catalogues/en/center.json";
import type chat from "../catalogues/en/chat.json";
import type common from "../catalogues/en/common.json";
import type deposit from "../catalogues/en/deposit.json";
import type errors from "../catalogues/en/errors.json";
import type fields from "../catalogues/en/fields.json";
import type figures from "../catalogues/en/figures.json";
import type help from "../catalogues/en/help.json";
import type home from "../catalogues/en/home.json";
import type identity from "../catalogues/en/identity.json";
import type install from "../catalogues/en/install.json";
import type invite from "../catalogues/en/invite.json";
import type leave from "../catalogues/en/leave.json";
import type limits from "../catalogues/en/limits.json";
import type mail from "../catalogues/en/mail.json";
import type market from "../catalogues/en/market.json";
import type message from "../catalogues/en/message.json";
import type mine from "../catalogues/en/mine.json";
import type notice from "../catalogues/en/notice.json";
import type order from "../catalogues/en/order.json";
import type orders from "../catalogues/en/orders.json";
import type push from "../catalogues/en/push.json";
import type shell from "../catalogues/en/shell.json";
import type trade from "../catalogues/en/trade.json";
import type upload from "../catalogues/en/upload.json";
import type welcome from "../catalogues/en/welcome.json";
import type withdraw from "../catalogues/en/withdraw.json";

/** One line for each area. */
interface Areas {
  account: typeof account;
  alerts: typeof alerts;
  assets: typeof assets;
  bank: typeof bank;
  center: typeof center;
  chat: typeof chat;
  common: typeof common;
  deposit: typeof deposit;
  errors: typeof errors;
  fields: typeof fields;
  figures: typeof figures;
  help: typeof help;
  home: typeof home;
  identity: typeof identity;
  install: typeof install;
  invite: typeof invite;
  leave: typeof leave;
  limits: typeof limits;
  mail: typeof mail;
  market: typeof market;
  message: typeof message;
  mine: typeof mine;
  notice: typeof notice;
  order: typeof order;
  orders: typeof orders;
  push: typeof push;
  shell: typeof shell;
  trade: typeof trade;
  upload: typeof upload;
  welcome: typeof welcome;
  withdraw: typeof withdraw;
}

export type MessageId = { [Name in keyof Areas]: keyof Areas[Name] & string }[keyof Areas];
