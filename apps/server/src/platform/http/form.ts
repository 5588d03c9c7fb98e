import { accept, refuse, type ErrorName, type Verdict } from "@fairtick/domain";
import { isUtf8 } from "node:buffer";
import type { Codec, Message } from "./call-edge.ts";

/** The most pairs in one form. A call needs about a dozen. */
const PAIRS_MAX = 100;

const NO_FIELDS: Message = { fields: {}, file: null, refusal: null };

/** Reads members' messages. A form with a file is invalid for calls that take none. */
export const formCodec: Codec = {
  contentType: "application/x-www-form-urlencoded",
  read({ headers, body }, _call, known) {
    if ((headers["content-type"] ?? "").toLowerCase().startsWith("multipart/form-data"))
      return { ...NO_FIELDS, refusal: { error: "FIELD_INVALID", params: { field: "" } } };
    if (!(body instanceof Buffer)) return NO_FIELDS;
    const form = parseForm(body, known);
    return form.ok ? { fields: form.value, file: null, refusal: null } : { ...NO_FIELDS, refusal: form.refusal };
  },
};

/**
 * Reads the `known` fields of an `application/x-www-form-urlencoded` body and ignores all others. Refuses FIELD_REPEATED, and
 * FIELD_INVALID if the percent encoding isn't valid UTF-8.
 */
export function parseForm(body: Buffer, known: ReadonlySet<string>): Verdict<Record<string, string>> {
  if (!isUtf8(body)) return refuse("FIELD_INVALID", { field: "" });
  const values: Record<string, string> = {};
  const broken: Record<string, ErrorName> = {};
  const text = body.toString();
  let start = 0;
  for (let pairs = 0; start < text.length; pairs++) {
    if (pairs === PAIRS_MAX) return refuse("FIELD_INVALID", { field: "" });
    const found = text.indexOf("&", start);
    const end = found === -1 ? text.length : found;
    const pair = text.slice(start, end);
    start = end + 1;
    const equals = pair.indexOf("=");
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (name === undefined || !known.has(name)) continue;
    const value = decode(equals === -1 ? "" : pair.slice(equals + 1));
    if (Object.hasOwn(values, name)) broken[name] = "FIELD_REPEATED";
    else if (value === undefined) broken[name] = "FIELD_INVALID";
    values[name] = value ?? "";
  }
  const [first] = Object.entries(broken);
  return first ? refuse(first[1], { field: first[0] }, broken) : accept(values);
}

/** Decodes a part; undefined if the percent encoding isn't valid UTF-8. */
function decode(part: string): string | undefined {
  if (!part.includes("%") && !part.includes("+")) return part;
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
