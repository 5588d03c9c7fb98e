/** Bends a running product in every way its operator could, and writes down who noticed: docs/tamper-drill.md. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { waitUntil } from "@fairtick/testkit";
import { type Attack, type Result, tryAttack } from "./tamper-drill/attack.ts";
import { forkFor, type SeenBefore, type Signers } from "./tamper-drill/fork.ts";
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

// `--only seed,batch` tries those again, and leaves the table's other rows as they are.
const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const only = values.only.split(",").filter((name) => name !== "");
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
  for (let made = 0; made < ORDERS; made += 1) orders.push(await member.place(made % 2 === 0 ? "up" : "down"));
  for (const { orderNo } of orders) await member.settled(orderNo);
  const copiedAt = performance.now();
  await log.copyDatabase(product);
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

  const order = first;
  const attempt = async (attack: Attack) => keep(await tryAttack(product, watchers, attack));
  const money = await moneyAttacks(product, order);
  const fork = async (what: string, signers: Signers, seenBefore: SeenBefore) =>
    keep(await forkFor(world, order, { what: `fork the log for one member ${what}`, signers, seenBefore }));
  // Those that need a server which still takes orders come first; what the log keeps for good comes last.
  const steps: readonly (readonly [name: string, run: () => Promise<void>])[] = [
    ["waiting-tick", async () => attempt(await bendWaitingTick(product, member))],
    ["publishing", async () => keep(await log.stopPublishing(world))],
    ["rate", async () => keep(await log.changePayoutRate(world))],
    [
      "orders",
      async () => {
        for (const attack of await orderAttacks(product, orders)) await attempt(attack);
      },
    ],
    ["deletion", async () => attempt(deleteOrder(last))],
    ["fork", async () => fork("before what his app has seen, signed by the house", "house", "seen")],
    ["fork", async () => fork("before what his app has seen, also signed by the witness beside it", "both", "seen")],
    ["fork", async () => fork("after what his app has seen, also signed by the witness beside it", "both", "not seen")],
    ["deposit", async () => keep(await log.swapDepositAddress(world))],
    ["balance", () => attempt(money.balance)],
    ["posting", () => attempt(money.posting)],
    ["trail", () => attempt(money.trail)],
    ["back-dated", () => attempt(insertBackDated(order))],
    ["seed", async () => keep(await log.revealAnotherSeed(world))],
    ["batch", async () => keep(await log.logBackDatedBatch(world))],
    ["rollback", async () => keep(await log.rollBack(world, copiedAt))],
  ];
  for (const [name, run] of steps) if (only.length === 0 || only.includes(name)) await run();
  ending = "";
} finally {
  await product.stop();
  const day = new Date().toISOString().slice(0, 10);
  const before = only.length > 0 && existsSync(REPORT) ? readFileSync(REPORT, "utf8") : "";
  const part = only.length > 0 ? ` (${only.join(", ")} alone)` : "";
  const facts = `Run of ${day}${part}, simulated market, one witness, ${ORDERS} orders.${ending}`;
  if (results.length > 0) writeFileSync(REPORT, writeReport(results, facts, before));
}
