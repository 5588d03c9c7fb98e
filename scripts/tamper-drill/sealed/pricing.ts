import { setTimeout as sleep } from "node:timers/promises";
import { calculateOutcome, FIRST_SM1_PARAMS, formatPrice, type Points } from "@fairtick/domain";
import { waitUntil } from "@fairtick/testkit";
import type { WinCount } from "@fairtick/transparency";
import { type Device, drawDirection, type Kept, placeSealed, reveal } from "./device.ts";
import type { SealedHouse } from "./house.ts";
import { watchHeads } from "./heads.ts";
import { lookAtLog, type Notice, waitForFault } from "./look.ts";
import { dropIncidents } from "./settling.ts";

/**
 * An exchange that works for the house: it bends its price, or says nothing, at the very moment at which one order ends. An order that
 * was opened by then can be hit; one that stays sealed until its end cannot.
 */

/** 0.08 %, as the independent test bent it. */
const BENT_PER_MILLION = 800n;
/** Foreign exchange waits longest for a price before an order is void, 15 s: silence for longer than that. */
const SILENT_MS = 17_000;
const BENT_BEFORE_MS = 2_000;
const AFTER_MS = 3_000;
const ENTERED_MS = 2_500;
const SETTLED_MS_MAX = 60_000;
/** A house has a minute to say why there was no price; the log tells of a moment after that with the prices of the next one. */
const TOLD_MS = 60_000;

export interface Lone {
  /** Among those that were decided. */
  readonly wins: WinCount;
  readonly voided: number;
  /** Of the voided those whose last price was ahead. */
  readonly ahead: number;
}

interface Placed {
  readonly device: Device;
  readonly kept: Kept;
  readonly symbol: string;
  readonly calm: bigint;
  readonly digits: number;
}

/** One order on each instrument, alone there, so that the exchange can meet each of them apart. */
export async function meetLoneOrders(
  house: SealedHouse,
  how: "bend" | "silence",
  reveals: "bound" | "end",
): Promise<Lone> {
  const placed = await placeOnEach(house);
  await sleep(ENTERED_MS);
  const known = reveals === "bound";
  if (known) for (const { device, kept } of placed) await reveal(device, kept);
  const lastPrices = drift(house, placed);
  const attack = how === "bend" ? bend : silence;
  await Promise.all(placed.map((each) => attack(house, each, known, lastPrices.get(each.symbol) ?? each.calm)));
  if (!known) for (const { device, kept } of placed) await reveal(device, kept);
  return count(placed, lastPrices);
}

/** The exchange is silent where an opened order would win, and what the house says of that is kept out of the log. */
export async function hideOutage(house: SealedHouse): Promise<Notice[]> {
  const known = await lookAtLog(house);
  const giveBack = await dropIncidents(house);
  try {
    await meetLoneOrders(house, "silence", "bound");
    // The house says so once there is a price again.
    await sleep(AFTER_MS);
  } finally {
    await giveBack();
  }
  return waitForFault(house, known, performance.now() + TOLD_MS);
}

/** Says a price that makes the order lose, from shortly before its expiry until after it. */
async function bend(house: SealedHouse, order: Placed, known: boolean, last: bigint): Promise<void> {
  const expiry = expiryOf(house, order);
  await sleep(Math.max(0, expiry - BENT_BEFORE_MS - Date.now()));
  say(house, order, order.calm + against(order, known) * ((order.calm * BENT_PER_MILLION) / 1_000_000n));
  await sleep(Math.max(0, expiry + AFTER_MS - Date.now()));
  say(house, order, last);
}

/** Says nothing over its expiry where it would win; what the house doesn't know it can only silence blindly. */
async function silence(house: SealedHouse, order: Placed, known: boolean, last: bigint): Promise<void> {
  const expiry = expiryOf(house, order);
  if (known && !isAhead(order, last)) return;
  await sleep(Math.max(0, expiry - SILENT_MS - Date.now()));
  house.exchange.set({ [order.symbol]: null });
  await sleep(Math.max(0, expiry + AFTER_MS - Date.now()));
  say(house, order, last);
}

/** The entry comes within a slot of the acceptance. */
function expiryOf({ terms }: SealedHouse, { kept }: Placed): number {
  return acceptedAt(kept) + terms.duration * 1_000;
}

async function placeOnEach(house: SealedHouse): Promise<Placed[]> {
  for (const { symbol, anchor, digits } of FIRST_SM1_PARAMS)
    house.exchange.set({ [symbol]: formatPrice(anchor, digits) });
  await sleep(ENTERED_MS);
  const placed: Placed[] = [];
  for (const [place, { symbol, anchor, digits }] of FIRST_SM1_PARAMS.entries()) {
    const device = house.devices[place % house.devices.length];
    if (device === undefined) throw new Error("the drill has no member");
    const heads = await watchHeads(house.product.base, symbol);
    const kept = await placeSealed(device, { ...house.terms, symbol }, heads.newest());
    heads.close();
    if (kept.answer.kind !== "accepted") throw new Error(`an order on ${symbol} was refused: ${kept.answer.error}`);
    placed.push({ device, kept, symbol, calm: anchor, digits });
  }
  return placed;
}

/** Moves each price by a coin, honestly, once its order has entered. */
function drift(house: SealedHouse, placed: readonly Placed[]): ReadonlyMap<string, bigint> {
  return new Map(
    placed.map((each) => {
      const price = each.calm + (drawDirection() === "up" ? 1n : -1n) * (each.calm / 5_000n);
      say(house, each, price);
      return [each.symbol, price];
    }),
  );
}

/** Which way the price has to go so that the order loses; a coin where nobody knows. */
function against({ kept }: Placed, known: boolean): bigint {
  const loses = known ? kept.direction : drawDirection();
  return loses === "up" ? -1n : 1n;
}

function isAhead({ kept, calm }: Placed, last: bigint): boolean {
  return calculateOutcome(calm as Points, last as Points, kept.direction) === "won";
}

function say({ exchange }: SealedHouse, { symbol, digits }: Placed, price: bigint): void {
  exchange.set({ [symbol]: formatPrice(price as Points, digits) });
}

async function count(placed: readonly Placed[], lastPrices: ReadonlyMap<string, bigint>): Promise<Lone> {
  const outcomes = await Promise.all(placed.map(async (each) => [each, await outcomeOf(each)] as const));
  const of = (wanted: string) => outcomes.filter(([, outcome]) => outcome === wanted);
  const voided = of("voided");
  return {
    wins: { won: of("won").length, decided: of("won").length + of("lost").length },
    voided: voided.length,
    ahead: voided.filter(([each]) => isAhead(each, lastPrices.get(each.symbol) ?? each.calm)).length,
  };
}

function outcomeOf({ device, kept }: Placed): Promise<string> {
  const orderNo = kept.answer.kind === "accepted" ? kept.answer.order.orderNo : "";
  return waitUntil(
    "the settlement",
    async () => {
      const { data } = await device.call("order/detail", { orderNo });
      return data["state"] === "settled" ? String(data["outcome"]) : null;
    },
    SETTLED_MS_MAX,
  );
}

function acceptedAt({ answer }: Kept): number {
  return answer.kind === "accepted" ? answer.order.acceptedAt : 0;
}
