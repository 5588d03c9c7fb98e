import { canonicalJson, fromHex, type Canonical, type Instant } from "@fairtick/domain";
import { fromBase64 } from "./base64.ts";

/** Thrown by the strict parsers of entries and receipts in this module. The message names the field. */
export class ShapeError extends Error {
  constructor(what: string) {
    super(what);
    this.name = "ShapeError";
  }
}

export type Shape<Value> = (value: unknown, at: string) => Value;
export type Read<S> = S extends Shape<infer Value> ? Value : never;

/** Throws ShapeError with the sentence `otherwise` unless the condition holds. */
export function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new ShapeError(otherwise);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses canonical JSON (see `canonicalJson` in domain): sorted keys, no blanks, safe integers. Each value has exactly
 * one text, so that nothing can hide in the bytes. Throws ShapeError for any other text.
 */
export function parseCanonical(bytes: Uint8Array): unknown {
  try {
    const text = decoder.decode(bytes);
    const value: Canonical = JSON.parse(text);
    if ((JSON.stringify(value) === text && isOrdered(value)) || canonicalJson(value) === text) return value;
  } catch {
    throw new ShapeError("not JSON of integers and texts");
  }
  throw new ShapeError("not in canonical form");
}

/**
 * Whether a parsed value's numbers are safe integers and its keys in canonical order. Its text is then what
 * `JSON.stringify` makes of it, which is several times as fast as `canonicalJson`. Keys that look like array indexes are the
 * exception: objects keep them in another order.
 */
function isOrdered(value: Canonical): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isOrdered);
  let last = "";
  return Object.entries(value).every(([key, field]) => {
    const follows = last <= key;
    last = key;
    return follows && isOrdered(field);
  });
}

type Fields = Readonly<Record<string, Shape<unknown>>>;
type ReadFields<F extends Fields> = { readonly [Name in keyof F]: Read<F[Name]> };

/** Makes the shape of an object with exactly these fields; those of `optional` may be missing. */
export function record<F extends Fields>(fields: F): Shape<ReadFields<F>>;
export function record<F extends Fields, O extends Fields>(
  fields: F,
  optional: O,
): Shape<ReadFields<F> & Partial<ReadFields<O>>>;
export function record(fields: Fields, optional: Fields = {}): Shape<unknown> {
  const required = Object.entries(fields);
  const known = new Map([...required, ...Object.entries(optional)]);
  return (value, at) => {
    const given = plainObject(value, at);
    for (const [name] of required) if (!Object.hasOwn(given, name)) throw new ShapeError(`${at}.${name} is missing`);
    const read: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(given)) {
      const shape = known.get(name);
      if (shape === undefined) throw new ShapeError(`${at}.${name} is unknown`);
      read[name] = shape(field, `${at}.${name}`);
    }
    return read;
  };
}

/** Makes the shape of an object with at least these fields; others are ignored. */
export function pick<F extends Fields>(fields: F): Shape<ReadFields<F>> {
  const exactly = record(fields);
  return (value, at) => {
    const given = Object.entries(plainObject(value, at)).filter(([name]) => Object.hasOwn(fields, name));
    return exactly(Object.fromEntries(given), at);
  };
}

export function listOf<Value>(item: Shape<Value>, max = Number.POSITIVE_INFINITY): Shape<readonly Value[]> {
  return (value, at) => {
    if (!Array.isArray(value) || value.length > max) throw new ShapeError(`${at} is no list of at most ${max}`);
    return value.map((each, place) => item(each, `${at}[${place}]`));
  };
}

/** Makes the shape of an object whose keys are data. */
export function mapOf<Value>(item: Shape<Value>): Shape<ReadonlyMap<string, Value>> {
  return (value, at) =>
    new Map(Object.entries(plainObject(value, at)).map(([key, each]) => [key, item(each, `${at}.${key}`)]));
}

/** Makes the shape of an object whose keys are instruments' symbols. */
export function bySymbol<Value>(item: Shape<Value>): Shape<ReadonlyMap<string, Value>> {
  const read = mapOf(item);
  return (value, at) => {
    const map = read(value, at);
    for (const key of map.keys()) symbol(key, `a key of ${at}`);
    return map;
  };
}

