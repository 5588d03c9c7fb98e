/**
 * Reads incoming payments from a bank's messages: camt.053 (a statement) and camt.054 (a notification) of ISO 20022, in any
 * version. Amounts stay strings until they are converted to the smallest unit; they are never floating-point numbers.
 */
import { accept, currencyDigits, findReference, refuse, type Verdict } from "@fairtick/domain";
import { XMLParser } from "fast-xml-parser";

/** One booked credit. */
export interface StatementLine {
  /** IBAN or account number of the receiving account, without spaces. */
  readonly account: string;
  /** The bank's own reference, which is unique within the account. */
  readonly entryReference: string;
  /** The reference of the entry, if the transaction within it has a reference of its own. */
  readonly alsoReference: string | null;
  /** Amount in the currency's smallest unit. */
  readonly amount: bigint;
  readonly digits: number;
  readonly currency: string;
  /** Booking date, such as `2026-11-21`. */
  readonly bookedOn: string;
  readonly debtor: string;
  readonly remittance: string;
  /** Our reference, if the payer's text contains one. */
  readonly reference: string | null;
}

export interface ParsedStatement {
  readonly message: string;
  readonly lines: readonly StatementLine[];
  /** What the bank takes back: reversed credits, returns, and debits with a reference of ours. */
  readonly returns: readonly StatementLine[];
  /** Credits that could not be read, each with the line of the file where its entry begins. */
  readonly unread: readonly UnreadLine[];
  /** Accounts of all statements in the message, without spaces. */
  readonly accounts: readonly string[];
}

/** Why a credit could not be read: the part that is missing, invalid or too long. */
export type UnreadCause = "account" | "amount" | "currency" | "date" | "longReference" | "reference";

export interface UnreadLine {
  readonly line: number;
  readonly cause: UnreadCause;
}

export const STATEMENT_CHARACTERS_MAX = 2_000_000;
const LINES_MAX = 5_000;
const TEXT_MAX = 500;
const REFERENCE_MAX = 120;

/** The part of a message that is about one account. */
interface Account {
  readonly number: string;
  /** The bank's id of this statement or notification. */
  readonly statement: string;
}

type Node = { readonly [name: string]: unknown };

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  processEntities: true,
  htmlEntities: false,
  // Keeps where each element begins, for messages that name a line.
  captureMetaData: true,
});
const METADATA = XMLParser.getMetaDataSymbol() as unknown as symbol;

/**
 * Parses a bank's message. Refuses FIELD_INVALID[cause] for a file that is too large (`size`, `lines`), has a document type
 * (`documentType[line]`), is broken (`xml[line,detail]`), or is another document (`document[found]`).
 */
export function parseStatement(xml: string): Verdict<ParsedStatement> {
  if (xml.length > STATEMENT_CHARACTERS_MAX) return invalid("size");
  // A document type could name external files and addresses, or entities that expand without limit. No bank sends one.
  const type = /<!(?:DOCTYPE|ENTITY)/i.exec(xml);
  if (type !== null) return invalid("documentType", { line: lineAt(xml, type.index) });
  const found = messageIn(xml);
  if (!found.ok) return found;
  const message = found.value;
  const lines: StatementLine[] = [];
  const returns: StatementLine[] = [];
  const unread: UnreadLine[] = [];
  const accounts = new Set<string>();
  const name = textOf(message, "GrpHdr", "MsgId");
  for (const node of [...nodesOf(message["Stmt"]), ...nodesOf(message["Ntfctn"])]) {
    const account = { number: accountOf(node), statement: textOf(node, "Id") || name };
    if (account.number !== "") accounts.add(account.number);
    for (const entry of nodesOf(node["Ntry"]).filter(isBookedCredit)) {
      for (const line of linesOf(account, entry)) {
        if (typeof line === "string") unread.push({ line: lineAt(xml, startOf(entry)), cause: line });
        else lines.push(line);
      }
      if (lines.length > LINES_MAX) return invalid("lines", { line: lineAt(xml, startOf(entry)), max: LINES_MAX });
    }
    returns.push(...nodesOf(node["Ntry"]).flatMap((entry) => returnsOf(account, entry)));
    if (returns.length > LINES_MAX) return invalid("lines", { max: LINES_MAX });
  }
  const shown = name === "" ? "without a name" : name.slice(0, 80);
  return accept({ message: shown, lines, returns, unread, accounts: [...accounts] });
}

