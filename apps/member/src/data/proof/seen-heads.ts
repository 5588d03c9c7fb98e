import { ENTRY_WINDOW_MS, toHex, utf8 } from "@fairtick/domain";
import { orderOf, parseLogEntry, type Receipt } from "@fairtick/transparency";
import type { Held } from "../sealed/evidence-shelf.ts";
import type { OwnCheck } from "./own-checks.ts";

/**
 * Checks that the log's price heads are those this device saw: one before it placed the order and one after. Only
 * heads of minutes that the receipt includes can be compared.
 */
export function checkHeads(receipt: Receipt, kept: Held | null): OwnCheck {
  const id = "heads";
  let compared = 0;
  for (const { slot, hash } of kept?.heads ?? []) {
    const logged = receipt.slots.logged.flatMap(({ entry }) => headAt(entry, slot));
    const other = logged.find((each) => each !== hash);
    if (other !== undefined) {
      const values = { slot, shown: hash, logged: other };
      return { id, state: "failed", why: "the log has another head there", values };
    }
    compared += logged.length > 0 ? 1 : 0;
  }
  const early = earlyOpening(receipt, kept);
  if (early !== null) return { id, state: "failed", why: "the order was opened too early", values: early };
  return compared > 0
    ? { id, state: "ok", values: { heads: compared } }
    : { id, state: "unchecked", why: "this device holds no head of these minutes", values: {} };
}

/**
 * Returns the head with which this device took a price for decided that only came in a later one; null if there is none. The
 * stream doesn't sign which prices belong to a head, so the device can only tell afterwards that the house made it open an
 * order too early. From ten seconds after a moment on, no price decides it, so other symbols' prices may have.
 */
function earlyOpening(receipt: Receipt, kept: Held | null): OwnCheck["values"] | null {
  const order = orderOf(receipt);
  const entryAt = receipt.result?.entry?.time;
  if (order === null || entryAt === undefined) return null;
  const { acceptedAt } = receipt.acceptance;
  const expiresAt = entryAt + BigInt(order.durationSeconds) * 1_000n;
  for (const [price, moment] of [["entry", acceptedAt] as const, ["exit", expiresAt] as const]) {
    const head = kept?.decided?.[price] ?? null;
    const slot = receipt.slots[price];
    const isEarly = head !== null && slot !== null && head.slot < slot.k;
    if (isEarly && BigInt(head.at) <= moment + ENTRY_WINDOW_MS) return { head: head.slot, [price]: slot.k };
  }
  return null;
}

function headAt(entry: string, slot: number): string[] {
  const parsed = parseLogEntry(utf8(entry));
  if (!parsed.ok || parsed.entry.kind !== "heads") return [];
  const { from, heads } = parsed.entry;
  const head = heads[slot - from];
  return head === undefined ? [] : [toHex(head)];
}
