import { ERROR_NAMES } from "@fairtick/domain";
import type { MemberCall } from "@fairtick/protocol";
import { inputJsonSchema } from "@fairtick/protocol/openapi";
import fc from "fast-check";

export interface FuzzOptions {
  readonly baseUrl: string;
  /** Returns a valid token. Called again whenever a member call answers 401, because calls may end the session. */
  readonly token: () => Promise<string> | string;
  /** Returns the device key that belongs to the token, if the session is bound to one. */
  readonly device?: () => string;
  /** Called with the status of every answer that was checked. */
  readonly onAnswer?: (status: number, isLoggedIn: boolean) => void;
  /** Number of messages sent for each call. */
  readonly runs?: number;
  readonly seed?: number;
}

/** One field of a message, with name and value as written in the body, including percent signs. */
type Pair = readonly [name: string, encoded: string];

/** Texts that no honest client sends, already escaped. */
export const HOSTILE: readonly string[] = [
  "",
  "+",
  "-1",
  "-0.01",
  "0",
  "1e3",
  "1e-400",
  "1E%2B308",
  "00012",
  "0x10",
  "12.505",
  "1,000.00",
  "NaN",
  "Infinity",
  "null",
  "true",
  "99999999999999999999999999",
  "9007199254740993",
  "%EF%BC%91%EF%BC%92",
  "%D9%A1%D9%A2",
  "12%00",
  "%00",
  "%0A",
  "%C3%A9",
  "%F0%9F%98%80",
  "%ED%A0%80",
  "%FF%FE",
  "%",
  "%zz",
  "%E2%80%AE",
  "__proto__",
  "constructor",
  "toString",
  "..%2F..%2Fetc%2Fpasswd",
  "%27%3B+DROP+TABLE+orders%3B--",
  "%7B%22%24gt%22%3A%22%22%7D",
  "%3Cscript%3Ealert(1)%3C%2Fscript%3E",
  "x".repeat(300),
  "9".repeat(20_000),
  "%E8%8C%B6".repeat(3_000),
];

const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: "binary", maxLength: 40 }).map(escapeText),
  fc.bigInt().map(String),
  fc.double().map((value) => escapeText(String(value))),
);

/** Escapes a text. A lone surrogate has no UTF-8 form, so it is sent as a byte that isn't UTF-8 either. */
function escapeText(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : "%FF";
}

/** Makes texts that the schema allows. */
export function allowed(schema: unknown): fc.Arbitrary<string> {
  const { enum: names, const: only, anyOf, pattern, maxLength } = { ...Object(schema) } as Record<string, unknown>;
  if (Array.isArray(names)) return fc.constantFrom(...names.map(String));
  if (typeof only === "string") return fc.constant(only);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(allowed));
  if (typeof pattern !== "string") return fc.constantFrom("nobody@example.com", "+491711234567");
  const longest = typeof maxLength === "number" ? maxLength : 100;
  return fc
    .stringMatching(new RegExp(pattern, pattern.includes("\\ud800") ? "u" : ""), { size: "small" })
    .filter((text) => text.length <= longest);
}

/** Makes one field: valid, hostile, left out or duplicated. */
function pairsOf(name: string, schema: unknown): fc.Arbitrary<readonly Pair[]> {
  const good = allowed(schema).map(escapeText);
  return fc.oneof(
    { weight: 12, arbitrary: good.map((value): readonly Pair[] => [[name, value]]) },
    { weight: 5, arbitrary: hostile.map((value): readonly Pair[] => [[name, value]]) },
    { weight: 2, arbitrary: fc.constant<readonly Pair[]>([]) },
    {
      weight: 1,
      arbitrary: fc.tuple(good, hostile).map(([one, two]): readonly Pair[] => [
        [name, one],
        [name, two],
      ]),
    },
  );
}

function messageOf(call: MemberCall): fc.Arbitrary<readonly Pair[]> {
  const properties: Record<string, unknown> = { ...Object(inputJsonSchema(call)["properties"]) };
  const fields = Object.entries(properties).map(([name, schema]) => pairsOf(name, schema));
  const unknown = fc.oneof(
    { weight: 5, arbitrary: fc.constant<readonly Pair[]>([]) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom("profit", "memberId", "__proto__", "%FF", "a%5B%5D", ""), hostile)
        .map((pair): readonly Pair[] => [pair, pair]),
    },
  );
  return fc.tuple(...fields, unknown).map((parts) => parts.flat());
}

