import { validateInput } from "@fairtick/protocol";
import { inputJsonSchema } from "@fairtick/protocol/openapi";
import type { OperatorCall } from "@fairtick/protocol/operator";
import fc from "fast-check";
import type { BrokenMessage } from "./broken-messages.ts";

/** Values that no honest client sends in a field, as JSON text. */
export const HOSTILE_JSON: readonly string[] = [
  "null",
  "true",
  "0",
  "-1",
  "-0.01",
  "1.5",
  "1e3",
  "1e-400",
  "1e308",
  "1e400",
  "9007199254740993",
  "99999999999999999999999999",
  '"-1"',
  '"1e3"',
  '"0x10"',
  '"00012"',
  '"12.505"',
  '"1,000.00"',
  '"NaN"',
  '"Infinity"',
  '"99999999999999999999999999"',
  '"\uff11\uff12"',
  '"\u0661\u0662"',
  '"12\\u0000"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u202e"',
  '"\\n"',
  '" "',
  '"é"',
  '"😀"',
  '"__proto__"',
  '"constructor"',
  '"../../etc/passwd"',
  '"\'; DROP TABLE orders;--"',
  '"<script>alert(1)</script>"',
  '"=1+1"',
  "[]",
  "{}",
  "[null]",
  '[["a"]]',
  '{"$gt":""}',
  '{"__proto__":{"amount":"1"}}',
  `"${"x".repeat(600)}"`,
  `"${"9".repeat(20_000)}"`,
  `"${"茶".repeat(3_000)}"`,
  `[${"1,".repeat(5_000)}1]`,
  `${"[".repeat(500)}${"]".repeat(500)}`,
];

/**
 * Number of shares into which the hostile values are split. Each field gets one, because every request is recorded in
 * one hash chain, which takes time.
 */
const SHARES = 4;

/** Makes JSON values that a field's schema allows. */
export function allowedJson(schema: unknown): fc.Arbitrary<unknown> {
  const shape = { ...Object(schema) } as Record<string, unknown>;
  const { enum: names, const: only, anyOf, type, pattern, maxLength, items, properties } = shape;
  if (Array.isArray(names)) return fc.constantFrom<unknown>(...(names as unknown[]));
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(allowedJson));
  if (type === "boolean") return fc.boolean();
  if (type === "integer" || type === "number") return fc.integer({ min: 0, max: 4_000 });
  if (type === "null") return fc.constant(null);
  if (type === "array") return fc.array(allowedJson(items), { maxLength: 3 });
  if (type === "object") {
    const fields = Object.entries({ ...Object(properties) } as Record<string, unknown>);
    return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, allowedJson(field)])));
  }
  const longest = typeof maxLength === "number" ? maxLength : 100;
  if (typeof pattern !== "string")
    return fc.constantFrom("seen on the statement", "25.00", "nobody", "日本語").map((text) => text.slice(0, longest));
  return fc
    .stringMatching(new RegExp(pattern, pattern.includes("\\ud800") ? "u" : ""), { size: "small" })
    .filter((text) => text.length <= longest);
}

/** Returns the fields of a back-office call, each with its schema. */
export function operatorFields(call: OperatorCall): Readonly<Record<string, unknown>> {
  return { ...Object(inputJsonSchema(call)["properties"]) } as Record<string, unknown>;
}

/**
 * Makes the broken messages of a call: for each field, one that leaves it out if it is required, one that has it twice,
 * and some with hostile values that its schema refuses. All other fields are valid. Each field gets one quarter of the
 * hostile values, and the next field the next quarter. The same `seed` makes the same values.
 */
export function brokenOperatorMessages(call: OperatorCall, seed = 1): BrokenMessage[] {
  const fields = operatorFields(call);
  const required = new Set<unknown>(Object(inputJsonSchema(call)["required"] ?? []) as unknown[]);
  const good = Object.entries(fields).map(([name, schema]): readonly [string, string] => [
    name,
    JSON.stringify(fc.sample(allowedJson(schema), { numRuns: 1, seed })[0] ?? null),
  ]);
  const messages: BrokenMessage[] = [];
  for (const [place, field] of Object.keys(fields).entries()) {
    const others = good.filter(([name]) => name !== field);
    if (required.has(field)) messages.push({ field, body: textOf(others) });
    messages.push({ field, body: textOf([...good, [field, '"twice"']]) });
    for (const value of HOSTILE_JSON.filter((_value, index) => (index + place) % SHARES === 0)) {
      if (refuses(call, field, value)) messages.push({ field, body: textOf([...others, [field, value]]) });
    }
  }
  return messages;
}

function textOf(fields: readonly (readonly [name: string, json: string])[]): string {
  return `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;
}

function refuses(call: OperatorCall, field: string, json: string): boolean {
  const verdict = validateInput(call, { [field]: JSON.parse(json) as unknown });
  return !verdict.ok && verdict.refusal.fields?.[field] !== undefined;
}
