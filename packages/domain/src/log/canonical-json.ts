/** Values that can be hashed: integers (never fractions), texts, and lists and records of them. */
export type Canonical =
  | null
  | boolean
  | string
  | number
  | bigint
  | readonly Canonical[]
  | { readonly [key: string]: Canonical };

/**
 * Writes a value as JSON with sorted keys and no spaces, so that the same value always has the same bytes. Integers of
 * any size are written as digits; keys are sorted by UTF-16 code units. Throws for a number that isn't a safe integer,
 * because its text could differ between machines.
 */
export function canonicalJson(value: Canonical): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new RangeError(`not an integer: ${value}`);
    return Object.is(value, -0) ? "0" : value.toString();
  }
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`).join(",")}}`;
}

function isList(value: Canonical): value is readonly Canonical[] {
  return Array.isArray(value);
}
