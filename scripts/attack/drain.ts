import { randomUUID } from "node:crypto";
import type { Attack, Outcome, Size } from "./attack.ts";
import type { Member } from "./member.ts";
import { fund, orderOf, withdrawalOf } from "./owned-objects.ts";
import { type Answer, dataOf } from "./request.ts";
import type { World } from "./world.ts";

/** One balance, and orders and withdrawals that take from it at once. */
export const drain: Attack = { name: "draining one balance", run };

/** Fewer withdrawals than the transaction password may be tried at once. */
const [ORDERS, WITHDRAWALS] = [30, 4];
const [STAKE, WITHDRAWN] = ["10.00", "60.00"];
const DEPOSITED = "300";
/** What a request for too much may be told. */
const REFUSALS = new Set(["INSUFFICIENT_BALANCE", "WITHDRAWAL_TOO_LARGE"]);

interface Balance {
  readonly available: bigint;
  readonly locked: bigint;
}

async function run(world: World, { rounds }: Size): Promise<Outcome> {
  const { demo } = world;
  const faults: string[] = [];
  let taken = 0;
  for (let round = 0; round < Math.ceil(rounds / 5); round += 1) {
    await fund(world, demo, DEPOSITED);
    // An order settles no sooner than in half a minute: until then only the requests below move money.
    const before = await balanceOf(demo);
    const orders = Array.from({ length: ORDERS }, () => demo.call("order/place", orderOf("real", STAKE)));
    const withdrawals = Array.from({ length: WITHDRAWALS }, () =>
      demo.call("withdraw/create", withdrawalOf(WITHDRAWN, randomUUID())),
    );
    const [placed, asked] = await Promise.all([Promise.all(orders), Promise.all(withdrawals)]);
    const after = await balanceOf(demo);
    taken += [...placed, ...asked].filter(({ status }) => status === 200).length;
    faults.push(...judgeDrain(before, after, placed, asked));
  }
  return { tried: `${taken} of ${Math.ceil(rounds / 5) * (ORDERS + WITHDRAWALS)} requests were granted`, faults };
}

/** Holds what was granted against what is left: every cent is taken once, and none that was not there. */
export function judgeDrain(
  before: Balance,
  after: Balance,
  placed: readonly Answer[],
  asked: readonly Answer[],
): string[] {
  const faults: string[] = [];
  const granted = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).map(dataOf);
  const stakes = granted(placed).reduce((sum, order) => sum + cents(order["stake"]) + cents(order["fee"]), 0n);
  const payouts = granted(asked).reduce((sum, withdrawal) => sum + cents(withdrawal["amount"]), 0n);
  const taken = stakes + payouts;
  if (after.available < 0n) faults.push(`the balance is ${after.available} cents`);
  if (before.available - after.available !== taken)
    faults.push(`${taken} cents were granted, and ${before.available - after.available} left the balance`);
  for (const { status, text } of [...placed, ...asked]) {
    const { error } = { ...Object((JSON.parse(text) as { data: unknown }).data) } as { readonly error?: string };
    if (status !== 200 && !REFUSALS.has(error ?? "")) faults.push(`${status}: ${text.slice(0, 200)}`);
  }
  return faults;
}

async function balanceOf(member: Member): Promise<Balance> {
  const summary = dataOf(await member.call("user/summary", { wallet: "real" }));
  return { available: cents(summary["available"]), locked: cents(summary["locked"]) };
}

/** `12.50` as 1,250. */
function cents(amount: unknown): bigint {
  const [whole = "0", part = ""] = String(amount).split(".");
  return BigInt(whole + part.padEnd(2, "0"));
}
