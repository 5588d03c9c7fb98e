import type { KeyObject } from "node:crypto";
import {
  accept,
  type ClientId,
  type DeviceId,
  type Direction,
  formatId,
  type MemberId,
  type MicroUsd,
  type OrderPayload,
  parseId,
  parsePrice,
  type Rate,
  refuse,
  type SealedPart,
  type Verdict,
  type Wallet,
  wishText,
} from "@fairtick/domain";
import type { PlacedOrder } from "@fairtick/protocol";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";
import type { Bus } from "../../platform/bus.ts";
import { type DeviceKeys, verifyByKey } from "../order-devices/index.ts";
import { acceptanceView } from "./batch-proof.ts";
import type { Collector } from "./collector.ts";
import { acceptedView } from "./order-view.ts";
import { readAcceptance } from "./read-acceptance.ts";
import { type OrderReading, readOrder } from "./read-orders.ts";

/** What a member sends to place an order. */
export interface PlaceOrderInput {
  readonly wallet: Wallet;
  readonly symbol: string;
  /** The direction. Left out of a sealed order. */
  readonly direction?: Direction | undefined;
  readonly stake: MicroUsd;
  readonly duration: number;
  /** Has no more decimal places than the instrument. */
  readonly limitPrice?: string | undefined;
  readonly payoutRate?: Rate | undefined;
  readonly fee?: MicroUsd | undefined;
  readonly clientOrderId: ClientId;
  /** Only a sealed order has these five fields. It also has rate and fee, but neither direction nor limit price. */
  readonly seal?: Uint8Array | undefined;
  readonly deviceId?: string | undefined;
  readonly seenSlot?: number | undefined;
  readonly seenHash?: Uint8Array | undefined;
  /** The device's signature over `wishText` of the domain, in base64url. */
  readonly signature?: string | undefined;
}

export interface Placing extends OrderReading {
  readonly collector: Collector;
  readonly bus: Bus;
  readonly devices: DeviceKeys;
  readonly signer?: AcceptanceSigner;
}

/**
 * Places an order, once for each client id. Refuses FIELD_INVALID for a limit price with more decimal places than the
 * instrument has, FIELD_MISSING or FIELD_INVALID for a wish that is only partly sealed, CLIENT_ID_REUSED for a known
 * client id with another payload, NOT_NOW while acceptance is stopped, and everything that `placeOrders` of the domain
 * refuses.
 */
export async function placeOrder(
  placing: Placing,
  memberId: MemberId,
  input: PlaceOrderInput,
): Promise<Verdict<PlacedOrder>> {
  const { configs, collector, bus } = placing;
  const halfSealed = refuseHalfSealed(input);
  if (halfSealed !== null) return halfSealed;
  const limitPrice = limitOf(placing, input);
  if (limitPrice === undefined) return refuse("FIELD_INVALID", undefined, { limitPrice: "FIELD_INVALID" });
  const payload: OrderPayload = {
    wallet: input.wallet,
    symbol: input.symbol,
    direction: input.direction ?? null,
    sealed: sealedPart(input),
    stake: input.stake,
    durationSeconds: input.duration,
    limitPrice,
    payoutRate: input.payoutRate ?? null,
    fee: input.fee ?? null,
  };
  const { clientOrderId } = input;
  // Find the key before the wish joins a batch, which would otherwise lock its members' rows while it waits.
  const key = payload.sealed && (await placing.devices.find(payload.sealed.deviceId));
  const isSigned = key !== null && isSignedWish(key, clientOrderId, payload);
  const outcome = await collector.place({ memberId, clientOrderId, payload, isSigned });
  switch (outcome.kind) {
    case "accepted": {
      bus.publish("orders", { members: [memberId], orderIds: [outcome.order.orderId] });
      bus.publish("accounts", { members: [memberId] });
      const { batchNo, batchPlace: place, proof, order } = outcome;
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

const SEALED_FIELDS = ["seal", "deviceId", "seenSlot", "seenHash", "signature"] as const;

/** Refuses a wish that is neither in the open nor completely sealed. */
function refuseHalfSealed(input: PlaceOrderInput): Verdict<never> | null {
  const isSealed = SEALED_FIELDS.some((name) => input[name] !== undefined);
  const needed = isSealed ? ([...SEALED_FIELDS, "payoutRate", "fee"] as const) : (["direction"] as const);
  const missing = needed.find((name) => input[name] === undefined);
  if (missing !== undefined) return refuse("FIELD_MISSING", undefined, { [missing]: "FIELD_MISSING" });
  const told = (["direction", "limitPrice"] as const).find((name) => isSealed && input[name] !== undefined);
  return told === undefined ? null : refuse("FIELD_INVALID", undefined, { [told]: "FIELD_INVALID" });
}

/** Returns the sealed part of a wish; null for one in the open. A malformed device id counts as unknown. */
function sealedPart({ seal, deviceId, seenSlot, seenHash, signature }: PlaceOrderInput): SealedPart | null {
  if (seal === undefined || seenSlot === undefined || seenHash === undefined || signature === undefined) return null;
  return {
    seal,
    deviceId: parseId("device", deviceId ?? "") ?? NO_DEVICE,
    seenSlot: BigInt(seenSlot),
    seenHash,
    signature: Buffer.from(signature, "base64url"),
  };
}

const NO_DEVICE = 0n as DeviceId;

/**
 * Starts checking a wish's signature on another thread, while its batch locks and reads rows. A wrong signature isn't
 * refused here but by the rules, so that this refusal is signed like any other.
 */
function isSignedWish(key: KeyObject, clientOrderId: ClientId, payload: OrderPayload): boolean | Promise<boolean> {
  const { sealed, payoutRate, fee } = payload;
  if (sealed === null || payoutRate === null || fee === null) return false;
  const deviceId = formatId("device", sealed.deviceId);
  const text = wishText({ ...payload, ...sealed, deviceId, payoutRate, fee, clientOrderId });
  const checking = verifyByKey(key, text, sealed.signature);
  // The batch that awaits this gets the error. Until then, an early rejection must not count as unhandled.
  checking.catch(() => undefined);
  return checking;
}

/** Reads the limit price; null for none, undefined for a text that is not a price of the instrument. */
function limitOf({ configs }: Placing, { symbol, limitPrice }: PlaceOrderInput) {
  if (limitPrice === undefined) return null;
  const terms = configs.findInstrument(symbol);
  // The rules will refuse an unknown instrument, whatever the price.
  if (terms === undefined) return null;
  return parsePrice(limitPrice, terms.decimals) ?? undefined;
}
