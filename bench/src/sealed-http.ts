import { openSealedHouse, type SealedHouse } from "../../scripts/tamper-drill/sealed/house.ts";
import {
  type Device,
  drawDirection,
  type Kept,
  placeOpen,
  reveal,
  sealWish,
  sendSealed,
} from "../../scripts/tamper-drill/sealed/device.ts";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { measurePairs, median, quantile, spread } from "./pairs.ts";

const MEMBERS = 8;
const HEAD_MS = 10;
const HEAD_MS_MAX = 10_000;

/**
 * Orders of a few members over HTTP at a running product at rest: how long the answer to a sealed one takes beside an open one, and how
 * long it takes from that answer until a signed head binds the order and the house has acknowledged its reveal.
 */
export const sealedHttp: Benchmark = { name: "sealed-http", run };

async function run({ quick, pairs }: BenchmarkOptions): Promise<BenchmarkResult> {
  const orders = quick ? 40 : 400;
  const house = await openSealedHouse(MEMBERS);
  try {
    const bound: number[] = [];
    await placeOpenOrders(house, orders);
    await placeSealedOrders(house, orders, []);
    const figures = await measurePairs(
      pairs,
      async () => quantile(await placeOpenOrders(house, orders), 0.5),
      async () => quantile(await placeSealedOrders(house, orders, bound), 0.5),
    );
    return {
      settings: { members: MEMBERS, orders, pairs },
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

/** What the device does before it sends is not counted; `bound` gets the milliseconds from the answer to the acknowledged reveal. */
async function placeSealedOrders(house: SealedHouse, orders: number, bound: number[]): Promise<number[]> {
  const revealing: Promise<void>[] = [];
  const answered = await byMember(house, orders, async (device) => {
    const sealed = sealWish(device, house.terms, house.heads.newest(), drawDirection());
    const begun = performance.now();
    const kept = await sendSealed(device, sealed);
    const at = performance.now();
    if (kept.answer.kind !== "accepted") throw new Error(`a sealed order was refused: ${kept.answer.error}`);
    const revealed = revealOnceBound(house, device, kept).then(() => bound.push(performance.now() - at));
    revealing.push(revealed.then(() => undefined));
    return at - begun;
  });
  await Promise.all(revealing);
  return answered;
}

/** As the app does: once a signed head is newer than the acceptance. */
async function revealOnceBound(house: SealedHouse, device: Device, kept: Kept): Promise<void> {
  const acceptedAt = kept.answer.kind === "accepted" ? kept.answer.order.acceptedAt : 0;
  const begun = performance.now();
  while (house.heads.newest().at <= acceptedAt) {
    if (performance.now() - begun > HEAD_MS_MAX) throw new Error("no head bound an order");
    await new Promise((resolve) => setTimeout(resolve, HEAD_MS));
  }
  await reveal(device, kept);
}

/** Each member one order after another. */
async function byMember(
  { devices }: SealedHouse,
  orders: number,
  place: (device: Device) => Promise<number>,
): Promise<number[]> {
  const taken: number[] = [];
  await Promise.all(
    devices.map(async (device) => {
      for (let made = 0; made < orders / devices.length; made += 1) taken.push(await place(device));
    }),
  );
  return taken;
}
