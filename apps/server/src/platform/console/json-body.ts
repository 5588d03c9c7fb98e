import type { Codec } from "../http/call-edge.ts";

/** The operators' messages. */
export const jsonCodec: Codec = {
  // JSON is all that is taken: a form of another site cannot send it without asking first.
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

/** A message of the back office: a JSON object whose fields stand in it once. */
export interface JsonBody {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Fields that stand in it more than once; JSON.parse takes the last and says nothing. */
  readonly repeated: readonly string[];
}

/** Null for what is no JSON object. */
export function readJsonBody(text: string): JsonBody | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return null;
    return { fields: parsed as Record<string, unknown>, repeated: repeatedNames(text) };
  } catch {
    return null;
  }
}

/** Of a text that is JSON: a string at the outermost object's own depth is a name where a colon follows it. */
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
