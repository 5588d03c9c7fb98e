import { formatDecimal } from "../money/decimal.ts";
import type { MicroUsd } from "../money/money.ts";
import { divideDown, divideUp, MICRO_PER_CENT } from "../money/rounding.ts";

/** Smallest and largest amount of one bank deposit. */
export const BANK_DEPOSIT_MIN = 20_000_000n as MicroUsd;
export const BANK_DEPOSIT_MAX = 50_000_000_000n as MicroUsd;

/** ISO 4217 currencies whose smallest unit isn't a hundredth → number of decimal places. */
const DIGITS: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
};

/** Returns how many decimal places a currency has: 2 for EUR, 0 for VND and JPY, 3 for KWD. */
export function currencyDigits(currency: string): number {
  return DIGITS[currency] ?? 2;
}

const SCALE = 1_000_000_000_000n;

/**
 * Converts a deposit to another currency, in that currency's smallest units, rounded down so that the member never
 * transfers more than the deposit is worth. `rate` is how much of the currency one USD costs, in millionths. When a
 * transfer is announced, the database calculates the amount itself (`announce_bank_deposit`). Its result and the app's
 * preview are tested against this function.
 */
export function fiatOfUsd(amount: MicroUsd, rate: bigint, digits: number): bigint {
  return divideDown(amount * rate * 10n ** BigInt(digits), SCALE);
}

/**
 * Converts a received amount back to USD, in whole cents, rounded up at the house's cost. The database credits by the
 * same rule. The tests use this function to show that the amount `fiatOfUsd` asks for is never worth more than the
 * deposit, and with one unit more never less.
 */
export function usdOfFiat(fiat: bigint, rate: bigint, digits: number): MicroUsd {
  return (divideUp(fiat * 100_000_000n, 10n ** BigInt(digits) * rate) * MICRO_PER_CENT) as MicroUsd;
}

/** Writes an amount in smallest units with its decimal places: 123450n with two places is `1234.50`. */
export function formatFiat(fiat: bigint, digits: number): string {
  return formatDecimal(fiat, digits);
}

/** Returns the remainder modulo 97 of a text of digits and letters, with letters counting as 10 to 35 (ISO 7064). */
function remainderOf97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}

/**
 * Makes an ISO 11649 creditor reference such as `RF18539007547034`. Throws unless the body is 1 to 21 digits and
 * capital letters.
 */
export function creditorReference(body: string): string {
  if (!/^[A-Z0-9]{1,21}$/.test(body)) throw new RangeError(`not the body of a reference: ${body}`);
  return `RF${String(98 - remainderOf97(`${body}RF00`)).padStart(2, "0")}${body}`;
}

export function isCreditorReference(text: string): boolean {
  return /^RF[0-9]{2}[A-Z0-9]{1,21}$/.test(text) && remainderOf97(text.slice(4) + text.slice(0, 4)) === 1;
}

/**
 * Number of digits in our references, enough that a typing error that passes the check digits won't match someone
 * else's.
 */
export const REFERENCE_DIGITS = 12;

/**
 * Finds our reference in the text that a member wrote on their transfer, with any grouping and any text around it. Null
 * if there is none or more than one.
 */
export function findReference(text: string): string | null {
  const joined = text.toUpperCase().replace(/[^A-Z0-9]/g, "");
  const found = new Set(
    [...joined.matchAll(new RegExp(`(?=(RF[0-9]{${2 + REFERENCE_DIGITS}}))`, "g"))]
      .map(([, reference = ""]) => reference)
      .filter(isCreditorReference),
  );
  const [only] = found;
  return found.size === 1 && only !== undefined ? only : null;
}

export interface Remittance {
  readonly holder: string;
  /** IBAN or account number. */
  readonly number: string;
  readonly bankCode: string | null;
  /** Amount in the currency's smallest units. */
  readonly fiat: bigint;
  readonly currency: string;
  readonly reference: string;
}

/**
 * Makes the text of the QR code with which a banking app fills in a transfer: EPC for EUR, VietQR for VND, null for
 * others.
 */
export function remittanceCode(remittance: Remittance): string | null {
  if (remittance.currency === "EUR") return epcCode(remittance);
  return remittance.currency === "VND" && remittance.bankCode !== null
    ? vietQrCode(remittance, remittance.bankCode)
    : null;
}

/** Makes an EPC069-12 code, version 002: a credit transfer with a structured reference. */
function epcCode({ holder, number, bankCode, fiat, reference }: Remittance): string {
  const name = holder.slice(0, 70);
  return ["BCD", "002", "1", "SCT", bankCode ?? "", name, number, `EUR${formatFiat(fiat, 2)}`, "", reference].join(
    "\n",
  );
}

/** Writes one field of an EMV code: two digits of id, two of length, then the value. */
function emv(name: string, value: string): string {
  return `${name}${String(value.length).padStart(2, "0")}${value}`;
}

/** Makes a code of Vietnam's NAPAS 247: a transfer to an account, with the reference as its purpose. */
function vietQrCode({ number, fiat, reference }: Remittance, bankCode: string): string {
  const account = emv("00", bankCode) + emv("01", number);
  const fields =
    emv("00", "01") +
    emv("01", "12") +
    emv("38", emv("00", "A000000727") + emv("01", account) + emv("02", "QRIBFTTA")) +
    emv("53", "704") +
    emv("54", formatFiat(fiat, 0)) +
    emv("58", "VN") +
    emv("62", emv("08", reference)) +
    "6304";
  return fields + crc16(fields);
}

/** Returns the CRC-16/CCITT-FALSE of an ASCII text as four hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const character of text) {
    crc ^= character.charCodeAt(0) << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}
