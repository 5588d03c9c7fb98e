import {
  type ClientId,
  fromHex,
  parseMoney,
  parsePrice,
  parseRate,
  type Points,
  sealOf,
  toHex,
  SEAL_NONCE_BYTES,
  wishText,
} from "@fairtick/domain";
import type { Fields, Instrument, orderPlace } from "@fairtick/protocol";
import { portableHashes } from "@fairtick/transparency";
import type { PendingOrder } from "../pending-order.ts";
import { keys, queryClient } from "../queries.ts";
import { currentSettings } from "../settings.ts";
import { awaitHead, newestHeadWith, type SeenHead } from "./heads.ts";
import { knowChoice } from "./known-choices.ts";
import { noteWish } from "./evidence.ts";
import { ownDevice, signText, type OwnDevice } from "./own-device.ts";
import { holdChoice } from "./placed-here.ts";
import { keepChoice, readChoice, type KeptChoice } from "./shelf.ts";

/** Longest wait for a head. Prices come several times a second; without any there is nothing to place an order on. */
const HEAD_MS_MAX = 3_000;

/** Thrown if no signed prices arrived, so that the order couldn't say which ones the member saw. */
export class NoHead extends Error {
  constructor() {
    super("no signed prices arrived");
    this.name = "NoHead";
  }
}

/**
 * Returns the fields for `order/place`: everything except the direction and limit price, which are sealed and stay on
 * this device. Calling it again for the same order reuses its seal, with the prices seen by then.
 *
 * @param tradePassword Registers this browser as a further device of the member.
 * @throws NoKeysHere · ShelfClosed · DeviceNeedsPassword · NoHead · CallError with what `device/add` refuses
 */
export async function sealOrder(pending: PendingOrder, tradePassword?: string): Promise<Fields<typeof orderPlace>> {
  const device = await ownDevice(pending.member, tradePassword);
  const choice = (await readChoice(pending.clientOrderId)) ?? (await makeChoice(pending));
  knowChoice(choice);
  const newest = await awaitHead(HEAD_MS_MAX);
  if (newest === null) throw new NoHead();
  // The house must accept within 3 s of a price in this head. It could date another symbol's price ahead.
  const head = newestHeadWith(pending.symbol) ?? newest;
  const fields = await signWish(pending, device, sealOfChoice(pending, choice), head);
  await noteWish(pending, fields, head);
  return fields;
}

/** Creates the choice and writes it to disk before anything is sent, because it must outlive this page. */
async function makeChoice(pending: PendingOrder): Promise<KeptChoice> {
  const { clientOrderId, member, wallet, symbol, direction, limitPrice = null, sentAt, duration } = pending;
  const untilEnd = currentSettings().sealUntilEnd ? { durationSeconds: duration, expiresAt: null } : undefined;
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(SEAL_NONCE_BYTES)));
  const choice = {
    clientOrderId,
    member,
    wallet,
    symbol,
    direction,
    limitPrice,
    nonce,
    sentAt,
    placedAt: Date.now(),
    orderNo: null,
    acceptedAt: null,
    ...(untilEnd !== undefined && { untilEnd }),
  };
  await keepChoice(choice);
  holdChoice(choice);
  return choice;
}

function sealOfChoice({ symbol }: PendingOrder, { nonce, direction, limitPrice }: KeptChoice): Uint8Array {
  const points = limitPrice === null ? null : pointsOf(limitPrice, symbol);
  return sealOf(portableHashes, held(fromHex(nonce)), { direction, limitPrice: points });
}

function pointsOf(price: string, symbol: string): Points {
  const instrument = queryClient
    .getQueryData<Instrument[]>(keys.instruments)
    ?.find((candidate) => candidate.symbol === symbol);
  const points = instrument === undefined ? null : parsePrice(price, instrument.decimals);
  if (points === null) throw new RangeError(`${price} is no price of ${symbol}`);
  return points;
}

async function signWish(
  pending: PendingOrder,
  device: OwnDevice,
  seal: Uint8Array,
  { slot, hash }: SeenHead,
): Promise<Fields<typeof orderPlace>> {
  const { clientOrderId, wallet, symbol, stake, duration, payoutRate, fee } = pending;
  const signed = wishText({
    wallet,
    symbol,
    stake: held(parseMoney(stake)),
    durationSeconds: duration,
    payoutRate: held(parseRate(payoutRate)),
    fee: held(parseMoney(fee)),
    clientOrderId: clientOrderId as ClientId,
    seal,
    deviceId: device.deviceId,
    seenSlot: BigInt(slot),
    seenHash: held(fromHex(hash)),
  });
  return {
    clientOrderId,
    wallet,
    symbol,
    stake,
    duration,
    payoutRate,
    fee,
    seal: toHex(seal),
    deviceId: device.deviceId,
    seenSlot: slot,
    seenHash: hash,
    signature: await signText(device, signed),
  };
}

/** Returns the value, which can't be null because the form only accepts valid amounts. */
function held<Value>(value: Value | null): Value {
  if (value === null) throw new RangeError("an order's figures must be readable");
  return value;
}
