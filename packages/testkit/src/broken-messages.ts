import { type MemberCall, validateInput } from "@fairtick/protocol";
import { inputJsonSchema } from "@fairtick/protocol/openapi";
import fc from "fast-check";
import { allowed, HOSTILE } from "./fuzz-calls.ts";

/** A message with exactly one fault. */
export interface BrokenMessage {
  /** The message, encoded as a form. */
  readonly body: string;
  /** The field that the answer must name. */
  readonly field: string;
}

/**
 * Makes the broken messages of a call: for each field, one that leaves it out if it is required, one that has it twice,
 * and one for each hostile value that its schema refuses. All other fields are valid. The same `seed` makes the same
 * values.
 */
export function brokenMessages(call: MemberCall, seed = 1): BrokenMessage[] {
  const schema = inputJsonSchema(call);
  const properties: Record<string, unknown> = { ...Object(schema["properties"]) };
  const required = new Set<unknown>(Object(schema["required"] ?? []) as unknown[]);
  const good = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, fc.sample(allowed(field), { numRuns: 1, seed })[0] ?? ""]),
  );
  const form = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString();

  const messages: BrokenMessage[] = [];
  for (const field of Object.keys(properties)) {
    const { [field]: own = "", ...others } = good;
    if (required.has(field)) messages.push({ field, body: form(others) });
    messages.push({ field, body: `${form(good)}&${form({ [field]: own })}` });
    for (const value of HOSTILE) {
      if (value !== "" && refuses(call, { ...others, [field]: value }, field)) {
        messages.push({ field, body: `${form(others)}&${field}=${value}` });
      }
    }
  }
  return messages;
}

function refuses(call: MemberCall, fields: Readonly<Record<string, string>>, field: string): boolean {
  const text = decoded(fields[field] ?? "");
  if (text === null) return true;
  const verdict = validateInput(call, { ...fields, [field]: text });
  return !verdict.ok && verdict.refusal.fields?.[field] !== undefined;
}

/** Decodes a form's value as the server does; null if it isn't UTF-8. */
function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value.replaceAll("+", " "));
  } catch {
    return null;
  }
}
