import { setTimeout as sleep } from "node:timers/promises";
import { calculateOutcome, FIRST_SM1_PARAMS, formatPrice, type Points } from "@fairtick/domain";
import { waitUntil } from "@fairtick/testkit";
import type { WinCount } from "@fairtick/transparency";
import { type Device, drawDirection, type Kept, placeSealed, reveal } from "./device.ts";
import type { SealedHouse } from "./house.ts";
import { type Heads, watchHeads } from "./heads.ts";
import { lookAtLog, type Notice, waitForFault } from "./look.ts";
import { dropIncidents } from "./settling.ts";

/**
 * An exchange that works for the house: it bends its price, or stops it, at the moment when one order ends. Orders
 * opened by then can be hit; orders sealed until their end can't.
 */

/** 0.08 %, as in the independent test. */
const BENT_PER_MILLION = 800n;
/** Longer than 15 s, the longest time without a price before an order is voided (foreign exchange). */
const SILENT_MS = 17_000;
const BENT_BEFORE_MS = 2_000;
const AFTER_MS = 3_000;
const ENTERED_MS = 2_500;
const SETTLED_MS_MAX = 60_000;
/** Number of calls in flight. */
const AT_ONCE = 24;
/** A house has a minute to say why there was no price; the log tells of a moment after that with the prices of the next one. */
const TOLD_MS = 60_000;

export interface Lone {
  /** Among decided orders. */
  readonly wins: WinCount;
  readonly voided: number;
  /** Voided orders whose last price was winning. */
  readonly ahead: number;
}

interface Placed {
  readonly device: Device;
  readonly kept: Kept;
  readonly symbol: string;
  readonly calm: bigint;
  readonly digits: number;
}

/** Places one open order on each instrument, so that the exchange can target each of them separately. */
export function meetLoneOrders(house: SealedHouse, how: "bend" | "silence"): Promise<Lone> {
  return meetOrders(house, how, 1);
}

/**
 * As many orders on each instrument as there are members, by coins, all of them sealed until their end: the exchange does the same to
 * each instrument and can't know whom it hits.
 */
export function meetSealedOrders(house: SealedHouse, how: "bend" | "silence"): Promise<Lone> {
  return meetOrders(house, how, house.devices.length);
}

async function meetOrders(house: SealedHouse, how: "bend" | "silence", onEach: number): Promise<Lone> {
  const placed = await placeOnEach(house, onEach);
  await sleep(ENTERED_MS);
  const known = onEach === 1;
  if (known) await revealAll(placed);
  const lastPrices = drift(house, placed);
  const attack = how === "bend" ? bend : silence;
  const groups = Object.values(Object.groupBy(placed, ({ symbol }) => symbol)) as Placed[][];
  await Promise.all(groups.map((group) => attack(house, group, known, lastPrices)));
  if (!known) await revealAll(placed);
  return count(placed, lastPrices);
}

async function revealAll(placed: readonly Placed[]): Promise<void> {
  await inLanes(placed, ({ device, kept }) => reveal(device, kept));
}

/** A few at once. */
async function inLanes<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items].toReversed();
  const lane = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** The exchange is silent where an opened order would win, and what the house says of that is kept out of the log. */
export async function hideOutage(house: SealedHouse): Promise<Notice[]> {
  const known = await lookAtLog(house);
  const giveBack = await dropIncidents(house);
  try {
    await meetLoneOrders(house, "silence");
    // The house says so once there is a price again.
    await sleep(AFTER_MS);
  } finally {
    await giveBack();
  }
  return waitForFault(house, known, performance.now() + TOLD_MS);
}

/** What the attack on an instrument's orders is: all of these are on one. */
type Attack = (
  house: SealedHouse,
  orders: readonly Placed[],
  known: boolean,
  lastPrices: ReadonlyMap<string, bigint>,
) => Promise<void>;

