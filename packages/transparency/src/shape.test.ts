import { canonicalJson, type Canonical } from "@fairtick/domain";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseCanonical } from "./shape.ts";

const parse = (text: string) => parseCanonical(new TextEncoder().encode(text));

function isAccepted(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

function isCanonical(text: string): boolean {
  try {
    const value: Canonical = JSON.parse(text);
    return canonicalJson(value) === text;
  } catch {
    return false;
  }
}

/** Short keys, so that they collide, look like array indexes and come in any order. */
const key = fc.string({ unit: fc.constantFrom("a", "b", "1", "0", "é", "\ud800", '"'), maxLength: 2 });
const leaf = fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null), key);
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4 }),
  ),
}));

it("accepts exactly the texts that canonicalJson writes", () => {
  fc.assert(
    fc.property(json, (value) => {
      const texts = [JSON.stringify(value)];
      if (isCanonical(texts[0] ?? "")) texts.push(` ${texts[0]}`);
      try {
        texts.push(canonicalJson(JSON.parse(texts[0] ?? "")));
      } catch {
        // A fraction has no canonical text.
      }
      for (const text of texts) expect([text, isAccepted(text)]).toEqual([text, isCanonical(text)]);
    }),
    { numRuns: 5_000 },
  );
});

it.each([
  '{"b":1,"a":2}',
  '{"a":1,"a":2}',
  '{"a":1.5}',
  "9007199254740993",
  "-0",
  '{"1":1,"0":2}',
  '{"9":1,"10":2}',
  "[1, 2]",
])("refuses %s", (text) => {
  expect(() => parse(text)).toThrow(/^not /);
});

it("accepts keys that look like array indexes in the order of their text", () => {
  expect(parse('{"10":1,"9":2}')).toEqual({ "10": 1, "9": 2 });
});
