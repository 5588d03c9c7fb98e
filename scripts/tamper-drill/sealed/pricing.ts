import { setTimeout as sleep } from "node:timers/promises";
import { calculateOutcome, type Direction, FIRST_SM1_PARAMS, formatPrice, type Points } from "@fairtick/domain";
import { waitUntil } from "@fairtick/testkit";
import type { WinCount } from "@fairtick/transparency";
import { type Device, type Kept, placeSealed, reveal } from "./device.ts";
import type { SealedHouse } from "./house.ts";
import { watchHeads } from "./heads.ts";

/**
 * An exchange that works for the house: it bends its price, or says nothing, at the very moment at which one order ends. An order that
 * was opened by then can be hit; one that stays sealed until its end cannot.
 */

/** 0.08 %, as the independent test bent it. */
const BENT_PER_MILLION = 800n;
/** Foreign exchange waits longest for a price before an order is void: silence for longer than that. */
const SILENT_MS = 16_000;
const ENTERED_MS = 2_500;
const SETTLED_MS_MAX = 60_000;

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
  const expiry = Math.max(...placed.map(({ kept }) => acceptedAt(kept))) + house.terms.duration * 1_000;
  const lastPrices = drift(house, placed);
  if (how === "bend") {
    await sleep(Math.max(0, expiry - 3_000 - Date.now()));
    for (const each of placed)
      say(house, each, each.calm + against(each, known) * ((each.calm * BENT_PER_MILLION) / 1_000_000n));
    await sleep(Math.max(0, expiry + 4_000 - Date.now()));
  } else {
    await sleep(Math.max(0, expiry - SILENT_MS - 1_000 - Date.now()));
    // What would lose may go on; what the house does not know it can only silence blindly.
    for (const each of placed) if (!known || isAhead(each, lastPrices)) house.exchange.set({ [each.symbol]: null });
    await sleep(Math.max(0, expiry + 4_000 - Date.now()));
    for (const each of placed) say(house, each, lastPrices.get(each.symbol) ?? each.calm);
  }
  if (!known) for (const { device, kept } of placed) await reveal(device, kept);
  return count(placed, lastPrices);
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
      const price = each.calm + (Math.random() < 0.5 ? 1n : -1n) * (each.calm / 5_000n);
      say(house, each, price);
      return [each.symbol, price];
    }),
  );
}

/** Which way the price has to go so that the order loses; a coin where nobody knows. */
function against({ kept }: Placed, known: boolean): bigint {
  const loses: Direction = known ? kept.direction : Math.random() < 0.5 ? "up" : "down";
  return loses === "up" ? -1n : 1n;
}

function isAhead({ kept, calm, symbol }: Placed, lastPrices: ReadonlyMap<string, bigint>): boolean {
  return calculateOutcome(calm as Points, (lastPrices.get(symbol) ?? calm) as Points, kept.direction) === "won";
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
    ahead: voided.filter(([each]) => isAhead(each, lastPrices)).length,
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
