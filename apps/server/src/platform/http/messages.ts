import type { ErrorName, Refusal } from "@fairtick/domain";
import { hasMessage, languageOf, translate, type LanguageCode, type MessageId } from "@fairtick/i18n/server";

/** Prompts of fields whose name means different things in different calls: `<path>.<field>` → id of the prompt. */
const PROMPTS: Readonly<Record<string, string>> = {
  "auth/register.password": "fields.enter.loginPassword",
  "auth/resetPassword.password": "fields.enter.newPassword",
  "user/changeLoginPassword.password": "fields.enter.newPassword",
  "user/setTradePassword.password": "fields.enter.paymentPassword",
  "user/resetTradePassword.password": "fields.enter.paymentPassword",
  "deposit/bank.amount": "fields.enter.depositAmount",
  "withdraw/create.amount": "fields.enter.withdrawalAmount",
};

/** Fields that are sums or prices. Their messages say which form the value must have. */
const DECIMALS: Readonly<Record<string, MessageId>> = {
  amount: "errors.field.usd",
  stake: "errors.field.usd",
  dailyLoss: "errors.field.usd",
  dailyStake: "errors.field.usd",
  quantity: "errors.field.usdt",
  limitPrice: "errors.field.price",
  price: "errors.field.price",
};

/** The field that a refusal is about, by call, for rules that don't know about fields. */
const FIELDS: Readonly<Record<string, string>> = {
  "user/changeLoginPassword.WRONG_PASSWORD": "oldPassword",
  "user/setTradePassword.WRONG_PASSWORD": "loginPassword",
  "user/setTradePassword.TRADE_PASSWORD_WRONG": "oldPassword",
  "user/setTradePassword.TRADE_PASSWORD_LOCKED": "oldPassword",
  "user/resetTradePassword.WRONG_PASSWORD": "loginPassword",
  "user/exportData.WRONG_PASSWORD": "loginPassword",
  "user/withdrawConsent.WRONG_PASSWORD": "loginPassword",
  "user/close.WRONG_PASSWORD": "loginPassword",
  "withdraw/create.TRADE_PASSWORD_WRONG": "tradePassword",
  "withdraw/create.TRADE_PASSWORD_LOCKED": "tradePassword",
};

/** Params that are instants. They are shown as date and time. */
const INSTANTS = new Set(["retryAt", "until", "nextChange"]);

/** Params that are sums of money if they are text. They are shown with the language's separators. */
const SUMS = new Set(["min", "max", "available", "limit", "left", "below"]);

/** Refusals that name the law behind them if it is known, in the words of the screens. */
const RULES: Partial<Readonly<Record<ErrorName, "common.region.practice" | "common.region.blocked">>> = {
  REGION_PRACTICE_ONLY: "common.region.practice",
  REGION_BLOCKED: "common.region.blocked",
};

/** Returns the message of a refusal. A limit on the number of orders has its own sentence; all other limits are sums of money. */
function wordsOf({ error, params }: Refusal): MessageId {
  if (params?.["name"] === "runningOrders") return "errors.MEMBER_LIMIT.runningOrders";
  const rule = params?.["rule"] === undefined ? undefined : RULES[error];
  return rule ?? `errors.${error}`;
}

/** Makes the text of a refusal. Only here does an error name become words. */
export function messageOf(refusal: Refusal, lang: LanguageCode, path: string): string {
  const [field] = Object.entries(refusal.fields ?? {});
  if (field) return fieldMessage(field[0], field[1], lang, path);
  const params: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(refusal.params ?? {})) params[name] = shown(name, value, lang);
  if (refusal.error.startsWith("FIELD_")) params["field"] = labelOf(String(params["field"] ?? ""), lang, path);
  return translate(lang, wordsOf(refusal), params);
}

/** Makes the texts of a failure's `fields`, by field name. */
export function fieldMessages(refusal: Refusal, lang: LanguageCode, path: string): Record<string, string> | undefined {
  if (!refusal.fields) {
    const field = FIELDS[`${path}.${refusal.error}`];
    return field === undefined ? undefined : { [field]: messageOf(refusal, lang, path) };
  }
  return Object.fromEntries(
    Object.entries(refusal.fields).map(([name, error]) => [name, fieldMessage(name, error, lang, path)]),
  );
}

function fieldMessage(name: string, error: ErrorName, lang: LanguageCode, path: string): string {
  if (error === "FIELD_MISSING") {
    const prompt = PROMPTS[`${path}.${name}`] ?? `fields.enter.${name}`;
    if (hasMessage(prompt)) return translate(lang, prompt);
  }
  const form = DECIMALS[name];
  if (form !== undefined && (error === "FIELD_INVALID" || error === "FIELD_TOO_LONG"))
    return translate(lang, form, { field: labelOf(name, lang, path) });
  return translate(lang, `errors.${error}`, { field: labelOf(name, lang, path) });
}

/** Returns a field's name as people see it. Codes are sent `to` an address; in all other calls, `to` is the end of a span of time. */
function labelOf(name: string, lang: LanguageCode, path: string): string {
  const id = name === "to" && !path.startsWith("auth/") ? "fields.until" : `fields.${name}`;
  return hasMessage(id) ? translate(lang, id) : name || translate(lang, "fields.form");
}

function shown(name: string, value: string | number, lang: LanguageCode): string | number {
  if (SUMS.has(name) && typeof value === "string" && /^-?[0-9]+\.[0-9]{2}$/.test(value)) {
    const places = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    return new Intl.NumberFormat(languageOf(lang).locale, places).format(value as Intl.StringNumericLiteral);
  }
  if (!INSTANTS.has(name) || !Number.isFinite(Number(value))) return value;
  return new Intl.DateTimeFormat(languageOf(lang).locale, {
    dateStyle: "medium",
    timeStyle: "medium",
    timeZone: "UTC",
  })
    .format(new Date(Number(value)))
    .concat(" UTC");
}
