import type { Attack } from "./attack.ts";
import { orderIdOf } from "./order-attacks.ts";
import type { Kept } from "./member.ts";
import type { Product } from "../own-product.ts";

/** Returns attacks on the ledger and on the audit trail of operators' actions. */
export async function moneyAttacks(
  product: Product,
  order: Kept,
): Promise<Record<"balance" | "posting" | "trail", Attack>> {
  const [row] = await product.sql<{ member_id: string; transfer_id: string }>(
    `SELECT o.member_id, min(t.transfer_id) AS transfer_id FROM orders o JOIN transfers t USING (member_id)
     WHERE o.order_id = $1 AND t.wallet = 'practice' GROUP BY 1`,
    [orderIdOf(order)],
  );
  if (row === undefined) throw new Error("the member has no transfer");
  const money = `member_id = ${row.member_id}`;
  const posting = `transfer_id = ${row.transfer_id}`;
  // Written as the console would, because no operator of the drill's product has done anything.
  await product.sql(
    "SELECT write_audit(NULL, NULL, '127.0.0.1', 'tamper drill', 'login', NULL, NULL, '{}', 'LOGIN_FAILED')",
  );
  const trail = "device = 'tamper drill'";
  return {
    balance: {
      what: "change a member's balance",
      order: null,
      rows: [],
      // The member's orders may change the row in the meantime, so its old values aren't restored.
      undo: `UPDATE members_money SET practice_available = practice_available - 1000000000 WHERE ${money}`,
      statement: `UPDATE members_money SET practice_available = practice_available + 1000000000 WHERE ${money}`,
    },
    posting: {
      what: "delete a posting",
      order: null,
      rows: [{ table: "postings", where: posting }],
      statement: `DELETE FROM postings WHERE ${posting}`,
    },
    trail: {
      what: "edit the operators' audit trail",
      order: null,
      rows: [{ table: "audit_trail", where: trail }],
      statement: `UPDATE audit_trail SET outcome = 'done' WHERE ${trail}`,
    },
  };
}
