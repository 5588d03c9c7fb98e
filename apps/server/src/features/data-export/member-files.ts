import { type Instant, type MemberId, WALLETS } from "@fairtick/domain";
import type { LanguageCode } from "@fairtick/i18n";
import type { Order } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { type CsvCell, csvLines } from "../../platform/csv.ts";
import { eachInvited } from "../invites/index.ts";
import { eachFundRecord, wordRecords } from "../ledger/index.ts";
import { eachMessage } from "../notices/index.ts";
import { eachSettledOrder, listPositions, ORDER_EXPORT_COLUMNS, type Placing } from "../orders/index.ts";
import { eachSaid } from "../support/index.ts";
import { readAccountFacts } from "./account-facts.ts";
import { KEPT_SECTIONS, readKept } from "./kept-rows.ts";
import type { TextFile } from "./zip-of.ts";

/** Rows that are in the archive twice: completely as JSON, and with these columns as CSV. */
interface Table<Row extends object> {
  readonly name: string;
  readonly columns: readonly (keyof Row & string)[];
  readonly rows: () => AsyncIterable<Row>;
  /** Rows of the CSV file if they have words instead of codes. The JSON file keeps the codes. */
  readonly worded?: () => AsyncIterable<Row>;
}

const FUND_COLUMNS = [
  "recordNo",
  "orderNo",
  "time",
  "currency",
  "type",
  "amount",
  "balanceAfter",
  "remark",
  "note",
  "fee",
  "wallet",
] as const;

const MESSAGE_COLUMNS = ["noticeId", "publishedAt", "title", "body", "read"] as const;
const CHAT_COLUMNS = [
  "messageId",
  "createdAt",
  "from",
  "name",
  "text",
  "fileId",
  "fileName",
  "topic",
  "amount",
  "readAt",
] as const;
/** Columns of the members they invited, whose names are masked as in the app. */
const INVITED_COLUMNS = ["username", "joinedAt", "earned"] as const;

/** Returns all files of a member's archive, with texts in `lang`. What isn't a list is in `account.json`. */
export async function memberFiles(
  context: Context,
  placing: Placing,
  memberId: MemberId,
  now: Instant,
  lang: LanguageCode,
): Promise<TextFile[]> {
  const [account, kept] = await Promise.all([
    readAccountFacts(context, memberId, now),
    readKept(context, memberId, now),
  ]);
  const funds = async function* () {
    for (const wallet of WALLETS) yield* eachFundRecord(context, memberId, { wallet, kind: "all" });
  };
  return [
    { name: "account.json", text: once(`${JSON.stringify(account, null, 2)}\n`) },
    ...filesOf({ name: "orders", columns: ORDER_EXPORT_COLUMNS, rows: () => eachOrder(placing, memberId) }),
    ...filesOf({ name: "fund-records", columns: FUND_COLUMNS, rows: funds, worded: () => wordRecords(funds(), lang) }),
    ...filesOf({ name: "messages", columns: MESSAGE_COLUMNS, rows: () => eachMessage(context, memberId) }),
    ...filesOf({ name: "customer-service", columns: CHAT_COLUMNS, rows: () => eachSaid(context, memberId) }),
    ...filesOf({ name: "invited", columns: INVITED_COLUMNS, rows: () => eachInvited(context, memberId) }),
    ...KEPT_SECTIONS.flatMap(({ name, columns }) =>
      filesOf<Readonly<Record<string, unknown>>>({ name, columns, rows: () => each(kept.get(name) ?? []) }),
    ),
  ];
}

/** Reads all orders, one wallet after the other: running ones first, then settled ones, newest first. */
async function* eachOrder(placing: Placing, memberId: MemberId): AsyncGenerator<Order> {
  for (const wallet of WALLETS) {
    let cursor: string | undefined;
    do {
      const page = await listPositions(placing, memberId, { wallet, limit: 1_000, cursor });
      if (!page.ok) throw new Error("the cursor of an export was refused");
      yield* page.value.items;
      cursor = page.value.nextCursor ?? undefined;
    } while (cursor !== undefined);
    yield* eachSettledOrder(placing, memberId, { wallet });
  }
}

function filesOf<Row extends object>({ name, columns, rows, worded = rows }: Table<Row>): TextFile[] {
  return [
    { name: `${name}.json`, text: jsonLines(rows()) },
    { name: `${name}.csv`, text: csvLines(columns, cells(worded(), columns)) },
  ];
}

async function* each<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** Writes rows as a JSON array with one row per line. */
async function* jsonLines(rows: AsyncIterable<object>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const row of rows) {
    yield `${before}${JSON.stringify(row)}`;
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}

async function* cells<Row extends object>(
  rows: AsyncIterable<Row>,
  columns: readonly (keyof Row & string)[],
): AsyncGenerator<Record<keyof Row & string, CsvCell>> {
  for await (const row of rows) {
    const named = columns.map((column) => [column, cellOf(row[column])] as const);
    yield Object.fromEntries(named) as Record<keyof Row & string, CsvCell>;
  }
}

function cellOf(value: unknown): CsvCell {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
}
