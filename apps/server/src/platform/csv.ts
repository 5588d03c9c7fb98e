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
  const text = String(cell);
  // A leading sign that is no number would be run as a formula by spreadsheets.
  const safe = /^[=+@\t\r]/.test(text) || /^-[^0-9]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
