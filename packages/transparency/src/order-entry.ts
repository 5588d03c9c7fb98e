import type { Instant } from "@fairtick/domain";
import {
  base64,
  count,
  demand,
  hash,
  instant,
  listOf,
  mapOf,
  nonce,
  nullOr,
  oneOf,
  record,
  symbol,
  whole,
  type Read,
  type Shape,
} from "./shape.ts";

// There are two kinds of entries about orders, each in two versions. Logs from before sealed orders have version 1.
const one = oneOf(1);
const voidReason = oneOf("NO_ENTRY_TICK", "LIMIT_PASSED", "NO_TICK_BETWEEN", "STALE_EXIT");
const direction = oneOf("up", "down");

/** A settled order in version 1. It is public and doesn't name the member. */
const formerSettled = record({
  acceptedAt: instant,
  batch: count,
  direction,
  duration: count,
  entrySeq: nullOr(count),
  exitSeq: nullOr(count),
  limitPrice: nullOr(whole),
  outcome: oneOf("won", "lost", "tied", "voided"),
  place: count,
  symbol,
  voidReason: nullOr(voidReason),
});

/**
 * A settled order in version 2, with what opens its terms: `nonce`, and the hash of the private part (`own`). A sealed
 * order has its seal and, once revealed, `sealNonce` and `revealedAt`. If it was never revealed, its direction is null.
 */
const openedSettled = record({
  acceptedAt: instant,
  batch: count,
  direction: nullOr(direction),
  duration: count,
  entrySeq: nullOr(count),
  exitSeq: nullOr(count),
  limitPrice: nullOr(whole),
  nonce,
  outcome: oneOf("won", "lost", "tied", "voided", "unrevealed"),
  own: hash,
  place: count,
  revealedAt: nullOr(instant),
  seal: nullOr(hash),
  sealNonce: nullOr(hash),
  symbol,
  voidReason: nullOr(voidReason),
});

/** The values that open an order's terms, so that its settlement can be compared with what was agreed. */
export interface Opening {
  readonly nonce: Uint8Array;
  readonly own: Uint8Array;
  readonly seal: Uint8Array | null;
  readonly sealNonce: Uint8Array | null;
  readonly revealedAt: Instant | null;
}

/** An order of a settlement entry. `opening` is null in version 1. */
export type SettledOrder = Omit<Read<typeof openedSettled>, keyof Opening> & { readonly opening: Opening | null };

export interface SettleEntry {
  readonly kind: "orders.settle";
  readonly v: 1 | 2;
  readonly settledAt: Instant;
  readonly orders: readonly SettledOrder[];
}

export const settleEntry = byVersion<SettleEntry>(
  (value, at) => {
    const read = record({
      kind: oneOf("orders.settle"),
      orders: listOf(formerSettled, 300),
      settledAt: instant,
      v: one,
    })(value, at);
    return { ...read, orders: read.orders.map((order) => Object.assign(order, { opening: null })) };
  },
  (value, at) => {
    const read = record({
      kind: oneOf("orders.settle"),
      orders: listOf(openedSettled, 300),
      settledAt: instant,
      v: oneOf(2),
    })(value, at);
    return {
      ...read,
      orders: read.orders.map(({ nonce: termsNonce, own, seal, sealNonce, revealedAt, ...order }) =>
        Object.assign(order, { opening: { nonce: termsNonce, own, seal, sealNonce, revealedAt } }),
      ),
    };
  },
);

/** A batch. Commitments and refusals are 32 bytes each, concatenated in order of places; refusals come last. */
export interface AcceptEntry {
  readonly kind: "orders.accept";
  readonly v: 1 | 2;
  readonly batch: number;
  readonly acceptedAt: Instant;
  readonly commitments: Uint8Array;
  readonly refusals: Uint8Array;
  /** Number of refusals for each reason. */
  readonly reasons: ReadonlyMap<string, number>;
  /** Number of orders that are not sealed; all of them in version 1. */
  readonly open: number;
  /** Version of the configuration that applied to all of them. Older logs lack it. */
  readonly config?: number;
}

export const acceptEntry = byVersion<AcceptEntry>(
  (value, at) => {
    const read = record(
      { acceptedAt: instant, batch: count, commitments: base64, kind: oneOf("orders.accept"), v: one },
      { config: count },
    )(value, at);
    return { ...read, open: read.commitments.length / 32, refusals: new Uint8Array(), reasons: new Map() };
  },
  record({
    acceptedAt: instant,
    batch: count,
    commitments: base64,
    config: count,
    kind: oneOf("orders.accept"),
    open: count,
    reasons: mapOf(count),
    refusals: base64,
    v: oneOf(2),
  }),
);

/** Makes a reader of both versions: `first` reads entries of version 1, `second` those of version 2. */
function byVersion<Value>(first: Shape<Value>, second: Shape<Value>): Shape<Value> {
  return (value, at) => {
    const version: unknown = typeof value === "object" && value !== null && "v" in value ? value.v : null;
    return version === 2 ? second(value, at) : first(value, at);
  };
}

/** Checks the relations between the fields of an acceptance. Throws ShapeError. */
export function checkAcceptance({ commitments, refusals, reasons, open }: AcceptEntry): void {
  const [accepted, refused] = [commitments.length / 32, refusals.length / 32];
  demand(accepted + refused > 0, "entry.commitments and entry.refusals are none");
  demand(
    Number.isInteger(accepted) && Number.isInteger(refused),
    "entry.commitments and entry.refusals are not of 32 bytes each",
  );
  demand(open <= accepted, "entry.open is more than entry.commitments");
  const counts = [...reasons.values()];
  const named = [...reasons.keys()].every((reason) => /^[A-Z][A-Z_]{1,39}$/.test(reason));
  demand(named && !counts.includes(0), "entry.reasons are not reasons with how many each had");
  demand(counts.reduce((sum, each) => sum + each, 0) === refused, "entry.reasons do not count entry.refusals");
}

/** Checks the relations between the fields of a settled order. Throws ShapeError. */
export function checkSettled({
  outcome,
  voidReason: reason,
  direction: side,
  limitPrice,
  opening,
}: SettledOrder): void {
  demand((outcome === "voided") === (reason !== null), "an order's void reason and outcome differ");
  demand(side !== null || outcome === "voided" || outcome === "unrevealed", "an order without direction was decided");
  demand(outcome !== "unrevealed" || side === null, "an order that was revealed counts as unrevealed");
  if (opening === null) return;
  const { seal, sealNonce, revealedAt } = opening;
  demand((sealNonce === null) === (revealedAt === null), "an order's seal and time of being revealed differ");
  demand(seal !== null || sealNonce === null, "an order without a seal was revealed");
  demand((side === null) === (seal !== null && sealNonce === null), "an order's direction and seal differ");
  demand(side !== null || limitPrice === null, "an order without direction has a limit price");
}

/** Returns a settled order's name in findings, such as `order 12/0`: its batch and its place there. */
export function nameOfOrder({ batch, place }: SettledOrder): string {
  return `order ${batch}/${place}`;
}
