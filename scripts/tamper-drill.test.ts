import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NOTICED_MS_MAX, type Result, tryAttack } from "./tamper-drill/attack.ts";
import { forkFor } from "./tamper-drill/fork.ts";
import { changePayoutRate, stopPublishing, swapDepositAddress, type World } from "./tamper-drill/log-attacks.ts";
import type { Kept } from "./tamper-drill/member.ts";
import { moneyAttacks } from "./tamper-drill/money-attacks.ts";
import { deleteOrder, orderAttacks } from "./tamper-drill/order-attacks.ts";
import { prepareDrill } from "./tamper-drill/prepare.ts";

/**
 * The quick part of the tamper drill, by its own code, on its own product. `npm run tamper-drill` runs all of it and
 * writes docs/tamper-drill.md.
 */
const ORDERS = 14;
let world: World;
let orders: readonly Kept[];
beforeAll(async () => {
  ({ world, orders } = await prepareDrill(ORDERS));
}, 240_000);
afterAll(() => world.product.stop(), 60_000);

/** Returns the sentence read by whoever noticed within a minute; an empty text if nobody did. */
function noticed({ seconds, notices }: Result): string {
  if (seconds === null || seconds > NOTICED_MS_MAX / 1000) return "";
  return notices.map((each) => each.sentence).join("\n");
}

const one = (place: number): Kept => {
  const order = orders[place];
  if (order === undefined) throw new Error(`there is no order ${place}`);
  return order;
};

describe("an attacker who can do everything in the database is noticed", () => {
  it("editing orders, settlements and ticks", async () => {
    const attacks = await orderAttacks(world.product, orders);
    expect(attacks).toHaveLength(9);
    for (const attack of attacks) {
      const result = await tryAttack(world.product, world.watchers, attack);
      expect(result.refused).toMatch(/is refused: its rows are written once/);
      expect(noticed(result)).toMatch(/^failed/);
    }
  });

  it("deleting an order", async () => {
    expect(noticed(await tryAttack(world.product, world.watchers, deleteOrder(one(ORDERS - 1))))).toMatch(/Not found/);
  });

  it("swapping a deposit address", async () => {
    expect(noticed(await swapDepositAddress(world))).toMatch(
      /answers ADDRESS_ALTERED: We’re not showing your deposit address/,
    );
    const incidents = await world.product.sql<{ kind: string }>("SELECT kind FROM incidents");
    expect(incidents).toEqual([{ kind: "address_altered" }]);
  });

  it("stopping the log", async () => {
    expect(noticed(await stopPublishing(world))).toMatch(/the public log is \d+ ms behind/);
  });

  it("changing a balance, which the running server detects", async () => {
    const { balance } = await moneyAttacks(world.product, one(0));
    expect(noticed(await tryAttack(world.product, world.watchers, balance))).toMatch(
      /I2: member \d+ practice available/,
    );
  });

  // The last two attacks leave faults that the verifier reports whenever it looks again, so they come last.
  it("changing a payout rate without an entry, which the member's receipt shows at once", async () => {
    expect(noticed(await changePayoutRate(world))).toMatch(/version 2 was used and is not in the log/);
  });

  it("forking the log for one member", async () => {
    const fork = { what: "fork", signers: "both", seenBefore: "seen" } as const;
    expect(noticed(await forkFor(world, one(0), fork))).toMatch(/it does not hold the \d+ entries seen before/);
  });
});
