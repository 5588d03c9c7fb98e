import type { LanguageCode } from "./languages.ts";

/** Names and units that are written the same in every language. */
const NAMES = /\b(?:Bitcoin|CSV|Dogecoin|Enter|Ether|Fairtick|Heikin-Ashi|MACD|RSI|Solana|TRIX|USDT?|UTC|XRP|ms)\b/g;

/** Messages whose correct translation is the same as the English text. */
const SAME_WORDS: Partial<Record<LanguageCode, readonly string[]>> = {
  ri: ["FX"],
  de: [
    "Bank",
    "Bias",
    "Chain",
    "Chat",
    "Fairness",
    "Gold",
    "H",
    "Momentum",
    "Name",
    "Order",
    "Orders",
    "Parabolic SAR",
    "Passkey",
    "Portfolio",
    "Signal",
    "System",
    "Text",
    "Version {version}",
    "Wallet",
    "Williams %R",
  ],
  xby: ["C", "Chat", "Real", "Williams %R"],
  ydl: [
    "Account",
    "Area",
    "Average true range",
    "Awesome oscillator",
    "Bias",
    "C",
    "Chat",
    "Commodity channel index",
    "E-mail",
    "File",
    "Home",
    "Max",
    "Menu",
    "Momentum",
    "Passkey",
    "Password",
    "Williams %R",
  ],
  yue: ["E-mail", "Parabolic SAR", "Passkey", "Stochastic (KDJ)", "Williams %R"],
  fr: [
    "Awesome oscillator",
    "C",
    "Correction",
    "Dollar / franc",
    "Dollar / yen",
    "E-mail",
    "Euro / dollar",
    "H",
    "Max",
    "Menu",
    "Message",
    "Messages",
    "Momentum",
    "Notifications",
    "O",
    "Page",
    "Positions",
    "Question",
    "Rectangle",
    "Signal",
    "Style",
    "Type",
    "Version {version}",
    "Williams %R",
  ],
};

/**
 * Returns whether a message may read the same as in English: it has only figures and names, or a word that both
 * languages share.
 */
export function mayReadAsEnglish(message: string, code: LanguageCode): boolean {
  const words = message.replaceAll(/\{[^{}]*\}/g, "").replaceAll(NAMES, "");
  return !/\p{L}/u.test(words) || (SAME_WORDS[code]?.includes(message) ?? false);
}
