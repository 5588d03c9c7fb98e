import { REVEAL_WITHIN_MS } from "@fairtick/domain";
import type { Order } from "@fairtick/protocol";
import { Notice } from "@fairtick/ui";
import { isSealedUntilEnd } from "../../data/sealed/known-choices.ts";
import { formatDateTime, formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { useServerNow } from "../../shared/server-clock.ts";
import { heldOf } from "./order-figures.ts";

/** Grace period for the device that can open the order, which takes a second or two after its end. */
const OPENED_MS = 5_000;

/**
 * Returns whether an order is over and this device can't open it, because it was placed elsewhere or its choice was
 * deleted.
 */
export function isLeftSealed({ direction, state, expiresAt }: Order, now: number): boolean {
  return direction === null && state !== "settled" && expiresAt !== null && now > expiresAt + OPENED_MS;
}

/** Says who opens a running order and when, unless that happens within a second. */
export function SealedNote({ order }: { readonly order: Order }) {
  const t = useText();
  const now = useServerNow(1_000);
  if (order.state === "settled") return null;
  if (order.direction !== null)
    return isSealedUntilEnd(order) ? (
      <p className="note soft center" data-testid="opens-at-end">
        {t("order.opensAtEnd")}
      </p>
    ) : null;
  if (order.expiresAt === null || !isLeftSealed(order, now))
    return (
      <p className="note soft center" data-testid="sealed-elsewhere">
        {t("order.sealedElsewhere")}
      </p>
    );
  const time = formatDateTime(order.expiresAt + Number(REVEAL_WITHIN_MS));
  return (
    <Notice wrong>
      <span data-testid="left-sealed">{t("order.unopened", { time, held: formatMoney(heldOf(order)) })}</span>
    </Notice>
  );
}
