import { Readable } from "node:stream";
import { FileAnswer } from "./http/index.ts";

/** A cell of a CSV file. Instants (columns `…At` and `time`) are written in UTC in a form that spreadsheets read. */
export type CsvCell = string | number | boolean | null | undefined;

/** Makes a CSV file with a header line (RFC 4180, UTF-8). */
export function csvFile<Name extends string>(
  fileName: string,
  columns: readonly Name[],
  rows: AsyncIterable<Readonly<Partial<Record<Name, CsvCell>>>>,
): FileAnswer {
  return new FileAnswer(Readable.from(csvLines(columns, rows)), "text/csv; charset=utf-8", fileName);
}

/** Yields the same file in pieces, for files that are part of something larger. */
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
 * Defuses text that a spreadsheet would run as a formula: text that starts with one of these signs, unless it is just a signed
 * number. In some languages cells are separated by semicolons or tabs, so a formula may also start within a text.
 */
function disarmed(text: string): string {
  if (/^-[0-9]+(?:\.[0-9]+)?$/.test(text)) return text;
  const first = /^\s*[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text;
  return first.replaceAll(/([;\t\r\n]\s*)([=+\-@＝＋－＠])/g, "$1'$2");
}
