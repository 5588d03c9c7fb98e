import pg from "pg";
import type { Catalog } from "./catalog.ts";

/**
 * One value of each type in PostgreSQL's text form. Types that aren't listed (enums, composites) are read like text.
 */
const SAMPLES: Readonly<Record<string, string>> = {
  boolean: "t",
  smallint: "1",
  integer: "1",
  bigint: "1",
  oid: "1",
  real: "1.5",
  "double precision": "1.5",
  numeric: "1.5",
  date: "2026-01-31",
  "timestamp without time zone": "2026-01-31 12:00:00",
  "timestamp with time zone": "2026-01-31 12:00:00+00",
  bytea: "\\x00",
  json: "{}",
  jsonb: "{}",
  point: "(1,2)",
  interval: "1 day",
};

/**
 * Returns the JavaScript type that a driver's parsers make of a column: `bigint`, `string`, `Date`, `Buffer`,
 * `bigint[]`, or `json` if JSON.parse decides. It calls the parser with a sample value, so the result is the type that
 * really comes out.
 */
export function readAs(catalog: Catalog, oid: number, parsers: pg.CustomTypesConfig = pg.types): string {
  const type = catalog.types.get(oid);
  const name = type?.name ?? "";
  if (name === "json" || name === "jsonb") return "json";
  const element = type?.element ? catalog.types.get(type.element)?.name : undefined;
  const sample = element === undefined ? (SAMPLES[name] ?? "a") : `{${quote(SAMPLES[element] ?? "a")}}`;
  const parse: (text: string) => unknown = parsers.getTypeParser(oid, "text");
  const value = parse(sample);
  if (!Array.isArray(value)) return kindOf(value);
  const [first] = value as unknown[];
  return element === "json" || element === "jsonb" ? "json[]" : `${kindOf(first)}[]`;
}

function quote(text: string): string {
  return /^[\w.+-]+$/.test(text) ? text : `"${text.replaceAll("\\", "\\\\")}"`;
}

function kindOf(value: unknown): string {
  if (value instanceof Date) return "Date";
  if (value instanceof Uint8Array) return "Buffer";
  return typeof value;
}
