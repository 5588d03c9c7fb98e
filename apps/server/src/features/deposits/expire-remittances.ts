import { formatMoney, type MicroUsd } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";
import { tellMember } from "../notices/index.ts";
import { formatDepositNo } from "./deposit-view.ts";

type ExpiryContext = Pick<Context, "databases" | "bus">;

/** Ends bank transfers that weren't paid within the time shown to the member, and tells them. Returns how many. */
export async function expireRemittances({ databases, bus }: ExpiryContext): Promise<number> {
  const expired = await databases.jobs.transaction(async (db) => {
    const rows = await db.query<{ member: bigint; deposit: bigint; amount: bigint }>(
      "SELECT e.member, e.deposit, d.amount FROM expire_remittances() e JOIN deposits d ON d.deposit_id = e.deposit",
    );
    for (const { member, deposit, amount } of rows) {
      const params = { amount: formatMoney(amount as MicroUsd), depositNo: formatDepositNo(deposit) };
      await tellMember(db, member, "depositExpired", params);
    }
    crashPoint("remittance.expiring");
    return rows;
  });
  crashPoint("remittance.expired");
  if (expired.length > 0) {
    const [members, depositIds] = [expired.map(({ member }) => member), expired.map(({ deposit }) => deposit)];
    bus.publish("deposits", { members, depositIds });
  }
  return expired.length;
}

const EVERY_MS = 60_000;

/** Checks regularly for what has expired, until stopped. */
export function startExpiring(context: ExpiryContext & Pick<Context, "log">): Rounds {
  const failed = "expired bank transfers could not be ended; the next round tries again";
  return startRounds({ log: context.log, everyMs: EVERY_MS, failed }, () => expireRemittances(context));
}
