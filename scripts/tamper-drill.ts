/** Bends a running product in every way its operator could, and writes down who noticed: docs/tamper-drill.md. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { waitUntil } from "@fairtick/testkit";
import { type Result, tryAttack } from "./tamper-drill/attack.ts";
import { forkFor } from "./tamper-drill/fork.ts";
import * as log from "./tamper-drill/log-attacks.ts";
import { type Kept, logIn } from "./tamper-drill/member.ts";
import { moneyAttacks } from "./tamper-drill/money-attacks.ts";
import { bendWaitingTick, deleteOrder, insertBackDated, orderAttacks } from "./tamper-drill/order-attacks.ts";
import { startProduct } from "./tamper-drill/product.ts";
import { writeReport } from "./tamper-drill/report.ts";
import { openWatchers } from "./tamper-drill/watchers.ts";

const REPORT = resolve(import.meta.dirname, "../docs/tamper-drill.md");
const ORDERS = 16;
const QUIET_MS_MAX = 120_000;

const product = await startProduct();
const results: Result[] = [];
let ending = " It broke off: not all attacks were tried.";
function keep(result: Result): void {
  results.push(result);
  const { what, notices, seconds } = result;
  console.log(`${seconds?.toFixed(1) ?? "NOT NOTICED"} ${what}: ${notices.map((each) => each.sentence).join(" / ")}`);
}
try {
  const member = await logIn(product);
  const orders: Kept[] = [];
  await log.copyDatabase(product);
  const copiedAt = performance.now();
  for (let made = 0; made < ORDERS; made += 1) orders.push(await member.place(made % 2 === 0 ? "up" : "down"));
  for (const { orderNo } of orders) await member.settled(orderNo);
  const watchers = await waitUntil("a log with keys", () => openWatchers(product, member).catch(() => null), 30_000);
  await watchers.remember();
  const [first, last] = [orders[0], orders.at(-1)];
  if (first === undefined || last === undefined) throw new Error("nothing was traded");
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
  const world = { product, member, watchers };

  // Those that need a server which still takes orders come first.
  keep(await tryAttack(product, watchers, await bendWaitingTick(product, member)));
  keep(await log.stopPublishing(world));
  keep(await log.changePayoutRate(world));
  for (const attack of await orderAttacks(product, orders)) keep(await tryAttack(product, watchers, attack));
  keep(await tryAttack(product, watchers, deleteOrder(last)));
  keep(
    await forkFor(world, first, {
      what: "fork the log for one member, signed by the house",
      signers: "house",
      seenBefore: "seen",
    }),
  );
  keep(
    await forkFor(world, first, {
      what: "fork the log for one member before what his app has seen, signed by the house and by the witness on its machine",
      signers: "house and its witness",
      seenBefore: "seen",
    }),
  );
  keep(
    await forkFor(world, first, {
      what: "fork the log for one member after what his app has seen, signed by the house and by the witness on its machine",
      signers: "house and its witness",
      seenBefore: "not seen",
    }),
  );
  keep(await log.swapDepositAddress(world));
  for (const attack of await moneyAttacks(product, first)) keep(await tryAttack(product, watchers, attack));
  keep(await tryAttack(product, watchers, insertBackDated(first)));
  keep(await log.revealAnotherSeed(world));
  keep(await log.logBackDatedBatch(world));
  keep(await log.rollBack(world, copiedAt));
  ending = "";
} finally {
  await product.stop();
  const day = new Date().toISOString().slice(0, 10);
  const facts = `Run of ${day}, simulated market, one witness, ${ORDERS} orders.${ending}`;
  if (results.length > 0) writeFileSync(REPORT, writeReport(results, facts));
}
