import type { Nominal } from "./nominal.ts";
import type { Clock, Instant } from "./time.ts";

/** Time-ordered 63-bit ids (see `createIdSource`); in calls they are prefixed strings, `ord_…`, `usr_…`. */
export type OrderId = Nominal<bigint, "OrderId">;
export type MemberId = Nominal<bigint, "MemberId">;
export type SessionId = Nominal<bigint, "SessionId">;
export type TransferId = Nominal<bigint, "TransferId">;
export type DeviceId = Nominal<bigint, "DeviceId">;

/** Made by the app before the first send and kept for retries: 8 to 64 characters of `[A-Za-z0-9_-]`. */
export type ClientId = Nominal<string, "ClientId">;

/** What an id belongs to → the id's TypeScript type. */
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

/** 2020-01-01T00:00:00Z: 41 bits of milliseconds from here last until 2089. */
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
 * Makes a source of ids: 41 bits of milliseconds since 2020, 10 bits node, 12 bits counter. Its ids strictly increase and
 * are never equal to another node's. When the clock stands or steps back, the source goes on from the newest millisecond
 * it used, and it borrows the next one when a millisecond's 4,096 ids are used up. `after`: the newest id stored under
 * this node, so that no id is repeated when the clock stepped back before a restart. Throws for a node outside 0…1023
 * and for a clock outside 2020–2089.
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
  // The whole of `after`'s millisecond counts as used: its counter may belong to another node.
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

/** Answers when a source made the id, to the millisecond. */
export function idTime(id: bigint): Instant {
  return ((id >> BigInt(NODE_BITS + COUNTER_BITS)) + ID_EPOCH) as Instant;
}

/** Answers the smallest id that a source could make at `at`; every smaller id is older. For ranges and partitions by time. */
export function firstIdAt(at: Instant): bigint {
  return at <= ID_EPOCH ? 0n : (at - ID_EPOCH) << BigInt(NODE_BITS + COUNTER_BITS);
}

/** Crockford's base 32, lower case: no i, l, o, u. Its characters sort as their values do. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const DIGITS = 13;
const VALUES = new Map(Array.from(ALPHABET, (character, value) => [character, value] as const));

/** Writes an id as calls show it: `ord_` and 13 characters. Texts of one kind sort as their ids do. */
export function formatId<Kind extends IdKind>(kind: Kind, id: IdOf[Kind]): string {
  return formatPrefixedId(ID_PREFIXES[kind], id);
}

/** Reads an id that `formatId` wrote. Null for every other text, also with capitals or look-alike letters. */
export function parseId<Kind extends IdKind>(kind: Kind, text: string): IdOf[Kind] | null {
  return parsePrefixedId(ID_PREFIXES[kind], text) as IdOf[Kind] | null;
}

/** Two digits by their value: written digit by digit, the two ids in an order's commitment took a tenth of its time. */
const PAIRS = Array.from(ALPHABET, (high) => Array.from(ALPHABET, (low) => high + low)).flat();
const SIX_DIGITS = 0x3fff_ffffn;

/** Does what `formatId` does, for kinds of id that the domain does not know, such as files and notices. */
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