export function nullOr<Value>(shape: Shape<Value>): Shape<Value | null> {
  return (value, at) => (value === null ? null : shape(value, at));
}

export function oneOf<const Value extends string | number>(...values: readonly Value[]): Shape<Value> {
  return (value, at) => {
    const found = values.find((each) => each === value);
    if (found === undefined) throw new ShapeError(`${at} is none of ${values.join(", ")}`);
    return found;
  };
}

/** A safe integer of zero or above, as a number. */
export const count: Shape<number> = (value, at) => {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw new ShapeError(`${at} is no count`);
  return value;
};

/** Any safe integer, as a bigint. */
export const whole: Shape<bigint> = (value, at) => {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new ShapeError(`${at} is no integer`);
  return BigInt(value);
};

/** A safe integer of zero or above, as a bigint. */
export const natural: Shape<bigint> = (value, at) => BigInt(count(value, at));

export const instant: Shape<Instant> = (value, at) => natural(value, at) as Instant;

export const text: Shape<string> = (value, at) => {
  if (typeof value !== "string") throw new ShapeError(`${at} is no text`);
  return value;
};

/** An instrument's symbol, such as `EURUSD`. */
export const symbol: Shape<string> = (value, at) => {
  if (typeof value !== "string" || !/^[A-Z0-9]{1,20}$/.test(value)) throw new ShapeError(`${at} is no symbol`);
  return value;
};

/** An integer of any size, written as text. */
export const wholeText: Shape<bigint> = (value, at) => {
  if (typeof value !== "string" || !/^(?:0|-?[1-9][0-9]{0,40})$/.test(value))
    throw new ShapeError(`${at} is no integer`);
  return BigInt(value);
};

/** 32 bytes in lower-case hexadecimal. */
export const hash: Shape<Uint8Array> = (value, at) => {
  const bytes = typeof value === "string" && /^[0-9a-f]{64}$/.test(value) ? fromHex(value) : null;
  if (bytes === null) throw new ShapeError(`${at} is no SHA-256 in hexadecimal`);
  return bytes;
};

/** A public key of BLS12-381, compressed: 96 bytes in lower-case hexadecimal. */
export const beaconKey: Shape<Uint8Array> = (value, at) => {
  const bytes = typeof value === "string" && /^[0-9a-f]{192}$/.test(value) ? fromHex(value) : null;
  if (bytes === null) throw new ShapeError(`${at} is no public key in hexadecimal`);
  return bytes;
};

/** 20 bytes in lower-case hexadecimal. */
export const address: Shape<Uint8Array> = (value, at) => {
  const bytes = typeof value === "string" && /^[0-9a-f]{40}$/.test(value) ? fromHex(value) : null;
  if (bytes === null) throw new ShapeError(`${at} is no address in hexadecimal`);
  return bytes;
};

/** 16 random bytes in lower-case hexadecimal. */
export const nonce: Shape<Uint8Array> = (value, at) => {
  const bytes = typeof value === "string" && /^[0-9a-f]{32}$/.test(value) ? fromHex(value) : null;
  if (bytes === null) throw new ShapeError(`${at} is no nonce in hexadecimal`);
  return bytes;
};

/** A signature of 64 bytes in lower-case hexadecimal. */
export const signatureHex: Shape<Uint8Array> = (value, at) => {
  const bytes = typeof value === "string" && /^[0-9a-f]{128}$/.test(value) ? fromHex(value) : null;
  if (bytes === null) throw new ShapeError(`${at} is no signature in hexadecimal`);
  return bytes;
};

/** A key's id: four bytes in lower-case hexadecimal. */
export const keyId: Shape<string> = (value, at) => {
  if (typeof value !== "string" || !/^[0-9a-f]{8}$/.test(value)) throw new ShapeError(`${at} is no key's id`);
  return value;
};

export const base64: Shape<Uint8Array> = (value, at) => {
  const bytes = typeof value === "string" ? fromBase64(value) : null;
  if (bytes === null) throw new ShapeError(`${at} is no base 64`);
  return bytes;
};

function plainObject(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ShapeError(`${at} is no record`);
  return { ...value };
}
