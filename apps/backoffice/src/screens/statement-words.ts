import type { depositImportStatement, Output } from "@fairtick/protocol/operator";
import { CallFailure } from "../data/call.ts";
import { count, instant } from "../shared/format.ts";

export type ImportReport = Output<typeof depositImportStatement>;

const UNREAD: Readonly<Record<ImportReport["unreadLines"][number]["cause"], string>> = {
  account: "the statement has no account",
  amount: "the amount isn’t valid for its currency",
  currency: "the currency code isn’t valid",
  date: "the booking date isn’t valid",
  longReference: "the bank’s reference is longer than 120 characters",
  reference: "the bank’s reference is missing",
};

/** Returns why a statement was refused; null for any other failure. */
export function sayRefused(failure: unknown): string | null {
  if (!(failure instanceof CallFailure)) return null;
  const { by, importedAt, cause, line, detail, found, account, max } = failure.params;
  if (by !== undefined && typeof importedAt === "number") {
    return `This file was already imported by ${by}, ${instant(importedAt)} UTC. Nothing was imported again.`;
  }
  const at = line === undefined ? "" : ` Line ${count(Number(line))}:`;
  switch (String(cause)) {
    case "size":
      return "The file is too large. A statement can have at most 2,000,000 characters.";
    case "lines":
      return `The file has too many entries.${at} more than ${count(Number(max))} can’t be imported at once. Ask the bank for shorter statements.`;
    case "documentType":
      return `The file wasn’t imported.${at} it has a document type (<!DOCTYPE), which statements don’t have.`;
    case "xml":
      return `The file is broken.${at} ${detail === "" ? "it isn’t XML" : String(detail).replace(/[.\s]+$/, "")}.`;
    case "document":
      return `The file isn’t a statement (camt.053) or a notification (camt.054)${found === "" ? "" : `: it holds ${found}`}.`;
    case "account":
      return `The statement is of account ${account}, which isn’t one of the receiving cards. Nothing was imported.`;
    default:
      return null;
  }
}

export interface ReportRow {
  readonly id: string;
  readonly what: string;
  readonly about: string;
  readonly fiat: string;
  /** Empty when nothing is credited. */
  readonly usd: string;
  readonly depositNo: string | null;
}

/** Lists the imported lines, those that need attention first. */
export function rowsOf(report: ImportReport): ReportRow[] {
  const deposit = (what: string) => (one: { depositNo: string; fiat: string; amount?: string }, place: number) => ({
    id: `${what} ${one.depositNo} ${place}`,
    what,
    about: one.depositNo,
    fiat: one.fiat,
    usd: one.amount ?? "",
    depositNo: one.depositNo,
  });
  const other = (what: string, about: string, fiat = "") => ({
    id: `${what} ${about}`,
    what,
    about,
    fiat,
    usd: "",
    depositNo: null,
  });
  return [
    ...report.unreadLines.map(({ line, cause }) => other("Unreadable", `Line ${count(line)}: ${UNREAD[cause]}`)),
    ...report.differing.map(({ reference, fiat, before }) =>
      other("Differs", `${reference}, previously ${before}`, fiat),
    ),
    ...report.returned.map(deposit("Reversed")),
    ...report.waiting.map(deposit("Second person")),
    ...report.credited.map(deposit("Credited")),
  ];
}

/** Adds amounts with two decimals as integers, never as floats. */
export function sumOf(amounts: readonly string[]): string {
  const cents = amounts.reduce((sum, amount) => sum + BigInt(amount.replace(".", "")), 0n);
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
