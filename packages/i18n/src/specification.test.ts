import { describe, expect, it } from "vitest";
import { LANGUAGES, type LanguageCode, type MessageId, translate } from "./server.ts";

/** The specification's own words, in its order, each with the values of its message if it has any. */
type Specified = [id: MessageId, words: string, values?: Readonly<Record<string, string>>];
const SPECIFIED: readonly Specified[] = [
  // 2: screens
  ["market.title", "Market"],
  ["orders.title", "Orders"],
  ["identity.closed", "Not yet open"],
  ["home.deposit", "Deposit"],
  ["home.withdraw", "Withdraw"],
  ["home.onlineService", "Online service"],
  ["home.inviteReward", "Invite reward"],
  ["home.limitedTime", "Limited-time"],
  ["home.downloadApp", "Download app"],
  ["home.product", "Product"],
  ["home.latestPrice", "Latest price"],
  ["home.todaysChange", "Today’s change"],
  ["orders.positions", "Positions"],
  ["orders.history", "History"],
  // 4: states
  ["identity.state.unverified", "Unverified"],
  ["identity.state.pending", "Pending"],
  ["identity.state.verified", "Verified"],
  ["identity.state.rejected", "Rejected"],
  ["identity.realName", "Real-name verified"],
  ["assets.state.processing", "Processing"],
  ["assets.state.deposited", "Deposited"],
  ["assets.state.failed", "Deposit failed"],
  ["assets.state.withdrawn", "Withdrawn"],
  ["assets.state.canceled", "Canceled"],
  ["assets.type.system", "System"],
  ["assets.type.deposit", "Deposit"],
  ["assets.type.withdraw", "Withdraw"],
  ["assets.type.instantTrade", "Instant trade"],
  // 5: validation
  ["fields.enter.oldPassword", "Enter current password"],
  ["fields.enter.newPassword", "Enter new password"],
  ["common.passwordsDiffer", "Passwords do not match"],
  ["fields.enter.paymentPassword", "Enter payment password"],
  ["fields.enter.tradePassword", "Enter transaction password"],
  ["withdraw.passwordNeeded", "A transaction password must be set before withdrawing"],
  ["order.tradePasswordNeeded", "A transaction password must be set before ordering"],
  ["fields.enter.account", "Enter username"],
  ["fields.enter.password", "Enter login password"],
  ["fields.enter.region", "Select country/region"],
  ["fields.enter.to", "Enter phone number or e-mail"],
  ["fields.enter.phone", "Enter phone number"],
  ["fields.enter.email", "Enter e-mail"],
  ["fields.enter.code", "Enter verification code"],
  ["fields.enter.address", "Enter withdrawal wallet address"],
  ["fields.enter.withdrawalAmount", "Enter withdrawal amount"],
  ["errors.WITHDRAWAL_BELOW_MINIMUM", "The minimum withdrawal amount is $10.00", { min: "10.00" }],
  [
    "errors.WITHDRAWAL_TOO_LARGE",
    "Withdrawal too large or insufficient balance. At most $5.00 can be withdrawn",
    { max: "5.00" },
  ],
  ["fields.enter.fileId", "Upload the receipt"],
  ["bank.uploadProof", "Upload the proof"],
  ["fields.enter.cardId", "Select a receiving card"],
  ["fields.enter.depositAmount", "Enter deposit amount"],
  ["fields.enter.documentNumber", "Enter ID number"],
  ["fields.enter.familyName", "Enter last name"],
  ["fields.enter.givenName", "Enter first name"],
  ["fields.enter.frontFileId", "Upload front photo"],
  ["fields.enter.backFileId", "Upload back photo"],
  ["errors.FILE_TOO_LARGE", "Upload size must not exceed 100MB", { max: "100MB" }],
  ["errors.INSUFFICIENT_BALANCE", "Insufficient balance. $910.00 is available", { available: "910.00" }],
  ["errors.STAKE_BELOW_MINIMUM", "The minimum order amount is $1.00", { min: "1.00" }],
  ["errors.STAKE_ABOVE_MAXIMUM", "The maximum order amount is $1,000.00", { max: "1,000.00" }],
  ["bank.truthful", "Enter the actual quantity truthfully, or approval may fail."],
  ["deposit.onlyUsdt", "Send only USDT to this address. Anything else cannot be recovered."],
  // 8: errors and successes
  ["common.networkError", "Nerwork Error"],
  ["common.serverError", "Server Error"],
  ["common.loginExpired", "Login expired, please log in again"],
  ["errors.SESSION_EXPIRED", "Login expired, please log in again"],
  ["common.timedOut", "Connection timed out. Tap the screen to retry"],
  ["common.loadFailed", "This page could not be loaded. Tap to reload"],
  ["common.successfullyUpdated", "Successfully updated"],
  ["common.successfullySet", "Successfully set"],
  ["common.operationSuccessful", "Operation successful"],
  ["common.registerSuccessful", "Register successful"],
  ["common.copySuccessful", "Copy successful"],
  ["common.orderSuccessful", "Order successful"],
  ["common.copyFailed", "Copy failed, please copy manually"],
];

describe("the specification's words", () => {
  it.each<Specified>(SPECIFIED)("%s says %j in English", (id, words, values) => {
    expect(translate("en", id, values)).toBe(words);
  });

  it.each<Specified>(SPECIFIED)("%s is translated in every other language", (id, words, values) => {
    const digits = (text: string) => text.replaceAll(/[^0-9]/g, "");
    const numbers = Object.values(values ?? {}).map(digits);
    const lacking = LANGUAGES.filter(({ code }) => {
      if (code === "en") return false;
      const said = translate(code, id, values);
      // A single word may be the same in another language.
      const isEnglish = words.includes(" ") && said === words;
      return said.trim() === "" || isEnglish || !numbers.every((number) => digits(said).includes(number));
    });
    expect(lacking).toEqual([]);
  });
});

describe("the specification's languages", () => {
  it.each<[LanguageCode, string, string]>([
    ["en", "en_US", "English"],
    ["zh", "zh_TW", "Traditional Chinese"],
    ["ri", "ja_JP", "Japanese"],
    ["han", "ko_KR", "Korean"],
    ["de", "de_DE", "German"],
    ["xby", "es_ES", "Spanish"],
    ["ydl", "it_IT", "Italian"],
    ["yue", "vi_VN", "Vietnamese"],
  ])("%s is sent as %s and means %s", (code, lang, name) => {
    expect(LANGUAGES.find((language) => language.code === code)).toMatchObject({ lang, name });
  });

  it.each(["Simplified Chinese", "French"])("%s, which it names without a code, is supported", (name) => {
    expect(LANGUAGES.map((language) => language.name)).toContain(name);
  });
});
