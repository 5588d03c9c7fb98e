import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIdSource, firstIdAt, formatId, ID_EPOCH, idTime, parseId, type MemberId, type OrderId } from "./ids.ts";
import type { Instant } from "./time.ts";

function clockAt(ms: bigint): { now(): Instant; set(ms: bigint): void } {
  let now = ms;
  return {
    now: () => (ID_EPOCH + now) as Instant,
    set: (next) => {
      now = next;
    },
  };
}

describe("an id source", () => {
  it("combines milliseconds, node and counter", () => {
    const source = createIdSource({ node: 5, clock: clockAt(3n) });
    expect(source.next()).toBe((3n << 22n) | (5n << 12n));
    expect(source.next()).toBe((3n << 22n) | (5n << 12n) | 1n);
    expect(idTime(source.next())).toBe(ID_EPOCH + 3n);
    expect(firstIdAt((ID_EPOCH + 3n) as Instant)).toBe(3n << 22n);
    expect(firstIdAt(0n as Instant)).toBe(0n);
  });

  it("strictly increases whichever way the clock moves", () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 50n }), { minLength: 1, maxLength: 60 }), (times) => {
        const clock = clockAt(0n);
        const source = createIdSource({ node: 1023, clock });
        let last = -1n;
        for (const time of times) {
          clock.set(time);
          for (let each = 0; each < 300; each += 1) {
            const id = source.next();
            expect(id > last).toBe(true);
            last = id;
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  it("uses the next millisecond when 4,096 ids are used up", () => {
    const source = createIdSource({ node: 0, clock: clockAt(7n) });
    const ids = Array.from({ length: 4097 }, () => source.next());
    expect(new Set(ids).size).toBe(4097);
    expect(ids.at(-1)).toBe(8n << 22n);
  });

  it("does not repeat an id when the clock stepped back before a restart", () => {
    const before = createIdSource({ node: 4, clock: clockAt(100n) });
    const newest = before.next();
    const after = createIdSource({ node: 4, clock: clockAt(20n), after: newest });
    expect(after.next()).toBeGreaterThan(newest);
  });

  it.each([-1, 1024, 0.5, Number.NaN])("refuses node %d", (node) => {
    expect(() => createIdSource({ node, clock: clockAt(0n) })).toThrow(RangeError);
  });

  it.each([-1n, 1n << 41n])("refuses a clock outside its years", (ms) => {
    expect(() => createIdSource({ node: 0, clock: clockAt(ms) }).next()).toThrow(RangeError);
  });
});

describe("ids as text", () => {
  const anyId = fc.bigInt({ min: 0n, max: (1n << 63n) - 1n });

  it("parse back to the same id and sort like the ids", () => {
    fc.assert(
      fc.property(anyId, anyId, (left, right) => {
        const a = formatId("order", left as OrderId);
        const b = formatId("order", right as OrderId);
        expect(a).toMatch(/^ord_[0-9a-hjkmnp-tv-z]{13}$/);
        expect(parseId("order", a)).toBe(left);
        expect(a < b).toBe(left < right);
      }),
    );
  });

  it("have the expected text for the smallest and the largest id", () => {
    expect(formatId("member", 0n as MemberId)).toBe("usr_0000000000000");
    expect(formatId("order", ((1n << 63n) - 1n) as OrderId)).toBe("ord_7zzzzzzzzzzzz");
    expect(() => formatId("order", (1n << 63n) as OrderId)).toThrow(RangeError);
    expect(() => formatId("order", -1n as OrderId)).toThrow(RangeError);
  });

  it.each([
    "",
    "ord_",
    "ord_000000000000",
    "ord_00000000000000",
    "usr_0000000000000",
    "ORD_0000000000000",
    "ord_000000000000A",
    "ord_000000000000i",
    "ord_000000000000l",
    "ord_000000000000o",
    "ord_000000000000u",
    "ord_8000000000000",
    "ord_zzzzzzzzzzzzz",
    "ord_00000000000 0",
    "ord_00000000000०0",
    "ord-0000000000000",
  ])("refuse %j", (text) => {
    expect(parseId("order", text)).toBeNull();
  });
});
