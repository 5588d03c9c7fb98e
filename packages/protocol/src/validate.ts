import { accept, refuse, type ErrorName, type Verdict } from "@fairtick/domain";
import * as v from "valibot";
import type { Call, Input } from "./call.ts";

/**
 * Converts fields as sent to the call's input. Empty fields count as not sent, and unknown ones are ignored. Refuses
 * with FIELD_MISSING, FIELD_TOO_LONG or FIELD_INVALID: `fields` has each wrong field, `error` is the first one's.
 */
export function validateInput<C extends Call>(call: C, sent: Readonly<Record<string, unknown>>): Verdict<Input<C>> {
  const present: Record<string, unknown> = {};
  for (const name of Object.keys(call.input.entries)) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (value !== undefined && value !== "") present[name] = value;
  }
  const parsed = v.safeParse(call.input, present);
  if (!parsed.success) {
    const fields: Record<string, ErrorName> = {};
    for (const issue of parsed.issues) {
      fields[nameOf(issue)] ??= errorOfIssue(issue);
    }
    return refuseFields(fields);
  }
  const input = parsed.output as Input<C>;
  const broken = call.rules?.(input);
  return broken && Object.keys(broken).length > 0 ? refuseFields(broken) : accept(input);
}

/** Returns the name of the innermost field of nested records, or the list's name for an item of a list. */
function nameOf({ path }: Pick<v.BaseIssue<unknown>, "path">): string {
  let name = "";
  for (const { key } of path ?? []) {
    if (typeof key !== "string") break;
    name = key;
  }
  return name;
}

function errorOfIssue(issue: v.BaseIssue<unknown>): ErrorName {
  if (issue.input === undefined) return "FIELD_MISSING";
  const isTooLong = issue.type === "max_length" || issue.issues?.some((nested) => nested.type === "max_length");
  return isTooLong ? "FIELD_TOO_LONG" : "FIELD_INVALID";
}

function refuseFields(fields: Readonly<Record<string, ErrorName>>): Verdict<never> {
  const [first] = Object.entries(fields);
  return refuse(first?.[1] ?? "FIELD_INVALID", { field: first?.[0] ?? "" }, fields);
}
