import { SANDBOX_HOUSE_CAPITAL, transferMovement, WALLETS } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { writeTransfer } from "./transfer-rows.ts";

/**
 * Gives a sandbox's house its capital, once for each wallet whatever starts how often. A live house has none until a
 * capital proposal is approved. The two transfers have the smallest ids there are: no member's could come before them.
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