/** Says a price that makes the order lose, from shortly before its expiry until after it. */
const bend: Attack = async (house, orders, known, lastPrices) => {
  const [order, first, last] = spanOf(house, orders);
  await sleep(Math.max(0, first - BENT_BEFORE_MS - Date.now()));
  say(house, order, order.calm + against(order, known) * ((order.calm * BENT_PER_MILLION) / 1_000_000n));
  await sleep(Math.max(0, last + AFTER_MS - Date.now()));
  say(house, order, lastOf(order, lastPrices));
};

/** Says nothing over its expiry where it would win; what the house doesn't know it can only silence blindly. */
const silence: Attack = async (house, orders, known, lastPrices) => {
  const [order, first, last] = spanOf(house, orders);
  if (known && !isAhead(order, lastOf(order, lastPrices))) return;
  await sleep(Math.max(0, first - SILENT_MS - Date.now()));
  house.exchange.set({ [order.symbol]: null });
  await sleep(Math.max(0, last + AFTER_MS - Date.now()));
  say(house, order, lastOf(order, lastPrices));
};

/** The first of an instrument's orders, and the expiries of the first and the last. The entry comes within a slot of the acceptance. */
function spanOf({ terms }: SealedHouse, orders: readonly Placed[]): readonly [Placed, number, number] {
  const [order] = orders;
  if (order === undefined) throw new Error("an instrument without orders");
  const expiries = orders.map(({ kept }) => acceptedAt(kept) + terms.duration * 1_000);
  return [order, Math.min(...expiries), Math.max(...expiries)];
}

function lastOf({ symbol, calm }: Placed, lastPrices: ReadonlyMap<string, bigint>): bigint {
  return lastPrices.get(symbol) ?? calm;
}

async function placeOnEach(house: SealedHouse, onEach: number): Promise<Placed[]> {
  for (const { symbol, anchor, digits } of FIRST_SM1_PARAMS)
    house.exchange.set({ [symbol]: formatPrice(anchor, digits) });
  await sleep(ENTERED_MS);
  const placed: Placed[] = [];
  const wishes = FIRST_SM1_PARAMS.flatMap((instrument, place) =>
    Array.from({ length: onEach }, (_, nth) => ({ ...instrument, member: place + nth })),
  );
  const heads = new Map<string, Heads>();
  for (const { symbol } of FIRST_SM1_PARAMS) heads.set(symbol, await watchHeads(house.product.base, symbol));
  await inLanes(wishes, async ({ symbol, anchor, digits, member }) => {
    const device = house.devices[member % house.devices.length];
    const head = heads.get(symbol)?.newest();
    if (device === undefined || head === undefined) throw new Error("the drill has no member");
    const kept = await placeSealed(device, { ...house.terms, symbol }, head);
    // Of so many at once a busy machine is late with some; one alone has to be there.
    if (kept.answer.kind === "accepted") placed.push({ device, kept, symbol, calm: anchor, digits });
    else if (onEach === 1) throw new Error(`an order on ${symbol} was refused: ${kept.answer.error}`);
  });
  for (const each of heads.values()) each.close();
  return placed;
}

/** Moves each price by a coin, honestly, once its orders have entered. */
function drift(house: SealedHouse, placed: readonly Placed[]): ReadonlyMap<string, bigint> {
  const prices = new Map<string, bigint>();
  for (const each of placed) {
    if (prices.has(each.symbol)) continue;
    const price = each.calm + (drawDirection() === "up" ? 1n : -1n) * (each.calm / 5_000n);
    say(house, each, price);
    prices.set(each.symbol, price);
  }
  return prices;
}

/** Returns the direction in which the order loses; a coin flip if the house doesn't know it. */
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
  const outcomes: (readonly [Placed, string])[] = [];
  await inLanes(placed, async (each) => {
    outcomes.push([each, await outcomeOf(each)]);
  });
  const of = (wanted: string) => outcomes.filter(([, outcome]) => outcome === wanted);
  const voided = of("voided");
  return {
    wins: { won: of("won").length, decided: of("won").length + of("lost").length },
    voided: voided.length,
    ahead: voided.filter(([each]) => isAhead(each, lastOf(each, lastPrices))).length,
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