/** Finds the statement or notification in a document. Refuses `xml` and `document` as `parseStatement` does. */
function messageIn(xml: string): Verdict<Node> {
  let root: Node | null;
  try {
    root = nodeOf(parser.parse(xml, true));
  } catch (error) {
    const [, detail = "", line = "1"] = /^(.*):(\d+):\d+$/s.exec(error instanceof Error ? error.message : "") ?? [];
    return invalid("xml", { line: Number(line), detail: plain(detail).slice(0, 200) });
  }
  const document = nodeOf(root?.["Document"]);
  const message = nodeOf(document?.["BkToCstmrStmt"]) ?? nodeOf(document?.["BkToCstmrDbtCdtNtfctn"]);
  if (message !== null) return accept(message);
  return invalid("document", { found: plain(Object.keys(document ?? root ?? {}).join(", ")).slice(0, 80) });
}

type Cause = "size" | "lines" | "documentType" | "xml" | "document";

function invalid(cause: Cause, where: Readonly<Record<string, string | number>> = {}): Verdict<never> {
  return refuse("FIELD_INVALID", { field: "statement", cause, ...where }, { statement: "FIELD_INVALID" });
}

/** Returns the line number of a position in the text, counted from one as in editors. */
function lineAt(xml: string, index: number): number {
  let line = 1;
  for (let at = xml.indexOf("\n"); at !== -1 && at < index; at = xml.indexOf("\n", at + 1)) line += 1;
  return line;
}

function startOf(entry: Node): number {
  const data = Reflect.get(entry, METADATA) as { readonly startIndex?: number } | undefined;
  return data?.startIndex ?? 0;
}

function accountOf(account: Node): string {
  const number = textOf(account, "Acct", "Id", "IBAN") || textOf(account, "Acct", "Id", "Othr", "Id");
  return number.toUpperCase().replace(/[^A-Z0-9]/g, "");
}

/** Returns whether an entry is a booked credit: not a debit, not pending, and not a reversal. */
function isBookedCredit(entry: Node): boolean {
  return textOf(entry, "CdtDbtInd") === "CRDT" && isBooked(entry) && textOf(entry, "RvslInd") !== "true";
}

function isBooked(entry: Node): boolean {
  return (textOf(entry, "Sts", "Cd") || textOf(entry, "Sts")) === "BOOK";
}

/** Returns the debits by which the bank takes a credit back: marked as a reversal or return, or with a reference of ours. */
function returnsOf(account: Account, entry: Node): StatementLine[] {
  if (textOf(entry, "CdtDbtInd") !== "DBIT" || !isBooked(entry)) return [];
  const details = nodesOf(entry["NtryDtls"]).flatMap((each) => nodesOf(each["TxDtls"]));
  const marked = textOf(entry, "RvslInd") === "true" || details.some((each) => nodeOf(each["RtrInf"]) !== null);
  return linesOf(account, entry).filter(
    (line): line is StatementLine => typeof line !== "string" && (marked || line.reference !== null),
  );
}

/**
 * Returns an entry's lines: one, or one for each transaction in it if they have amounts of their own. A transaction's own
 * reference comes first, because it is the same in a notification and in the statement that follows.
 */
function linesOf(account: Account, entry: Node): (StatementLine | UnreadCause)[] {
  const transactions = nodesOf(entry["NtryDtls"]).flatMap((details) => nodesOf(details["TxDtls"]));
  const bank = textOf(entry, "AcctSvcrRef");
  const reference = bank || numberWithin(account, entry);
  const [alone = {}, ...more] = transactions;
  if (more.length === 0) {
    const own = textOf(alone, "Refs", "AcctSvcrRef");
    const references = own === "" || own === bank ? [reference, ""] : [own, bank];
    return [lineOf(account.number, entry, alone, references, entry["Amt"])];
  }
  return transactions.map((transaction, place) => {
    const own = textOf(transaction, "Refs", "AcctSvcrRef") || (reference === "" ? "" : `${reference}/${place + 1}`);
    return lineOf(account.number, entry, transaction, [own, ""], transaction["Amt"] ?? amountWithin(transaction));
  });
}

