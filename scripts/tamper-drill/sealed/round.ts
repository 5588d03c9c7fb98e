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

/** What the price does once all orders of a round have entered: ten times the spread, so that no order ties. */
const MOVED: Readonly<Record<Direction, string>> = { up: "97100.00", down: "96900.00" };
/** As many orders are on their way at once. */
const AT_ONCE = 24;
/** All orders enter before the price moves, and expire after it: placing takes less than their duration. */
const PLACING_MS_MAX = 20_000;
/** They come evenly over this time, so that an attack which lasts for a while meets some of them. */
const SPREAD_MS = 14_000;
const ENTERED_MS = 2_500;
const SETTLED_MS_MAX = 60_000;

/** An attack: what it does before the first order is placed. `way`: where the price will go. Answers how it ends. */
export type Begin = (house: SealedHouse, way: Direction) => Promise<() => Promise<void>>;

export interface RoundPlan {
  readonly begin: Begin;
  /** Orders, at most; as many as fit into the time. */
  readonly orders: number;
  /** Over how long they come; a quarter of a minute unless told otherwise. */
  readonly spreadMs?: number;
  /** What a member presses; a coin decides unless told otherwise. */
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
  /** What the members' devices found wrong with the answers, each sentence once. */
  readonly faults: readonly string[];
}

/**
 * Lets all devices place orders, each with a direction that a coin decides, while the attack runs and the price stands still; then the
 * price moves, by a coin that only the attacker knew.
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

/** Calms the price and begins the attack. Answers how it ends. */
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

/** An order in the open: its direction, and what it was answered. */
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

/** The same with orders whose direction the house reads. */
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

/** Waits until every accepted order of these is settled. */
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
