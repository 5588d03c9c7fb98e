import type { Instant } from "@fairtick/domain";
import { writeAudit } from "../../platform/console/index.ts";
import type { Database } from "../../platform/database.ts";
import { forgetStrangersTries } from "../sessions/index.ts";
import { operatorAccount } from "./own-password.ts";

/**
 * Ends an operator's wait after strangers' guesses. Run on the host, not in the console, for an operator who has no
 * known device at hand while someone guesses. Writes a row in the audit trail. Returns false if there is no such
 * operator.
 */
export async function clearOperatorTries(
  database: Database,
  { login, reason, by, now }: { login: string; reason: string; by: string; now: Instant },
): Promise<boolean> {
  return database.transaction(async (db) => {
    const [operator] = await db.query<{ operator_id: bigint }>(
      "SELECT operator_id FROM operators WHERE login = $1 AND disabled_at IS NULL",
      [login],
    );
    if (operator === undefined) return false;
    await forgetStrangersTries(db, "login", operatorAccount(login));
    await forgetStrangersTries(db, "code", operatorAccount(String(operator.operator_id)));
    await writeAudit(db, {
      session: null,
      ip: "host",
      device: by.slice(0, 200),
      action: "host/clearTries",
      subject: login,
      reason: reason.slice(0, 500),
      detail: JSON.stringify({ login, at: Number(now) }),
      outcome: "done",
    });
    return true;
  });
}
