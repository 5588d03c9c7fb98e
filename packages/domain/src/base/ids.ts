import type { Nominal } from "./nominal.ts";
import type { Clock, Instant } from "./time.ts";

/** Time-ordered 63-bit ids (see `createIdSource`). In calls they are prefixed strings such as `ord_…` and `usr_…`. */
export type OrderId = Nominal<bigint, "OrderId">;
export type MemberId = Nominal<bigint, "MemberId">;
export type SessionId = Nominal<bigint, "SessionId">;
export type TransferId = Nominal<bigint, "TransferId">;
export type DeviceId = Nominal<bigint, "DeviceId">;

/** An id that the app makes before the first send and keeps for retries: 8 to 64 characters of `[A-Za-z0-9_-]`. */
export type ClientId = Nominal<string, "ClientId">;

/** Kind of id → its TypeScript type. */
export interface IdOf {
  order: OrderId;
  member: MemberId;
  session: SessionId;
  transfer: TransferId;
  device: DeviceId;
}
export type IdKind = keyof IdOf;

export const ID_PREFIXES: Readonly<Record<IdKind, string>> = {
  order: "ord",
  member: "usr",
  session: "ses",
  transfer: "trf",
  device: "dev",
};

/** 2020-01-01T00:00:00Z. 41 bits of milliseconds from here last until 2089. */
export const ID_EPOCH = 1_577_836_800_000n as Instant;
const NODE_BITS = 10;
const COUNTER_BITS = 12;
const COUNTER_END = 1 << COUNTER_BITS;
const MILLISECONDS_END = 2 ** 41;
const ID_END = 1n << 63n;

export interface IdSource {
  next(): bigint;
}

/**
 * Makes a source of ids of 41 bits of milliseconds since 2020, 10 bits of node and 12 bits of counter. Its ids strictly
 * increase and never equal another node's. If the clock stands still or steps back, the source continues from the
 * newest millisecond it used; if a millisecond's 4,096 ids are used up, it takes the next one. `after` is the newest id
 * stored for this node, so that no id is repeated if the clock stepped back before a restart. Throws for a node outside
 * 0…1023 and for a clock outside 2020–2089.
 */
export function createIdSource(options: {
  readonly node: number;
  readonly clock: Pick<Clock, "now">;
  readonly after?: bigint;
}): IdSource {
  const { node, clock, after } = options;
  if (!Number.isInteger(node) || node < 0 || node >= 1 << NODE_BITS) throw new RangeError(`not a node: ${node}`);
  const nodePart = BigInt(node << COUNTER_BITS);
  let lastMs = after === undefined ? Number.NEGATIVE_INFINITY : Number(after >> BigInt(NODE_BITS + COUNTER_BITS));
  // All of `after`'s millisecond counts as used, because `after` may have been made with another node number.
  let counter = after === undefined ? 0 : COUNTER_END;
  let prefix = 0n;
  return {
    next() {
      const nowMs = Number(clock.now() - ID_EPOCH);
      if (nowMs > lastMs || counter >= COUNTER_END) {
        lastMs = nowMs > lastMs ? nowMs : lastMs + 1;
        counter = 0;
        if (lastMs < 0 || lastMs >= MILLISECONDS_END) throw new RangeError("the clock is outside 2020 to 2089");
        prefix = (BigInt(lastMs) << BigInt(NODE_BITS + COUNTER_BITS)) | nodePart;
      }
      const id = prefix | BigInt(counter);
      counter += 1;
      return id;
    },
  };
}

/** Returns when an id was made, to the millisecond. */
export function idTime(id: bigint): Instant {
  return ((id >> BigInt(NODE_BITS + COUNTER_BITS)) + ID_EPOCH) as Instant;
}

/**
 * Returns the smallest id that a source could make at `at`; every smaller id is older. Used for ranges and partitions
 * by time.
 */
export function firstIdAt(at: Instant): bigint {
  return at <= ID_EPOCH ? 0n : (at - ID_EPOCH) << BigInt(NODE_BITS + COUNTER_BITS);
}

/** Crockford's base 32 in lower case, without i, l, o and u. Its characters sort in order of their values. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const DIGITS = 13;
const VALUES = new Map(Array.from(ALPHABET, (character, value) => [character, value] as const));

/** Writes an id as calls show it, such as `ord_` and 13 characters. Texts of one kind sort like their ids. */
export function formatId<Kind extends IdKind>(kind: Kind, id: IdOf[Kind]): string {
  return formatPrefixedId(ID_PREFIXES[kind], id);
}

/** Reads an id written by `formatId`. Null for any other text, including capitals and look-alike letters. */
export function parseId<Kind extends IdKind>(kind: Kind, text: string): IdOf[Kind] | null {
  return parsePrefixedId(ID_PREFIXES[kind], text) as IdOf[Kind] | null;
}

/**
 * All pairs of digits by value. Written digit by digit, the two ids took a tenth of the time of an order's commitment.
 */
const PAIRS = Array.from(ALPHABET, (high) => Array.from(ALPHABET, (low) => high + low)).flat();
const SIX_DIGITS = 0x3fff_ffffn;

/** Does the same as `formatId` for kinds of id that the domain doesn't know, such as files and notices. */
export function formatPrefixedId(prefix: string, id: bigint): string {
  if (id < 0n || id >= ID_END) throw new RangeError(`not an id: ${id}`);
  const first = ALPHABET[Number(id >> 60n)] ?? "";
  return `${prefix}_${first}${sixDigits(Number((id >> 30n) & SIX_DIGITS))}${sixDigits(Number(id & SIX_DIGITS))}`;
}

function sixDigits(value: number): string {
  return `${PAIRS[value >> 20] ?? ""}${PAIRS[(value >> 10) & 1023] ?? ""}${PAIRS[value & 1023] ?? ""}`;
}

export function parsePrefixedId(prefix: string, text: string): bigint | null {
  if (text.length !== prefix.length + 1 + DIGITS || !text.startsWith(`${prefix}_`)) return null;
  let id = 0n;
  for (let index = prefix.length + 1; index < text.length; index += 1) {
    const value = VALUES.get(text.charAt(index));
    if (value === undefined) return null;
    id = id * 32n + BigInt(value);
  }
  return id < ID_END ? id : null;
}
