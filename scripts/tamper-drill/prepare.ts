import { waitUntil } from "@fairtick/testkit";
import type { World } from "./log-attacks.ts";
import { type Kept, logIn } from "./member.ts";
import { startProduct } from "../own-product.ts";
import { copyState, type Then } from "./roll-back.ts";
import { openWatchers } from "./watchers.ts";

const QUIET_MS_MAX = 150_000;

export interface Prepared {
  readonly world: World;
  readonly orders: readonly Kept[];
  readonly earlier: Then;
}

/**
 * Starts a product in which a member has traded, with watchers who find nothing wrong. `outsideMs`: how long they keep
 * looking after only the house has noticed. Stop its product afterwards.
 */
export async function prepareDrill(count: number, outsideMs = 0): Promise<Prepared> {
  const product = await startProduct();
  try {
    const member = await logIn(product);
    const orders: Kept[] = [];
    for (let made = 0; made < count; made += 1) orders.push(await member.place(made % 2 === 0 ? "up" : "down"));
    for (const { orderNo } of orders) await member.settled(orderNo);
    const earlier = await copyState(product);
    const watchers = await waitUntil(
      "a log with keys",
      () => openWatchers(product, member, outsideMs).catch(() => null),
      30_000,
    );
    await waitUntil(
      "a log that holds",
      () =>
        watchers.remember().then(
          () => true,
          () => null,
        ),
      30_000,
    );
    await waitUntil(
      "everyone to be content before the first attack",
      async () => {
        const notices = [];
        for (const order of orders) notices.push(...(await watchers.look(order)));
        for (const { who, sentence } of notices) console.log(`before any attack: ${who}: ${sentence}`);
        return notices.length === 0 || null;
      },
      QUIET_MS_MAX,
    );
    return { world: { product, member, watchers }, orders, earlier };
  } catch (error) {
    await product.stop();
    throw error;
  }
}
