import type { Attack, Outcome, Size } from "./attack.ts";
import type { Member } from "./member.ts";
import { fund, orderOf, withdrawalOf } from "./owned-objects.ts";
import { type Answer, dataOf } from "./request.ts";
import type { World } from "./world.ts";

/** Orders and withdrawals that all draw on one balance at once. */
export const drain: Attack = { name: "draining one balance", run };

/** Fewer withdrawals than simultaneous tries of the transaction password are allowed. */
const [ORDERS, WITHDRAWALS] = [30, 4];
/** Shares of the balance that each one takes; together they ask for more than twice the balance. */
const [STAKE_SHARE, WITHDRAWN_SHARE] = [20n, 5n];
const DEPOSITED = "300";
/** The refusals allowed for a request that exceeds the balance. */
const REFUSALS = new Set(["INSUFFICIENT_BALANCE", "WITHDRAWAL_TOO_LARGE"]);

async function run(world: World, { rounds }: Size): Promise<Outcome> {
  const { demo } = world;
  const faults: string[] = [];
  let taken = 0;
  for (let round = 0; round < Math.ceil(rounds / 5); round += 1) {
    await fund(world, demo, DEPOSITED);
    // No order settles within half a minute, so until then only the requests below move money.
    const before = await availableOf(demo);
    const stake = amountOf(before / STAKE_SHARE);
    const withdrawn = amountOf(before / WITHDRAWN_SHARE);
    const orders = Array.from({ length: ORDERS }, () => demo.call("order/place", orderOf("real", stake)));
    const withdrawals = Array.from({ length: WITHDRAWALS }, () =>
      demo.call("withdraw/create", withdrawalOf(withdrawn)),
    );
    const [placed, asked] = await Promise.all([Promise.all(orders), Promise.all(withdrawals)]);
    const after = await availableOf(demo);
    taken += [...placed, ...asked].filter(({ status }) => status === 200).length;
    faults.push(...judgeDrain(before, after, placed, asked));
  }
  return { tried: `${taken} of ${Math.ceil(rounds / 5) * (ORDERS + WITHDRAWALS)} requests were granted`, faults };
}

/** Compares what was granted with what is left: every cent is taken once, and none that wasn't there. */
export function judgeDrain(
  before: bigint,
  after: bigint,
  placed: readonly Answer[],
  asked: readonly Answer[],
): string[] {
  const faults: string[] = [];
  const granted = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).map(dataOf);
  const stakes = granted(placed).reduce((sum, order) => sum + cents(order["stake"]) + cents(order["fee"]), 0n);
  const payouts = granted(asked).reduce((sum, withdrawal) => sum + cents(withdrawal["amount"]), 0n);
  const taken = stakes + payouts;
  if (after < 0n) faults.push(`the balance is ${after} cents`);
  if (before - after !== taken) faults.push(`${taken} cents were granted, and ${before - after} left the balance`);
  if ([...placed, ...asked].every(({ status }) => status === 200)) faults.push("nothing was refused");
  for (const { status, text } of [...placed, ...asked]) {
    const { error } = { ...Object((JSON.parse(text) as { data: unknown }).data) } as { readonly error?: string };
    if (status !== 200 && !REFUSALS.has(error ?? "")) faults.push(`${status}: ${text.slice(0, 200)}`);
  }
  return faults;
}

/** Returns the available real balance in cents. */
async function availableOf(member: Member): Promise<bigint> {
  return cents(dataOf(await member.call("user/summary", { wallet: "real" }))["available"]);
}

/** Parses `12.50` as 1,250. */
function cents(amount: unknown): bigint {
  const [whole = "0", part = ""] = String(amount).split(".");
  return BigInt(whole + part.padEnd(2, "0"));
}

/** Formats 1,250 cents as `12.50`. */
function amountOf(count: bigint): string {
  return `${count / 100n}.${String(count % 100n).padStart(2, "0")}`;
}
