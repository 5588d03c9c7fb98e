import {
  accept,
  creditorReference,
  currencyDigits,
  formatPrefixedId,
  formatRate,
  type Instant,
  type MemberId,
  parsePrefixedId,
  type Rate,
  type Refusal,
  REFERENCE_DIGITS,
  type Verdict,
} from "@fairtick/domain";
import { randomInt } from "node:crypto";
import type { depositCards, Output } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { readRegion } from "../regions/index.ts";
import { refuseNewDeposit } from "./may-deposit.ts";

export const formatCardId = (cardId: bigint): string => formatPrefixedId("crd", cardId);
/** Parses a card id; null if the text isn't one. */
export const parseCardId = (text: string): bigint | null => parsePrefixedId("crd", text);

/** A stored version of a card; `rate` is units of the currency for one USD, in millionths. */
export interface CardRow {
  readonly card_id: bigint;
  readonly version: number;
  readonly regions: readonly string[];
  readonly currency: string;
  readonly digits: number;
  readonly bank: string;
  readonly bank_code: string | null;
  readonly holder: string;
  readonly number: string;
  readonly note: string;
  readonly rate: bigint;
  readonly active: boolean;
}

export function presentCard(
  card: Pick<CardRow, "card_id" | "version" | "bank" | "bank_code" | "holder" | "number" | "note" | "rate">,
) {
  const { version, bank, bank_code: bankCode, holder, number, note, rate } = card;
  const cardId = formatCardId(card.card_id);
  return { cardId, version, bank, bankCode, holder, number, note, rate: formatRate(rate as Rate) };
}

const FOR_REGION = "active AND (regions = '{}' OR $1 = ANY (regions))";

/** Returns FIELD_INVALID naming the field if a region doesn't exist; null if it does. */
export async function refuseUnknownRegion(
  { databases }: Pick<Context, "databases">,
  region: string,
): Promise<Refusal | null> {
  if ((await readRegion(databases.reader, region)) !== null) return null;
  return { error: "FIELD_INVALID", params: { field: "region" }, fields: { region: "FIELD_INVALID" } };
}

/** Lists currencies that can be sent from a region, by name; from the member's own region if none is named. */
export async function bankCurrencies(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  wanted?: string,
): Promise<string[]> {
  const [member] = await databases.sessions.query<{ region: string }>(
    "SELECT region FROM members WHERE member_id = $1",
    [memberId],
  );
  const region = wanted ?? member?.region ?? "";
  const rows = await databases.reader.query<{ currency: string }>(
    `SELECT DISTINCT currency FROM receiving_cards_now WHERE ${FOR_REGION} ORDER BY currency`,
    [region],
  );
  return rows.map(({ currency }) => currency);
}

/** Lists cards for a region and currency. Refuses FIELD_INVALID for an unknown region, and as `refuseNewDeposit`. */
export async function listCards(
  context: Pick<Context, "databases" | "config">,
  memberId: MemberId,
  wanted: { readonly region: string; readonly currency: string },
  now: Instant,
): Promise<Verdict<Output<typeof depositCards>>> {
  const refusal = await refuseNewDeposit(context, memberId, now);
  if (refusal !== null) return { ok: false, refusal };
  const unknown = await refuseUnknownRegion(context, wanted.region);
  if (unknown !== null) return { ok: false, refusal: unknown };
  const rows = await context.databases.reader.query<CardRow>(
    `SELECT * FROM receiving_cards_now WHERE ${FOR_REGION} AND currency = $2 ORDER BY card_id`,
    [wanted.region, wanted.currency],
  );
  return accept(rows.map(presentCard));
}

/** Reads a card in force; null if there is none with that id. */
export async function findCard(db: Queryable, cardId: string): Promise<CardRow | null> {
  const id = parseCardId(cardId);
  if (id === null) return null;
  const [row] = await db.query<CardRow>("SELECT * FROM receiving_cards_now WHERE card_id = $1 AND active", [id]);
  return row ?? null;
}

/** Makes the reference that a member writes on their transfer. It is random, so that one says nothing about another. */
export function newReference(): string {
  const half = 10 ** (REFERENCE_DIGITS / 2);
  const digits = [randomInt(half), randomInt(half)].map((part) => String(part).padStart(REFERENCE_DIGITS / 2, "0"));
  return creditorReference(digits.join(""));
}

interface SandboxCard {
  readonly regions: readonly string[];
  readonly currency: string;
  readonly bank: string;
  readonly bankCode: string | null;
  readonly holder: string;
  readonly number: string;
  readonly rate: bigint;
}

const SANDBOX_NOTE = "Sandbox: this account takes no money. Do not send any.";

/** Account numbers from textbooks, which belong to nobody. Two per currency, so that there is a choice. */
const SANDBOX_CARDS: readonly SandboxCard[] = [
  {
    regions: [],
    currency: "EUR",
    bank: "Test bank (sandbox)",
    bankCode: null,
    holder: "Fairtick test, no real money",
    number: "DE89370400440532013000",
    rate: 921_500n,
  },
  {
    regions: [],
    currency: "USD",
    bank: "Test bank (sandbox)",
    bankCode: null,
    holder: "Fairtick test, no real money",
    number: "TEST000123456789",
    rate: 1_000_000n,
  },
  {
    regions: ["VN"],
    currency: "VND",
    bank: "Test bank Hanoi (sandbox)",
    bankCode: "970400",
    holder: "FAIRTICK TEST",
    number: "000000012345",
    rate: 25_410_000_000n,
  },
  {
    regions: [],
    currency: "EUR",
    bank: "Second test bank (sandbox)",
    bankCode: null,
    holder: "Fairtick test, no real money",
    number: "NL91ABNA0417164300",
    rate: 921_500n,
  },
  {
    regions: [],
    currency: "USD",
    bank: "Second test bank (sandbox)",
    bankCode: null,
    holder: "Fairtick test, no real money",
    number: "TEST000987654321",
    rate: 1_000_000n,
  },
  {
    regions: ["VN"],
    currency: "VND",
    bank: "Test bank Da Nang (sandbox)",
    bankCode: "970415",
    holder: "FAIRTICK TEST",
    number: "000000054321",
    rate: 25_410_000_000n,
  },
];

/** Gives a sandbox its cards if it has none. */
export async function seedReceivingCards({ config, databases }: Pick<Context, "config" | "databases">): Promise<void> {
  if (config.deployment !== "sandbox") return;
  const cards = SANDBOX_CARDS.map((card, place) => ({
    regions: card.regions,
    currency: card.currency,
    bank: card.bank,
    bankCode: card.bankCode,
    holder: card.holder,
    number: card.number,
    cardId: String(place + 1),
    digits: currencyDigits(card.currency),
    note: SANDBOX_NOTE,
    rate: String(card.rate),
  }));
  await databases.console.query("SELECT found_receiving_cards($1)", [JSON.stringify(cards)]);
}
