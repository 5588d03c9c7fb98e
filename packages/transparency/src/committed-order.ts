import {
  calculateQuote,
  isWholeCents,
  utf8,
  type ClientId,
  type MicroUsd,
  type Points,
  type Rate,
  type TradingConfig,
} from "@fairtick/domain";
import {
  count,
  demand,
  hash,
  instant,
  listOf,
  nullOr,
  oneOf,
  parseCanonical,
  pick,
  record,
  ShapeError,
  signatureHex,
  symbol,
  text,
  whole,
  type Read,
  type Shape,
} from "./shape.ts";

/** An order as agreed, parsed from the texts that its commitment binds. */
export interface CommittedOrder {
  readonly orderNo: string;
  /** `usr_…` */
  readonly member: string;
  readonly clientOrderId: ClientId;
  readonly symbol: string;
  readonly wallet: "practice" | "real";
  /** Null while the order is sealed. */
  readonly direction: "up" | "down" | null;
  readonly durationSeconds: number;
  readonly stake: MicroUsd;
  readonly fee: MicroUsd;
  readonly payoutRate: Rate;
  readonly profitIfWon: MicroUsd;
  readonly limitPrice: Points | null;
  readonly configVersion: number;
  readonly sealed: CommittedSeal | null;
}

/** The fields that a sealed order has in place of its direction. */
export interface CommittedSeal {
  readonly seal: Uint8Array;
  /** `dev_…` */
  readonly device: string;
  readonly seenSlot: number;
  readonly seenHash: Uint8Array;
  readonly signature: Uint8Array;
}

/** Direction and limit price that the opening of a sealed order revealed. */
export type Opened = Pick<CommittedOrder, "direction" | "limitPrice">;

const wallet = oneOf("practice", "real");
const direction = oneOf("up", "down");
const cents: Shape<bigint> = (value, at) => {
  const amount = whole(value, at);
  demand(isWholeCents(amount as MicroUsd), `${at} is not whole cents`);
  return amount;
};
const money = { fee: cents, payoutRate: whole, profit: cents, stake: cents };

const formerFields = record({
  ...money,
  clientOrderId: text,
  configVersion: count,
  direction,
  duration: count,
  limitPrice: nullOr(whole),
  member: text,
  orderNo: text,
  symbol,
  v: oneOf(1),
  wallet,
});

/** Parses an order of version 1 (`formerOrderJson` in domain); null for a text that is not canonical JSON of one. */
export function parseFormerOrder(json: string): CommittedOrder | null {
  return orNull(() => {
    const read = formerFields(parseCanonical(utf8(json)), "order");
    return { ...ownOf(read), ...termsOf(read), limitPrice: read.limitPrice as Points | null, sealed: null };
  });
}

const openTerms = record({ direction, duration: count, limitPrice: nullOr(whole), symbol, v: oneOf(2) });
const sealedTerms = record({ duration: count, seal: hash, symbol, v: oneOf(2) });
const ownFields = record({
  ...money,
  clientOrderId: text,
  configVersion: count,
  device: nullOr(text),
  member: text,
  orderNo: text,
  seenHash: nullOr(hash),
  seenSlot: nullOr(count),
  signature: nullOr(signatureHex),
  v: oneOf(2),
  wallet,
});

/**
 * Parses an order from its terms and private part (`termsJson` and `privateJson` in domain). `opened`: what the opening
 * of a sealed order revealed, if it was opened. Null for malformed texts.
 */
export function parseCommittedOrder(terms: string, own: string, opened: Opened | null): CommittedOrder | null {
  return orNull(() => {
    const mine = ownFields(parseCanonical(utf8(own)), "own");
    const value = parseCanonical(utf8(terms));
    const { device, seenHash, seenSlot, signature } = mine;
    if (typeof value !== "object" || value === null || !("seal" in value)) {
      const open = openTerms(value, "terms");
      if (device !== null || seenHash !== null || seenSlot !== null || signature !== null)
        throw new ShapeError("own is of an order that was sealed");
      return { ...ownOf(mine), ...termsOf(open), limitPrice: open.limitPrice as Points | null, sealed: null };
    }
    const closed = sealedTerms(value, "terms");
    if (device === null || seenHash === null || seenSlot === null || signature === null)
      throw new ShapeError("own is of an order that was not sealed");
    const { direction: side = null, limitPrice = null } = opened ?? {};
    const sealed = { seal: closed.seal, device, seenHash, seenSlot, signature };
    return { ...ownOf(mine), ...termsOf({ ...closed, direction: side }), limitPrice, sealed };
  });
}

type FormerOrOpen = Pick<Read<typeof sealedTerms>, "symbol" | "duration"> & Pick<Opened, "direction">;

function termsOf({ symbol: name, duration, direction: side }: FormerOrOpen) {
  return { symbol: name, durationSeconds: duration, direction: side };
}

function ownOf(
  read: Pick<
    Read<typeof ownFields>,
    keyof typeof money | "orderNo" | "member" | "clientOrderId" | "configVersion" | "wallet"
  >,
) {
  return {
    orderNo: read.orderNo,
    member: read.member,
    clientOrderId: read.clientOrderId as ClientId,
    wallet: read.wallet,
    configVersion: read.configVersion,
    stake: read.stake as MicroUsd,
    fee: read.fee as MicroUsd,
    payoutRate: read.payoutRate as Rate,
    profitIfWon: read.profit as MicroUsd,
  };
}

/** The part of a configuration that a verifier needs. */
export interface ConfigTerms {
  readonly version: TradingConfig["version"];
  readonly effectiveAt: TradingConfig["effectiveAt"];
  readonly instruments: readonly InstrumentRules[];
}

export interface InstrumentRules {
  readonly symbol: string;
  readonly feeRate: Rate;
  readonly staleExitMs: bigint;
  readonly durations: readonly { readonly seconds: number; readonly payoutRate: Rate }[];
}

// Only these fields decide how orders are settled; the hash in the log binds all the others too.
const configFields = pick({
  version: count,
  effectiveAt: instant,
  instruments: listOf(
    pick({
      symbol,
      feeRate: whole,
      staleExitMs: whole,
      durations: listOf(pick({ seconds: count, payoutRate: whole })),
    }),
  ),
});

/** Parses a configuration; null for a text that is not canonical JSON of one. */
export function parseConfigTerms(body: string): ConfigTerms | null {
  return orNull(() => {
    const { version, effectiveAt, instruments } = configFields(parseCanonical(utf8(body)), "config");
    return {
      version,
      effectiveAt,
      instruments: instruments.map((rules) => ({
        symbol: rules.symbol,
        staleExitMs: rules.staleExitMs,
        feeRate: rules.feeRate as Rate,
        durations: rules.durations.map(({ seconds, payoutRate }) => ({ seconds, payoutRate: payoutRate as Rate })),
      })),
    };
  });
}

export function findRules(config: ConfigTerms, symbolWanted: string): InstrumentRules | null {
  return config.instruments.find((rules) => rules.symbol === symbolWanted) ?? null;
}

/** Returns whether the order's rate, fee and profit follow from the configuration for this stake and duration. */
export function termsFollow(order: CommittedOrder, rules: InstrumentRules): boolean {
  const offer = rules.durations.find((each) => each.seconds === order.durationSeconds);
  if (offer === undefined) return false;
  const quote = calculateQuote(rules, offer, order.stake);
  return quote.payoutRate === order.payoutRate && quote.fee === order.fee && quote.profitIfWon === order.profitIfWon;
}

function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ShapeError) return null;
    throw error;
  }
}
