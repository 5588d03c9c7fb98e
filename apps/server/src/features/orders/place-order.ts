import {
  accept,
  type ClientId,
  type Direction,
  type MemberId,
  type MicroUsd,
  type OrderPayload,
  parsePrice,
  type Rate,
  refuse,
  type Verdict,
  type Wallet,
} from "@fairtick/domain";
import type { PlacedOrder } from "@fairtick/protocol";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";
import type { Bus } from "../../platform/bus.ts";
import { acceptanceView } from "./batch-proof.ts";
import type { Collector } from "./collector.ts";
import { acceptedView } from "./order-view.ts";
import { readAcceptance } from "./read-acceptance.ts";
import { type OrderReading, readOrder } from "./read-orders.ts";

/** What a member sends. */
export interface PlaceOrderInput {
  readonly wallet: Wallet;
  readonly symbol: string;
  readonly direction: Direction;
  readonly stake: MicroUsd;
  readonly duration: number;
  /** In the instrument's places. */
  readonly limitPrice?: string | undefined;
  readonly payoutRate?: Rate | undefined;
  readonly fee?: MicroUsd | undefined;
  readonly clientOrderId: ClientId;
}

export interface Placing extends OrderReading {
  readonly collector: Collector;
  readonly bus: Bus;
  readonly signer?: AcceptanceSigner;
}

/**
 * Places an order, once for each client id. Refuses FIELD_INVALID for a limit price with more places than the
 * instrument has, CLIENT_ID_REUSED for a known client id with another payload, NOT_NOW while acceptance is stopped,
 * and everything that `placeOrders` of the domain refuses.
 */
export async function placeOrder(
  placing: Placing,
  memberId: MemberId,
  input: PlaceOrderInput,
): Promise<Verdict<PlacedOrder>> {
  const { configs, collector, bus } = placing;
  const limitPrice = limitOf(placing, input);
  if (limitPrice === undefined) return refuse("FIELD_INVALID", undefined, { limitPrice: "FIELD_INVALID" });
  const payload: OrderPayload = {
    wallet: input.wallet,
    symbol: input.symbol,
    direction: input.direction,
    sealed: null,
    stake: input.stake,
    durationSeconds: input.duration,
    limitPrice,
    payoutRate: input.payoutRate ?? null,
    fee: input.fee ?? null,
  };
  const outcome = await collector.place({ memberId, clientOrderId: input.clientOrderId, payload });
  switch (outcome.kind) {
    case "accepted": {
      bus.publish("orders", { members: [memberId], orderIds: [outcome.order.orderId] });
      bus.publish("accounts", { members: [memberId] });
      const { batchNo, batchPlace: place, proof } = outcome;
      const order = { ...outcome.order, direction: input.direction };
      const mine = proof && { batchNo, acceptedAt: order.acceptedAt, place, nonces: proof.nonces };
      return accept({ ...acceptedView(order, configs), acceptance: mine && acceptanceView(mine, proof.batch) });
    }
    case "known": {
      const order = await readOrder(placing, memberId, outcome.orderId);
      if (order === undefined) throw new Error(`a client id is bound to order ${outcome.orderId}, which is not there`);
      const { databases, signer } = placing;
      const acceptance = signer ? await readAcceptance(databases.reader, signer, memberId, outcome.orderId) : null;
      return accept({ ...order, acceptance });
    }
    case "refused":
      return { ok: false, refusal: outcome.refusal };
  }
}

/** Null for none; undefined for a text that is no price of the instrument. */
function limitOf({ configs }: Placing, { symbol, limitPrice }: PlaceOrderInput) {
  if (limitPrice === undefined) return null;
  const terms = configs.findInstrument(symbol);
  // Of an unknown instrument the rules say so, whatever the price.
  if (terms === undefined) return null;
  return parsePrice(limitPrice, terms.decimals) ?? undefined;
}
