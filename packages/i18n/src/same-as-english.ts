import type { LanguageCode } from "./languages.ts";

/** Names and units that are written alike in every language. */
const NAMES = /\b(?:Bitcoin|CSV|Dogecoin|Ether|Fairtick|MACD|RSI|Solana|USDT?|XRP|ms)\b/g;

/** Messages whose right word happens to be the English one. */
const SAME_WORDS: Partial<Record<LanguageCode, readonly string[]>> = {
  ri: ["FX"],
  de: [
    "Bank",
    "Chain",
    "Chat",
    "Fairness",
    "Gold",
    "Name",
    "Order",
    "Orders",
    "Passkey",
    "Portfolio",
    "System",
    "Version {version}",
    "Wallet",
  ],
  xby: ["Chat", "Real"],
  ydl: ["Account", "Area", "Chat", "E-mail", "File", "Home", "Max", "Menu", "Passkey", "Password"],
  yue: ["E-mail", "Passkey"],
  fr: [
    "Correction",
    "Dollar / franc",
    "Dollar / yen",
    "E-mail",
    "Euro / dollar",
    "Max",
    "Menu",
    "Message",
    "Messages",
    "Notifications",
    "Page",
    "Positions",
    "Question",
    "Type",
    "Version {version}",
  ],
};

/** Whether a message that reads as in English may do so: nothing but figures and names, or a word both share. */
export function mayReadAsEnglish(message: string, code: LanguageCode): boolean {
  const words = message.replaceAll(/\{[^{}]*\}/g, "").replaceAll(NAMES, "");
  return !/\p{L}/u.test(words) || (SAME_WORDS[code]?.includes(message) ?? false);
}
