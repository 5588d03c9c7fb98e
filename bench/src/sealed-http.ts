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
import { measurePairs, median, quantile, spread } from "./pairs.ts";

/** Parallel orders, each by the next member, because a single one would soon reach the limit on running orders. */
const LANES = 2;
const MEMBERS = 96;
const HEAD_MS = 10;
const HEAD_MS_MAX = 10_000;

/**
 * Measures a few members' orders over HTTP at an idle product: the response time of a sealed order compared with an
 * open one, and the time from that response until a signed head binds the order and the house has acknowledged its
 * reveal.
 */
export const sealedHttp: Benchmark = { name: "sealed-http", run };

async function run({ quick, pairs }: BenchmarkOptions): Promise<BenchmarkResult> {
  const orders = quick ? 40 : 400;
  const house = await openSealedHouse(MEMBERS);
  try {
    await placeOpenOrders(house, orders);
    await placeSealedOrders(house, orders);
    const figures = await measurePairs(
      pairs,
      async () => quantile(await placeOpenOrders(house, orders), 0.5),
      async () => quantile(await placeSealedOrders(house, orders), 0.5),
    );
    const bound = await placeAndReveal(house, orders);
    return {
      settings: { members: MEMBERS, lanes: LANES, orders, pairs },
      figures: [
        {
          name: "p50 of a sealed order's acceptance over HTTP / an open one's",
          value: median(figures.ratios),
          unit: "×",
          atMost: 1.1,
          baseline: `${median(figures.subject).toFixed(2)} ms against ${median(figures.baseline).toFixed(2)} ms`,
          noise: spread(figures.ratios),
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

async function placeOpenOrders(house: SealedHouse, orders: number): Promise<number[]> {
  return byMember(house, orders, async (device) => {
    const begun = performance.now();
    const answer = await placeOpen(device, house.terms, drawDirection());
    const ms = performance.now() - begun;
    if (answer.kind !== "accepted") throw new Error(`an order was refused: ${answer.error}`);
    return ms;
  });
}

/**
 * Measures the time after sending only. Wishes are sealed in advance, a round of all members at a time: a member's
 * device does that work, so here it must not delay the answers that the same process waits for. All orders are revealed
 * after the last response, so that no reveal slows one down.
 */
async function placeSealedOrders(house: SealedHouse, orders: number): Promise<number[]> {
  const accepted: (readonly [Device, Kept])[] = [];
  const answered: number[] = [];
  while (answered.length < orders) {
    const head = house.heads.newest();
    const wishes = new Map(house.devices.map((each) => [each, sealWish(each, house.terms, head, drawDirection())]));
    const round = Math.min(house.devices.length, orders - answered.length);
    const times = await byMember(house, round, async (device) => {
      const sealed = wishes.get(device);
      if (sealed === undefined) throw new Error("a member without a wish");
      const { kept, ms } = await sendWish(device, sealed);
      accepted.push([device, kept]);
      return ms;
    });
    answered.push(...times);
  }
  for (const [device, kept] of accepted) await revealOnceBound(house, device, kept);
  return answered;
}

/** Returns the ms from each order's response to its acknowledged reveal, which is sent as early as allowed. */
async function placeAndReveal(house: SealedHouse, orders: number): Promise<number[]> {
  const bound: Promise<number>[] = [];
  await byMember(house, orders, async (device) => {
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

/** Places a few orders in parallel, taking the members in turn. */
async function byMember(
  { devices }: SealedHouse,
  orders: number,
  place: (device: Device) => Promise<number>,
): Promise<number[]> {
  const taken: number[] = [];
  const lane = async (first: number) => {
    for (let order = first; order < orders; order += LANES) {
      const device = devices[order % devices.length];
      if (device === undefined) throw new Error("a house without members");
      taken.push(await place(device));
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, first) => lane(first)));
  return taken;
}
