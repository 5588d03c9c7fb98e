import { type Describer, readAs, type StatementColumn, StatementRefusal } from "@fairtick/postgres";
import { columnTypes } from "@fairtick/server/platform/database";
import { lineOf, type Modules } from "./ast.ts";
import type { FoundStatement } from "./find-statements.ts";
import { type FieldType, fieldsOf, UnreadableType } from "./row-type.ts";

/** Matches statements that PREPARE accepts. Others (BEGIN, SET, CREATE …) have no rows or parameters to compare. */
const DESCRIBED = /^\s*(SELECT|INSERT|UPDATE|DELETE|MERGE|VALUES|WITH|TABLE)\b/i;

/** Row fields that allow `null`, and whether their column can be null in any statement compared with them. */
export type NullClaims = Map<
  string,
  { readonly about: string; readonly statement: FoundStatement; mayBeNull: boolean }
>;

/**
 * Compares every text of a statement with the database. Returns each problem once. What its Row type says about null is
 * recorded in `claims`, since other statements may have the same Row type.
 */
export async function judgeStatement(
  describer: Describer,
  modules: Modules,
  statement: FoundStatement,
  claims: NullClaims,
): Promise<readonly string[]> {
  const found = new Set<string>();
  let fields: ReadonlyMap<string, FieldType> = new Map();
  try {
    if (statement.row) fields = fieldsOf(modules, statement.module, statement.row);
  } catch (error) {
    if (!(error instanceof UnreadableType)) throw error;
    found.add(`the Row type has a part that this check cannot read: ${error.message}. Write the fields out.`);
  }
  for (const text of statement.texts) {
    if (!DESCRIBED.test(text)) continue;
    try {
      const { columns, parameters } = await describer.describe(text, fields.size === 0 ? "parameters" : undefined);
      if (statement.parameters !== undefined && statement.parameters !== parameters.length)
        found.add(`it takes ${count(parameters.length)}, and ${statement.parameters} are passed`);
      for (const wrong of judgeFields(describer, statement, fields, columns, claims)) found.add(wrong);
    } catch (error) {
      if (!(error instanceof StatementRefusal)) throw error;
      found.add(`PostgreSQL refuses it: ${error.message}${placeOf(text, error.place)}`);
    }
  }
  return [...found];
}

function judgeFields(
  { catalog }: Describer,
  statement: FoundStatement,
  fields: ReadonlyMap<string, FieldType>,
  columns: readonly StatementColumn[],
  claims: NullClaims,
): string[] {
  // Of two columns with the same name, the driver keeps the last.
  const byName = new Map(columns.map((column) => [column.name, column]));
  return [...fields].flatMap(([name, field]) => {
    const column = byName.get(name);
    if (column === undefined) {
      const names = [...byName.keys()].join(", ");
      return [`Row.${name}: the statement has no such column (${names === "" ? "it has none" : `it has ${names}`})`];
    }
    const read = readAs(catalog, column.type, statement.isDriver ? undefined : columnTypes);
    const wrong = wrongIn(name, field, column, { type: catalog.types.get(column.type), read });
    if (field.kinds.has("null") && field.origin !== undefined) {
      const claim = claims.get(field.origin) ?? {
        about: `Row.${name} is ${shown(field)}`,
        statement,
        mayBeNull: false,
      };
      claim.mayBeNull ||= column.nullness !== "never";
      claims.set(field.origin, claim);
    }
    return wrong;
  });
}

/** Returns how a field of a Row differs from its column: kind, allowed words, null. */
function wrongIn(
  name: string,
  field: FieldType,
  column: StatementColumn,
  {
    type,
    read,
  }: {
    readonly type: { readonly name: string; readonly words?: readonly string[] | undefined } | undefined;
    readonly read: string;
  },
): string[] {
  const wrong: string[] = [];
  if (!fits(field, read))
    wrong.push(`Row.${name} is ${shown(field)}: the column is ${type?.name}, which the driver reads as ${read}`);
  const words = type?.words ?? [];
  const unknown = field.words && words.length > 0 ? words.filter((word) => !field.words?.has(word)) : [];
  if (unknown.length > 0) wrong.push(`Row.${name} leaves out ${unknown.join(", ")} of ${type?.name}`);
  const takesNull = field.kinds.has("null") || field.kinds.has("any") || field.present === true;
  if (column.nullness === "maybe" && !takesNull) wrong.push(`Row.${name} is ${shown(field)}: the column may be null`);
  return wrong;
}

/** Returns whether the field's type allows every value that the driver reads. */
function fits({ kinds }: FieldType, read: string): boolean {
  const named = [...kinds].filter((kind) => kind !== "null" && kind !== "undefined");
  if (named.length === 0) return false;
  return named.every((kind) => {
    if (kind === "any" || kind === read) return true;
    if (read === "json") return !/^(bigint|Date|Buffer)/.test(kind);
    if (read.endsWith("[]")) return kind === "any[]" || (read === "json[]" && kind === "object[]");
    return false;
  });
}

function shown({ kinds }: FieldType): string {
  return [...kinds].join(" | ");
}

function count(parameters: number): string {
  return parameters === 1 ? "1 parameter" : `${parameters} parameters`;
}

function placeOf(text: string, place: number | undefined): string {
  if (place === undefined) return "";
  const line = text.split("\n")[lineOf(text, place) - 1] ?? "";
  return ` (at \`${text.slice(place, place + 30).split("\n")[0]}\` in \`${line.trim()}\`)`;
}
