import { join } from "node:path";
import { formatId, type Instant } from "@fairtick/domain";
import { openDeviceKeys, verifyByKey } from "@fairtick/server/features/order-devices";
import {
  type Acceptance,
  createAcceptanceSwitch,
  openAcceptance,
  openRevealDesk,
  type Placing,
  type Revealing,
  revealOrder,
} from "@fairtick/server/features/orders";
import { openRegionBook } from "@fairtick/server/features/regions";
import { type Settlement, startSettlement } from "@fairtick/server/features/settlement";
import { openAcceptanceSigner } from "@fairtick/server/platform/acceptance-signer";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { type BenchServer, startBenchServer } from "./bench-server.ts";
import { openOrderWorld, type OrderWorld } from "./order-world.ts";
import { median, spread } from "./pairs.ts";
import { ownCpuUs, postgresCpuUs } from "./processor-time.ts";
import { addBenchDevices, type BenchDevice, makeSealedWish, type SealedWish, writeHead } from "./sealed-wishes.ts";

const MEMBERS = 256;
const SYMBOL = "EURUSD";
const DURATION = 30;
const AT_ONCE = 64;

/** Measures each part of what a sealed order costs from wish to settlement, in PostgreSQL and Node together. */
export const sealedLife: Benchmark = { name: "sealed-life", run };

/** µs of processor time per order. */
interface Life {
  readonly signature: number;
  readonly wish: number;
  readonly reveal: number;
  readonly settlement: number;
}

async function run({ quick, pairs, say }: BenchmarkOptions): Promise<BenchmarkResult> {
  const orders = quick ? 1_000 : 5_000;
  const server = await startBenchServer();
  try {
    say(JSON.stringify(server.settings));
    const world = await openOrderWorld(server, MEMBERS);
    const house = await openHouse(server, world);
    try {
      const devices = await addBenchDevices(world);
      const lives: Life[] = [];
      // The first round fills caches and plans and isn't counted. After a minute, PostgreSQL has analyzed the tables:
      // plans made for empty tables would look up a member's order among all of theirs.
      for (let round = 0; round <= pairs; round += 1) {
        lives.push(await liveThrough(server, world, house, devices, orders));
        if (round === 0) await world.build.client.query("ANALYZE");
      }
      const counted = lives.slice(1);
      const whole = counted.map(({ signature, wish, reveal, settlement }) => signature + wish + reveal + settlement);
      const part = (name: keyof Life) => `${name} ${median(counted.map((life) => life[name])).toFixed(1)}`;
      return {
        settings: { postgres: server.settings, members: MEMBERS, orders, rounds: pairs },
        figures: [
          {
            name: "processor time of a sealed order's whole life",
            value: median(whole),
            unit: "µs",
            atMost: 80,
            baseline: `${part("signature")}, ${part("wish")}, ${part("reveal")}, ${part("settlement")}`,
            noise: spread(whole),
          },
        ],
      };
    } finally {
      await house.close();
      await world.close();
    }
  } finally {
    await server.stop();
  }
}

interface House {
  readonly acceptance: Acceptance;
  readonly settlement: Settlement;
  readonly placing: Placing & Revealing;
  close(): Promise<void>;
}

async function openHouse(server: BenchServer, world: OrderWorld): Promise<House> {
  const { context, configs } = world;
  const signer = openAcceptanceSigner(join(server.folder, "acceptance.key"), "bench.example/log/acceptance");
  const acceptance = await openAcceptance(context, {
    configs,
    signer,
    acceptance: createAcceptanceSwitch(),
    regions: openRegionBook(context),
  });
  const { databases, bus, log } = context;
  const settlement = startSettlement({ database: databases.settlement, bus, log, configs, firstStripe: 100 });
  const devices = openDeviceKeys(databases.reader);
  const reveals = openRevealDesk({ databases, configs, bus });
  return {
    acceptance,
    settlement,
    placing: { databases, configs, collector: acceptance.collector, reveals, bus, devices, signer },
    async close() {
      await reveals.close();
      await settlement.close();
      await acceptance.close();
    },
  };
}

/** Runs one round. Prices are fed by hand, so that entry, expiry and settlement follow at once. */
async function liveThrough(
  server: BenchServer,
  world: OrderWorld,
  { acceptance, settlement, placing }: House,
  devices: readonly BenchDevice[],
  count: number,
): Promise<Life> {
  const { build } = world;
  const at = (await build.tick(SYMBOL, 1_085_000n)) as Instant;
  const head = await writeHead(world, at);
  const wishes = Array.from({ length: count }, (_, place) =>
    makeSealedWish(world, pick(devices, place), head, { symbol: SYMBOL, duration: DURATION }),
  );
  const measure = async (work: () => Promise<unknown>) => {
    const before = postgresCpuUs(server.pid) + ownCpuUs();
    await work();
    return (postgresCpuUs(server.pid) + ownCpuUs() - before) / count;
  };
  const signature = await measure(() => each(wishes, (wish) => examine(placing, wish)));
  // Signing and checking took a while, and an order needs a current price.
  const fresh = await writeHead(world, (await build.tick(SYMBOL, 1_085_000n)) as Instant);
  const orderNos = new Map<SealedWish, string>();
  const wish = await measure(() =>
    each(wishes, async (one) => {
      const sealed = { ...one.payload.sealed, seenSlot: fresh.slot, seenHash: fresh.hash };
      const { memberId, clientOrderId } = one;
      const payload = { ...one.payload, sealed };
      const outcome = await acceptance.collector.place({ memberId, clientOrderId, payload, isSigned: true });
      if (outcome.kind !== "accepted") throw new Error(`a sealed order was not accepted: ${JSON.stringify(outcome)}`);
      orderNos.set(one, formatId("order", outcome.order.orderId));
    }),
  );
  const reveal = await measure(() =>
    each(wishes, async (one) => {
      const { memberId, nonce, direction } = one;
      const revealed = await revealOrder(placing, memberId, { orderNo: orderNos.get(one) ?? "", nonce, direction });
      if (!revealed.ok) throw new Error(`a reveal was refused: ${JSON.stringify(revealed.refusal)}`);
    }),
  );
  const entry = (await build.tick(SYMBOL, 1_085_000n)) + 1n;
  await build.feedTicks(SYMBOL, [
    { time: entry, price: 1_085_000n },
    { time: entry + BigInt(DURATION) * 1_000n, price: 1_085_100n },
    { time: entry + BigInt(DURATION) * 1_000n + 500n, price: 1_085_100n },
  ]);
  const settled = await measure(() => settlement.settleNow());
  const { rows } = await build.client.query<{ open: string }>("SELECT count(*) AS open FROM open_orders");
  if (rows[0]?.open !== "0") throw new Error(`${rows[0]?.open} orders were left open`);
  return { signature, wish, reveal, settlement: settled };
}

async function examine({ devices }: Placing, { payload: { sealed }, text }: SealedWish): Promise<void> {
  const key = await devices.find(sealed.deviceId);
  if (key === null || !(await verifyByKey(key, text, sealed.signature))) throw new Error("a signature isn't valid");
}

/** Processes all items, a few in parallel. */
async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function pick(devices: readonly BenchDevice[], place: number): BenchDevice {
  const device = devices[place % devices.length];
  if (device === undefined) throw new Error("no member has a device");
  return device;
}
