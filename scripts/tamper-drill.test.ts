import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NOTICED_MS_MAX, type Result, tryAttack } from "./tamper-drill/attack.ts";
import { forkFor } from "./tamper-drill/fork.ts";
import { changePayoutRate, stopPublishing, swapDepositAddress, type World } from "./tamper-drill/log-attacks.ts";
import type { Kept } from "./tamper-drill/member.ts";
import { moneyAttacks } from "./tamper-drill/money-attacks.ts";
import { deleteOrder, insertBackDated, orderAttacks } from "./tamper-drill/order-attacks.ts";
import { prepareDrill } from "./tamper-drill/prepare.ts";

/**
 * The tamper drill by its own code, as far as it is quick: everything but the waiting for seeds and the rollbacks. Those are in
 * `npm run tamper-drill`, which writes docs/tamper-drill.md. The whole runs on one product of its own.
 */
const ORDERS = 14;
let world: World;
let orders: readonly Kept[];
beforeAll(async () => {
  ({ world, orders } = await prepareDrill(ORDERS));
}, 240_000);
afterAll(() => world.product.stop(), 60_000);

function expectNoticed({ seconds, notices }: Result, sentence: RegExp): void {
  expect(notices.map((each) => each.sentence).join("\n")).toMatch(sentence);
  expect(seconds).toBeLessThan(NOTICED_MS_MAX / 1000);
}

const one = (place: number): Kept => {
  const order = orders[place];
  if (order === undefined) throw new Error(`there is no order ${place}`);
  return order;
};

describe("whoever may do everything in the database is noticed", { timeout: 90_000 }, () => {
  it("editing orders, settlements and ticks", async () => {
    const attacks = await orderAttacks(world.product, orders);
    expect(attacks).toHaveLength(9);
    for (const attack of attacks) {
      const result = await tryAttack(world.product, world.watchers, attack);
      expect(result.refused).toMatch(/is refused: its rows are written once/);
      expectNoticed(result, /^failed/);
    }
  });

  it("deleting an order", async () => {
    expectNoticed(await tryAttack(world.product, world.watchers, deleteOrder(one(ORDERS - 1))), /Not found/);
  });

  it("forking the log for one member", async () => {
    const fork = { what: "fork", signers: "both", seenBefore: "seen" } as const;
    expectNoticed(await forkFor(world, one(0), fork), /it does not hold the \d+ entries seen before/);
  });

  it("swapping a deposit address", async () => {
    expectNoticed(await swapDepositAddress(world), /answers ADDRESS_ALTERED: We do not show your deposit address/);
    const incidents = await world.product.sql<{ kind: string }>("SELECT kind FROM incidents");
    expect(incidents).toEqual([{ kind: "address_altered" }]);
  });

  it("stopping the log", async () => {
    expectNoticed(await stopPublishing(world), /the public log is \d+ ms behind/);
  });

  it("changing a balance, which the running server finds by itself", async () => {
    const { balance } = await moneyAttacks(world.product, one(0));
    expectNoticed(await tryAttack(world.product, world.watchers, balance), /I2: member \d+ practice available/);
  });

  it("slipping an order into an old batch", async () => {
    expectNoticed(await tryAttack(world.product, world.watchers, insertBackDated(one(0))), /I2|I11/);
  });

  it("editing the operators' audit trail", async () => {
    const { trail } = await moneyAttacks(world.product, one(0));
    expectNoticed(
      await tryAttack(world.product, world.watchers, trail),
      /I13: the operators' audit trail does not hold/,
    );
  });

  it("changing a payout rate without an entry", async () => {
    expectNoticed(
      await changePayoutRate(world),
      /version 2 (was used and is not in the log|is used and not in the public log)/,
    );
  });
});
