import { setTimeout as sleep } from "node:timers/promises";
import type { Direction } from "@fairtick/domain";
import { waitUntil } from "@fairtick/testkit";
import {
  type Answer,
  type Device,
  drawDirection,
  faultOfAnswer,
  type Kept,
  placeOpen,
  placeSealed,
  reveal,
} from "./device.ts";
import { CALM_PRICE, type SealedHouse, SYMBOL } from "./house.ts";

/** The price after all orders of a round have their entry: ten times the spread away, so that no order ties. */
const MOVED: Readonly<Record<Direction, string>> = { up: "97100.00", down: "96900.00" };
/** The most orders sent at the same time. */
const AT_ONCE = 24;
/** All orders enter before the price moves and expire after it, so placing must take less than their duration. */
const PLACING_MS_MAX = 20_000;
/** Orders are spread evenly over this time, so that a temporary attack meets some of them. */
const SPREAD_MS = 14_000;
const ENTERED_MS = 2_500;
const SETTLED_MS_MAX = 60_000;

/** Starts an attack before the first order is placed and returns how to end it. `way`: where the price will go. */
export type Begin = (house: SealedHouse, way: Direction) => Promise<() => Promise<void>>;

export interface RoundPlan {
  readonly begin: Begin;
  /** The most orders; as many as fit into the time. */
  readonly orders: number;
  /** Time over which they are spread; a quarter of a minute unless set. */
  readonly spreadMs?: number;
  /** Chooses a member's direction; a coin flip unless set. */
  readonly directionOf?: (device: Device) => Direction;
}

/** One order of a round with its device. */
export interface RoundOrder {
  readonly device: Device;
  readonly kept: Kept;
}

export interface Round {
  readonly way: Direction;
  readonly orders: readonly RoundOrder[];
  /** Distinct faults that the members' devices found in the responses. */
  readonly faults: readonly string[];
}

/**
 * Lets all devices place orders with random directions during the attack, while the price stands still. Then the price
 * moves in a random direction that only the attacker knew.
 */
export async function playRound(house: SealedHouse, plan: RoundPlan): Promise<Round> {
  const way = drawDirection();
  const end = await beginRound(house, plan, way);
  let orders: readonly RoundOrder[];
  try {
    orders = await placeSealedOrders(house, plan);
    await sleep(ENTERED_MS);
    house.exchange.set({ [SYMBOL]: MOVED[way] });
    await revealAll(orders);
    await sleep(expiresAt(orders, house.terms.duration) + 1_000 - Date.now());
    await settledAll(house, orders);
  } finally {
    await end();
  }
  const faults = orders.flatMap(({ device, kept }) => faultOfAnswer(device, kept, house.policy) ?? []);
  return { way, orders, faults: [...new Set(faults)] };
}

/** Calms the price and begins the attack. Returns how to end it. */
export async function beginRound(
  house: SealedHouse,
  { begin }: Pick<RoundPlan, "begin">,
  way: Direction,
): Promise<() => Promise<void>> {
  house.exchange.set({ [SYMBOL]: CALM_PRICE });
  await sleep(ENTERED_MS);
  return begin(house, way);
}

export async function placeSealedOrders(
  house: SealedHouse,
  plan: Pick<RoundPlan, "orders" | "spreadMs" | "directionOf">,
): Promise<readonly RoundOrder[]> {
  const { directionOf = drawDirection } = plan;
  const orders: RoundOrder[] = [];
  await placeAll(house, plan, async (device) => {
    const kept = await placeSealed(device, house.terms, house.heads.newest(), directionOf(device));
    orders.push({ device, kept });
  });
  return orders;
}

/** An open order: its direction and the response. */
export interface OpenOrder {
  readonly direction: Direction;
  readonly sentAt: number;
  readonly answer: Answer;
}

export async function placeOpenOrders(
  house: SealedHouse,
  plan: Pick<RoundPlan, "orders" | "spreadMs">,
): Promise<readonly OpenOrder[]> {
  const orders: OpenOrder[] = [];
  await placeAll(house, plan, async (device) => {
    const [direction, sentAt] = [drawDirection(), Date.now()];
    orders.push({ direction, sentAt, answer: await placeOpen(device, house.terms, direction) });
  });
  return orders;
}

/** Does the same with orders whose direction the house can read. */
export async function playOpenRound(house: SealedHouse, plan: RoundPlan): Promise<readonly OpenOrder[]> {
  const way = drawDirection();
  const end = await beginRound(house, plan, way);
  try {
    const orders = await placeOpenOrders(house, plan);
    await sleep(ENTERED_MS);
    house.exchange.set({ [SYMBOL]: MOVED[way] });
    await sleep(house.terms.duration * 1_000 + 1_000);
    await settledAll(
      house,
      orders.map((kept) => ({ kept })),
    );
    return orders;
  } finally {
    await end();
  }
}

async function placeAll(
  house: SealedHouse,
  { orders, spreadMs = SPREAD_MS }: Pick<RoundPlan, "orders" | "spreadMs">,
  place: (device: Device) => Promise<void>,
): Promise<void> {
  const start = Date.now();
  let begun = 0;
  const caller = async () => {
    while (begun < orders && Date.now() < start + PLACING_MS_MAX) {
      const device = house.devices[begun % house.devices.length];
      const dueAt = start + (begun / orders) * spreadMs;
      begun += 1;
      await sleep(Math.max(0, dueAt - Date.now()));
      if (device !== undefined) await place(device);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
}

async function revealAll(orders: readonly RoundOrder[]): Promise<void> {
  const left = [...orders];
  const caller = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await reveal(next.device, next.kept);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
}

function expiresAt(orders: readonly RoundOrder[], duration: number): number {
  const entered = orders.map(({ kept }) => (kept.answer.kind === "accepted" ? kept.answer.order.acceptedAt : 0));
  return Math.max(Date.now(), ...entered.map((at) => at + 500 + duration * 1_000));
}

/** Waits until all accepted orders among these are settled. */
async function settledAll(
  { build }: SealedHouse,
  orders: readonly { readonly kept: { readonly answer: Answer } }[],
): Promise<void> {
  const batches = new Set(
    orders.flatMap(({ kept: { answer } }) => (answer.kind === "accepted" ? [answer.acceptance?.batchNo ?? "0"] : [])),
  );
  await waitUntil(
    "the settlements",
    async () => {
      const { rows } = await build.client.query<{ left: string }>(
        `SELECT count(*) AS left FROM orders o WHERE batch_no = ANY ($1::bigint[])
         AND NOT EXISTS (SELECT FROM settlements s WHERE s.order_id = o.order_id)`,
        [[...batches]],
      );
      return rows[0]?.left === "0";
    },
    SETTLED_MS_MAX,
  );
}
