import { SANDBOX_HOUSE_CAPITAL, transferMovement, WALLETS } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { writeTransfer } from "./transfer-rows.ts";

/**
 * Gives the house of a sandbox its capital, once per wallet no matter how often it is started. A live house has none
 * until a capital proposal is approved. The two transfers take the smallest ids there are, so that no member's transfer
 * can come before them.
 */
export async function seedHouseCapital(context: Pick<Context, "databases" | "config">): Promise<void> {
  if (context.config.deployment !== "sandbox") return;
  for (const [index, wallet] of WALLETS.entries()) {
    await context.databases.money.transaction((transaction) =>
      writeTransfer(transaction, {
        transferId: BigInt(index + 1),
        wallet,
        movement: transferMovement({ kind: "house_capital", amount: SANDBOX_HOUSE_CAPITAL[wallet] }),
        idempotencyKey: `house_capital:first:${wallet}`,
        remark: "first capital",
        member: null,
      }),
    );
  }
}