/** Makes a reference from an entry's number, which is unique only within its statement, together with what identifies that. */
function numberWithin({ statement }: Account, entry: Node): string {
  const number = textOf(entry, "NtryRef");
  if (number === "" || statement === "") return "";
  return [statement, number, bookedOnOf(entry), plainText(entry["Amt"])].join("/");
}

function bookedOnOf(entry: Node): string {
  return (textOf(entry, "BookgDt", "Dt") || textOf(entry, "BookgDt", "DtTm")).slice(0, 10);
}

function amountWithin(transaction: Node): unknown {
  return nodeOf(nodeOf(transaction["AmtDtls"])?.["TxAmt"])?.["Amt"];
}

function lineOf(
  account: string,
  entry: Node,
  transaction: Node,
  references: readonly string[],
  amountNode: unknown,
): StatementLine | UnreadCause {
  const currency = textOf(nodeOf(amountNode) ?? {}, "@Ccy");
  const digits = currencyDigits(currency);
  const amount = unitsOf(plainText(amountNode), digits);
  const bookedOn = bookedOnOf(entry);
  const [entryReference = "", alsoReference = ""] = references.map(plain);
  // If they were cut off, two different references could become the same.
  if (entryReference.length > REFERENCE_MAX || alsoReference.length > REFERENCE_MAX) return "longReference";
  if (account === "") return "account";
  if (entryReference === "") return "reference";
  if (!/^[A-Z]{3}$/.test(currency)) return "currency";
  if (amount === null) return "amount";
  if (!isDay(bookedOn)) return "date";
  const said = remittanceOf(transaction);
  const endToEnd = textOf(transaction, "Refs", "EndToEndId");
  return {
    account,
    entryReference,
    alsoReference: alsoReference === "" ? null : alsoReference,
    amount,
    digits,
    currency,
    bookedOn,
    debtor: plain(debtorOf(transaction)).slice(0, TEXT_MAX),
    remittance: plain(said || endToEnd).slice(0, TEXT_MAX),
    reference: findReference(said) ?? findReference(endToEnd),
  };
}

function isDay(text: string): boolean {
  return /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Returns what the payer wrote with the transfer: references first, then free text. */
function remittanceOf(transaction: Node): string {
  const written = nodeOf(transaction["RmtInf"]);
  const structured = nodesOf(written?.["Strd"]).map((each) => textOf(each, "CdtrRefInf", "Ref"));
  const free = valuesOf(written?.["Ustrd"]).map(plainText);
  return [...structured, ...free].filter((text) => text !== "").join(" ");
}

function debtorOf(transaction: Node): string {
  return textOf(transaction, "RltdPties", "Dbtr", "Nm") || textOf(transaction, "RltdPties", "Dbtr", "Pty", "Nm");
}

/** Converts an amount to the smallest unit: `1843.5` with 2 digits is 184_350n. Null for zero, a sign, or too many decimals. */
function unitsOf(text: string, digits: number): bigint | null {
  const parts = /^([0-9]{1,15})(?:\.([0-9]{0,10}))?$/.exec(text);
  const fraction = (parts?.[2] ?? "").replace(/0+$/, "");
  if (parts?.[1] === undefined || fraction.length > digits) return null;
  const units = BigInt(parts[1] + fraction.padEnd(digits, "0"));
  return units > 0n ? units : null;
}

/** Removes control characters, which PostgreSQL (for NUL) can't store and nobody can read. */
function plain(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, " ")
    .toWellFormed()
    .trim();
}

function nodeOf(value: unknown): Node | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Node) : null;
}

function valuesOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}

function nodesOf(value: unknown): Node[] {
  return valuesOf(value)
    .map(nodeOf)
    .filter((node) => node !== null);
}

function plainText(value: unknown): string {
  if (typeof value === "string") return value;
  const text = nodeOf(value)?.["#text"];
  return typeof text === "string" ? text : "";
}

/** Returns the text at a path; empty if there is none. */
function textOf(node: Node, ...path: readonly string[]): string {
  let here: unknown = node;
  for (const name of path) here = nodeOf(here)?.[name];
  return plainText(here);
}