/**
 * Sends a call `runs` messages generated from its schema, some valid and most not, and checks that every answer keeps
 * the calls' promises: no internal error (except 503), always the envelope with the status as its code, an error name
 * from the catalogue, a text for a person, and the name of a duplicate or missing field. Throws with the smallest
 * message that breaks a promise.
 */
export async function fuzzCall(call: MemberCall, options: FuzzOptions): Promise<void> {
  let token = await options.token();
  const required = new Set<unknown>(Object(inputJsonSchema(call)["required"] ?? []) as unknown[]);
  const known = new Set(Object.keys(call.input.entries));
  await fc.assert(
    fc.asyncProperty(messageOf(call), fc.boolean(), async (pairs, isLoggedIn) => {
      const headers = (): Record<string, string> => ({
        exchange2508Token: token,
        ...(options.device !== undefined && { exchange2508device: options.device() }),
      });
      let answer = await send(options.baseUrl, call, pairs, isLoggedIn ? headers() : {});
      if (answer.status === 401 && isLoggedIn) {
        // An earlier message ended the session. With a new token, this message gets as far as the others.
        token = await options.token();
        answer = await send(options.baseUrl, call, pairs, headers());
      }
      options.onAnswer?.(answer.status, isLoggedIn);
      hold(answer.status < 500 || answer.status === 503, `status ${answer.status}`, answer);
      if (answer.status === 200 && answer.envelope === null)
        return hold(call.file === "download", "no envelope", answer);
      const { code, msg, data } = Object(answer.envelope) as Record<string, unknown>;
      hold(code === answer.status, "code is not the status", answer);
      hold(typeof msg === "string" && msg.length > 0 && !/FIELD_|errors\.|fields\.|[{}]/.test(msg), "msg", answer);
      if (answer.status === 200) return;
      const { error, fields } = Object(data) as Record<string, unknown>;
      hold(
        ERROR_NAMES.some((name) => name === error),
        "error is not of the catalogue",
        answer,
      );
      const named = Object.keys(Object(fields ?? {}) as object);
      hold(
        named.every((name) => known.has(name) || name === "file"),
        "an unknown field is named",
        answer,
      );
      if (answer.status === 401 || answer.status === 429) return;
      const names = pairs.map(([name]) => name);
      const repeated = names.filter((name, index) => known.has(name) && names.indexOf(name) !== index);
      if (repeated.length > 0) {
        hold(answer.status === 400 && repeated.every((name) => named.includes(name)), "repetition", answer);
        return;
      }
      const present = new Set(pairs.filter(([, value]) => value !== "").map(([name]) => name));
      const missing = [...required].filter((name) => !present.has(String(name)));
      if (missing.length > 0 && !pairs.some(([name, value]) => known.has(name) && !isUtf8(value)))
        hold(answer.status === 400 && missing.every((name) => named.includes(String(name))), "omission", answer);
    }),
    { numRuns: options.runs ?? 200, ...(options.seed !== undefined && { seed: options.seed }), endOnFailure: false },
  );
}

function isUtf8(encoded: string): boolean {
  try {
    decodeURIComponent(encoded);
    return true;
  } catch {
    return false;
  }
}

interface Answer {
  readonly status: number;
  readonly body: string;
  /** The parsed envelope; null for bytes. */
  readonly envelope: unknown;
}

async function send(
  baseUrl: string,
  call: MemberCall,
  pairs: readonly Pair[],
  session: Readonly<Record<string, string>>,
): Promise<Answer> {
  const response = await fetch(`${baseUrl}/client/${call.path}`, {
    method: "POST",
    body: call.file === "upload" ? multipartOf(pairs) : pairs.map((pair) => pair.join("=")).join("&"),
    headers: {
      Lang: "de_DE",
      ...(call.file !== "upload" && { "content-type": "application/x-www-form-urlencoded" }),
      ...session,
    },
  });
  const body = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return { status: response.status, body, envelope: isJson ? JSON.parse(body) : null };
}

function multipartOf(pairs: readonly Pair[]): FormData {
  const form = new FormData();
  for (const [name, value] of pairs)
    form.append(isUtf8(name) ? name : "x", isUtf8(value) ? decodeURIComponent(value) : value);
  form.append("file", new File(["picture"], "picture.png", { type: "image/png" }));
  return form;
}

function hold(holds: boolean, what: string, answer: Answer): void {
  if (!holds) throw new Error(`${what}: ${answer.status} ${answer.body.slice(0, 500)}`);
}
