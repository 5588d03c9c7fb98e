import { setTimeout as sleep } from "node:timers/promises";
import { type Attack, OUTSIDE_MS_MAX, type Result, tryAttack } from "./attack.ts";
import { forkFor, type SeenBefore, type Signers } from "./fork.ts";
import { openEpochLate } from "./late-epoch.ts";
import { acceptInThePast } from "./late-order.ts";
import * as log from "./log-attacks.ts";
import type { Kept } from "./member.ts";
import { moneyAttacks } from "./money-attacks.ts";
import { bendWaitingTick, deleteOrder, insertBackDated, orderAttacks } from "./order-attacks.ts";
import { prepareDrill } from "./prepare.ts";
import { rollBackDatabase, rollBackEverything } from "./roll-back.ts";
import { withholdBoth, withholdHeads, withholdPrices, withholdSeed } from "./withheld-attacks.ts";

const ORDERS = 16;

type Steps = Readonly<Record<string, () => Promise<Result[]>>>;

export interface OpenDrill {
  /** Names of the steps in an order in which they can be run. */
  readonly names: readonly string[];
  run(name: string): Promise<Result[]>;
  close(): Promise<void>;
}

/**
 * Opens the product whose tables and log are attacked. `age`: minimum age, in minutes, of the state that a rollback
 * restores. `isAsked`: whether a step will be tried. When every step is tried, a rollback meets a log that has grown.
 */
export async function openOpenDrill(
  age: number,
  isWhole: boolean,
  isAsked: (name: string) => boolean,
): Promise<OpenDrill> {
  // It lasts ten minutes on a product of its own, so it goes on beside all others.
  const lateEpoch = isAsked("late-epoch") ? openEpochLate() : null;
  lateEpoch?.catch(() => undefined);
  const { world, orders, earlier } = await prepareDrill(ORDERS, OUTSIDE_MS_MAX);
  const steps: Steps = {
    ...(await stepsOf(world, orders)),
    "late-epoch": async () => [await (lateEpoch ?? openEpochLate())],
    rollback: async () => {
      if (!isWhole) await log.tradeOn(world);
      await sleep(Math.max(0, earlier.copiedAt + age * 60_000 - performance.now()));
      return [await rollBackDatabase(world, earlier), await rollBackEverything(world, earlier)];
    },
  };
  return {
    names: Object.keys(steps),
    async run(name) {
      const results = await steps[name]?.();
      if (results === undefined) throw new Error(`there is no step ${name}`);
      return results;
    },
    close: () => world.product.stop(),
  };
}

/**
 * Returns the attacks on one product by name. Those that need a server that still accepts orders come first, those that
 * leave permanent log entries last.
 */
async function stepsOf(world: log.World, orders: readonly Kept[]): Promise<Steps> {
  const { product, member, watchers } = world;
  const [first, last] = [orders[0], orders.at(-1)];
  if (first === undefined || last === undefined) throw new Error("nothing was traded");
  const attempt = async (attack: Attack) => [await tryAttack(product, watchers, attack)];
  const money = await moneyAttacks(product, first);
  let later: Kept | null = null;
  const fork = (what: string, signers: Signers, seenBefore: SeenBefore, about = first) =>
    forkFor(world, about, { what: `fork the log for one member ${what}`, signers, seenBefore });
  return {
    "waiting-tick": async () => {
      const attack = await bendWaitingTick(product, member);
      later = attack.order;
      return attempt(attack);
    },
    publishing: async () => [await log.stopPublishing(world)],
    orders: async () => {
      const results = [];
      for (const attack of await orderAttacks(product, orders)) results.push(...(await attempt(attack)));
      return results;
    },
    deletion: () => attempt(deleteOrder(last)),
    fork: async () => [
      await fork("before what their app has seen, signed by the house", "house", "seen"),
      await fork("before what their app has seen, also signed by the witness beside it", "both", "seen"),
      await fork(
        "after what their app has seen, also signed by the witness beside it",
        "both",
        "not seen",
        later ?? (await member.place("up")),
      ),
    ],
    deposit: async () => [await log.swapDepositAddress(world)],
    balance: () => attempt(money.balance),
    posting: () => attempt(money.posting),
    trail: () => attempt(money.trail),
    "back-dated": () => attempt(insertBackDated(first)),
    heads: async () => [await withholdHeads(world)],
    prices: async () => [await withholdPrices(world)],
    "heads-and-prices": async () => [await withholdBoth(world, false)],
    blind: async () => [await withholdBoth(world, true)],
    "withheld-seed": async () => [await withholdSeed(world)],
    seed: async () => [await log.revealAnotherSeed(world)],
    batch: async () => [await log.logBackDatedBatch(world)],
    source: async () => [await log.lieAboutSource(world)],
    "late-order": async () => [await acceptInThePast(world)],
    // Comes last, because the server keeps reporting its configuration.
    rate: async () => [await log.changePayoutRate(world)],
  };
}
