import type { Codec } from "../http/call-edge.ts";

/** Reads operators' messages. */
export const jsonCodec: Codec = {
  // Only JSON is accepted, because another site's form can't send it without a preflight request.
  contentType: "application/json",
  read({ body }, call, known) {
    const sent = body instanceof Buffer ? readJsonBody(body.toString()) : { fields: {}, repeated: [] };
    if (sent === null || call.file === "upload")
      return { fields: {}, file: null, refusal: { error: "FIELD_INVALID", params: { field: "" } } };
    const twice = sent.repeated.find((name) => known.has(name));
    if (twice === undefined) return { fields: sent.fields, file: null, refusal: null };
    const refusal = {
      error: "FIELD_REPEATED",
      params: { field: twice },
      fields: { [twice]: "FIELD_REPEATED" },
    } as const;
    return { fields: sent.fields, file: null, refusal };
  },
};

/** A message of the back office: a JSON object in which each field appears once. */
export interface JsonBody {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Fields that appear more than once. JSON.parse would silently use the last. */
  readonly repeated: readonly string[];
}

/** Parses a message. Null if it isn't a JSON object. */
export function readJsonBody(text: string): JsonBody | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return null;
    return { fields: parsed as Record<string, unknown>, repeated: repeatedNames(text) };
  } catch {
    return null;
  }
}

/** Finds repeated names in valid JSON: strings directly in the outermost object that are followed by a colon. */
function repeatedNames(text: string): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  let depth = 0;
  let last = "";
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (token === ":" && depth === 1) {
      const name = String(JSON.parse(last));
      if (seen.has(name)) repeated.add(name);
      seen.add(name);
    }
    last = token;
  }
  return [...repeated];
}
