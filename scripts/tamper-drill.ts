/** Bends a running product in every way its operator could, and writes down who noticed: docs/tamper-drill.md. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Attack, NOTICED_MS_MAX, type Result, tryAttack } from "./tamper-drill/attack.ts";
import { forkFor, type SeenBefore, type Signers } from "./tamper-drill/fork.ts";
import * as log from "./tamper-drill/log-attacks.ts";
import { acceptInThePast } from "./tamper-drill/late-order.ts";
import type { Kept } from "./tamper-drill/member.ts";
import { moneyAttacks } from "./tamper-drill/money-attacks.ts";
import { bendWaitingTick, deleteOrder, insertBackDated, orderAttacks } from "./tamper-drill/order-attacks.ts";
import { prepareDrill } from "./tamper-drill/prepare.ts";
import { writeReport } from "./tamper-drill/report.ts";
import { rollBackDatabase, rollBackEverything } from "./tamper-drill/roll-back.ts";
import { withholdBoth, withholdHeads, withholdPrices, withholdSeed } from "./tamper-drill/withheld-attacks.ts";

const REPORT = resolve(import.meta.dirname, "../docs/tamper-drill.md");
const ORDERS = 16;

// `--only seed,batch` tries those alone and writes no page.
// `--age 60` waits with the rollbacks until what they go back to is so many minutes old.
const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, age: { type: "string", default: "0" } },
});
const only = values.only.split(",").filter((name) => name !== "");
const begun = performance.now();
const { world, orders, earlier } = await prepareDrill(ORDERS);
const { product, member, watchers } = world;
const results: Result[] = [];
let ending = " It broke off: not all attacks were tried.";
function keep(result: Result): void {
  results.push(result);
  const { what, notices, seconds } = result;
  console.log(`${seconds?.toFixed(1) ?? "NOT NOTICED"} ${what}: ${notices.map((each) => each.sentence).join(" / ")}`);
}
try {
  const [first, last] = [orders[0], orders.at(-1)];
  if (first === undefined || last === undefined) throw new Error("nothing was traded");

  const order = first;
  const attempt = async (attack: Attack) => keep(await tryAttack(product, watchers, attack));
  const money = await moneyAttacks(product, order);
  let later: Kept | null = null;
  const fork = async (what: string, signers: Signers, seenBefore: SeenBefore, about = order) =>
    keep(await forkFor(world, about, { what: `fork the log for one member ${what}`, signers, seenBefore }));
  // Those that need a server which still takes orders come first; what the log keeps for good comes last.
  const steps: readonly (readonly [name: string, run: () => Promise<void>])[] = [
    [
      "waiting-tick",
      async () => {
        const attack = await bendWaitingTick(product, member);
        later = attack.order;
        await attempt(attack);
      },
    ],
    ["publishing", async () => keep(await log.stopPublishing(world))],
    [
      "orders",
      async () => {
        for (const attack of await orderAttacks(product, orders)) await attempt(attack);
      },
    ],
    ["deletion", async () => attempt(deleteOrder(last))],
    ["fork", async () => fork("before what their app has seen, signed by the house", "house", "seen")],
    ["fork", async () => fork("before what their app has seen, also signed by the witness beside it", "both", "seen")],
    [
      "fork",
      async () => {
        const about = later ?? (await member.place("up"));
        await fork("after what their app has seen, also signed by the witness beside it", "both", "not seen", about);
      },
    ],
    ["deposit", async () => keep(await log.swapDepositAddress(world))],
    ["balance", () => attempt(money.balance)],
    ["posting", () => attempt(money.posting)],
    ["trail", () => attempt(money.trail)],
    ["back-dated", () => attempt(insertBackDated(order))],
    ["heads", async () => keep(await withholdHeads(world))],
    ["prices", async () => keep(await withholdPrices(world))],
    ["heads-and-prices", async () => keep(await withholdBoth(world, false))],
    ["blind", async () => keep(await withholdBoth(world, true))],
    ["withheld-seed", async () => keep(await withholdSeed(world))],
    ["seed", async () => keep(await log.revealAnotherSeed(world))],
    ["batch", async () => keep(await log.logBackDatedBatch(world))],
    ["source", async () => keep(await log.lieAboutSource(world))],
    ["late-order", async () => keep(await acceptInThePast(world))],
    // Of its configuration the server goes on telling.
    ["rate", async () => keep(await log.changePayoutRate(world))],
    ["rollback", async () => (only.length > 0 ? log.tradeOn(world) : undefined)],
    ["rollback", () => sleep(Math.max(0, earlier.copiedAt + Number(values.age) * 60_000 - performance.now()))],
    ["rollback", async () => keep(await rollBackDatabase(world, earlier))],
    ["rollback", async () => keep(await rollBackEverything(world, earlier))],
  ];
  for (const [name, run] of steps) if (only.length === 0 || only.includes(name)) await run();
  ending = "";
} finally {
  await product.stop();
  const day = new Date().toISOString().slice(0, 10);
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
  const facts = `Run of ${day}, ${minutes} minutes, simulated market, one witness, ${ORDERS} orders.${ending}`;
  if (only.length === 0) writeFileSync(REPORT, writeReport(results, facts));
}
const missed = results.filter(({ seconds }) => seconds === null || seconds > NOTICED_MS_MAX / 1000);
if (missed.length > 0) process.exitCode = 1;
