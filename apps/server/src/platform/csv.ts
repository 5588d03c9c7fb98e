import { Readable } from "node:stream";
import { FileAnswer } from "./http/index.ts";

/** A cell of the file. Instants (`…At`, `time`) are written in UTC, as spreadsheets read them. */
export type CsvCell = string | number | boolean | null | undefined;

/** A CSV file of rows as they come, with a head line; RFC 4180, UTF-8. */
export function csvFile<Name extends string>(
  fileName: string,
  columns: readonly Name[],
  rows: AsyncIterable<Readonly<Partial<Record<Name, CsvCell>>>>,
): FileAnswer {
  return new FileAnswer(Readable.from(csvLines(columns, rows)), "text/csv; charset=utf-8", fileName);
}

/** The same in pieces, for files that are not answered by themselves. */
export async function* csvLines<Name extends string>(
  columns: readonly Name[],
  rows: AsyncIterable<Readonly<Partial<Record<Name, CsvCell>>>>,
): AsyncGenerator<string> {
  yield `${columns.join(",")}\r\n`;
  for await (const row of rows) yield `${columns.map((column) => cellText(column, row[column])).join(",")}\r\n`;
}

function cellText(column: string, cell: CsvCell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number" && /(?:At|^time)$/.test(column)) return new Date(cell).toISOString();
  const safe = disarmed(String(cell));
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Spreadsheets run what begins with one of these signs as a formula, a sign before more than a number among them. Where their
 * language parts cells by semicolons or tabs, such a beginning may stand within a text too.
 */
function disarmed(text: string): string {
  if (/^-[0-9]+(?:\.[0-9]+)?$/.test(text)) return text;
  const first = /^\s*[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text;
  return first.replaceAll(/([;\t\r\n]\s*)([=+\-@＝＋－＠])/g, "$1'$2");
}
