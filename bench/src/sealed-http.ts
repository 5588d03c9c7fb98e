import { openSealedHouse, type SealedHouse } from "../../scripts/tamper-drill/sealed/house.ts";
import {
  type Device,
  drawDirection,
  type Kept,
  placeOpen,
  reveal,
  type Sealed,
  sealWish,
  sendSealed,
} from "../../scripts/tamper-drill/sealed/device.ts";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { median, quantile, spread } from "./pairs.ts";

/** Parallel orders, each by the next member, because a single one would soon reach the limit on running orders. */
const LANES = 2;
const MEMBERS = 96;
/** How many orders of one kind are placed before as many of the other. */
const TURN = 16;
const HEAD_MS = 10;
const HEAD_MS_MAX = 10_000;

/**
 * Measures a few members' orders over HTTP at an idle product: the response time of a sealed order compared with an
 * open one, and the time from that response until a signed head binds the order and the house has acknowledged its
 * reveal.
 */
export const sealedHttp: Benchmark = { name: "sealed-http", run };

async function run({ quick, pairs }: BenchmarkOptions): Promise<BenchmarkResult> {
  const orders = quick ? 48 : 400;
  const house = await openSealedHouse(MEMBERS);
  try {
    await placeInTurns(house, orders);
    const open: number[] = [];
    const sealed: number[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const taken = await placeInTurns(house, orders);
      open.push(quantile(taken.open, 0.5));
      sealed.push(quantile(taken.sealed, 0.5));
    }
    const ratios = sealed.map((ms, pair) => ms / (open[pair] ?? Number.NaN));
    const bound = await placeAndReveal(house, orders);
    return {
      settings: { members: MEMBERS, lanes: LANES, turn: TURN, orders, pairs },
      figures: [
        {
          name: "p50 of a sealed order's acceptance over HTTP / an open one's",
          value: median(ratios),
          unit: "×",
          atMost: 1.1,
          baseline: `${median(sealed).toFixed(2)} ms against ${median(open).toFixed(2)} ms`,
          noise: spread(ratios),
        },
        {
          name: "p95 from a sealed order's acceptance to its acknowledged reveal",
          value: quantile(bound, 0.95),
          unit: "ms",
          atMost: 1_000,
          baseline: `p50 ${quantile(bound, 0.5).toFixed(0)} ms, with a head each half second`,
          noise: spread(bound),
        },
      ],
    };
  } finally {
    await house.close();
  }
}

/**
 * Places orders of both kinds in short turns, and returns the time of each kind's answers. Whole rounds of one kind would
 * compare a calm minute with a busy one: orders of earlier rounds expire meanwhile. All sealed orders are revealed after
 * the last answer, so that no reveal slows one down.
 */
async function placeInTurns(house: SealedHouse, orders: number): Promise<{ open: number[]; sealed: number[] }> {
  const taken = { open: [] as number[], sealed: [] as number[] };
  const accepted: (readonly [Device, Kept])[] = [];
  for (let first = 0; first < orders; first += TURN) {
    const turn = Array.from({ length: TURN }, (_, nth) => deviceOf(house, first + nth));
    const kinds = [
      async () => taken.open.push(...(await byMember(turn, (device) => placeOpenOrder(house, device)))),
      async () => taken.sealed.push(...(await placeSealedOrders(house, turn, accepted))),
    ];
    if ((first / TURN) % 2 === 1) kinds.reverse();
    for (const place of kinds) await place();
  }
  for (const [device, kept] of accepted) await revealOnceBound(house, device, kept);
  return taken;
}

async function placeOpenOrder(house: SealedHouse, device: Device): Promise<number> {
  const begun = performance.now();
  const answer = await placeOpen(device, house.terms, drawDirection());
  const ms = performance.now() - begun;
  if (answer.kind !== "accepted") throw new Error(`an order was refused: ${answer.error}`);
  return ms;
}

/**
 * Measures the time after sending only. Wishes are sealed in advance: a member's device does that work, so here it must
 * not delay the answers that the same process waits for.
 */
async function placeSealedOrders(
  house: SealedHouse,
  devices: readonly Device[],
  accepted: (readonly [Device, Kept])[],
): Promise<number[]> {
  const head = house.heads.newest();
  const wishes = new Map(devices.map((each) => [each, sealWish(each, house.terms, head, drawDirection())]));
  return byMember(devices, async (device) => {
    const sealed = wishes.get(device);
    if (sealed === undefined) throw new Error("a member without a wish");
    const { kept, ms } = await sendWish(device, sealed);
    accepted.push([device, kept]);
    return ms;
  });
}

/** Returns the ms from each order's response to its acknowledged reveal, which is sent as early as allowed. */
async function placeAndReveal(house: SealedHouse, orders: number): Promise<number[]> {
  const bound: Promise<number>[] = [];
  const devices = Array.from({ length: orders }, (_, order) => deviceOf(house, order));
  await byMember(devices, async (device) => {
    const sealed = sealWish(device, house.terms, house.heads.newest(), drawDirection());
    const { kept, ms } = await sendWish(device, sealed);
    const at = performance.now();
    bound.push(revealOnceBound(house, device, kept).then(() => performance.now() - at));
    return ms;
  });
  return Promise.all(bound);
}

async function sendWish(device: Device, sealed: Sealed): Promise<{ readonly kept: Kept; readonly ms: number }> {
  const begun = performance.now();
  const kept = await sendSealed(device, sealed);
  const ms = performance.now() - begun;
  if (kept.answer.kind !== "accepted") throw new Error(`a sealed order was refused: ${kept.answer.error}`);
  return { kept, ms };
}

/** Reveals an order as the app does: once a signed head is newer than the acceptance. */
async function revealOnceBound(house: SealedHouse, device: Device, kept: Kept): Promise<void> {
  const acceptedAt = kept.answer.kind === "accepted" ? kept.answer.order.acceptedAt : 0;
  const begun = performance.now();
  while (house.heads.newest().at <= acceptedAt) {
    if (performance.now() - begun > HEAD_MS_MAX) throw new Error("no head bound an order");
    await new Promise((resolve) => setTimeout(resolve, HEAD_MS));
  }
  await reveal(device, kept);
}

/** Returns the device of an order's member; members take turns. */
function deviceOf({ devices }: SealedHouse, order: number): Device {
  const device = devices[order % devices.length];
  if (device === undefined) throw new Error("a house without members");
  return device;
}

/** Places an order for each device, a few in parallel. */
async function byMember(devices: readonly Device[], place: (device: Device) => Promise<number>): Promise<number[]> {
  const taken: number[] = [];
  const left = devices.values();
  const lane = async () => {
    // All lanes share the iterator, so each device is taken once.
    for (const device of left) taken.push(await place(device));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return taken;
}
