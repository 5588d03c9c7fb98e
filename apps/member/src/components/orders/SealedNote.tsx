import { REVEAL_WITHIN_MS } from "@fairtick/domain";
import type { Order } from "@fairtick/protocol";
import { Notice } from "@fairtick/ui";
import { isSealedUntilEnd } from "../../data/sealed/known-choices.ts";
import { formatDateTime, formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { useServerNow } from "../../shared/server-clock.ts";
import { heldOf } from "./order-figures.ts";

/** A device that has it open opens an order within a second or two after its end. */
const OPENED_MS = 5_000;

/** Whether an order is over and this device cannot open it: it was placed elsewhere, or what it was about was deleted here. */
export function isLeftSealed({ direction, state, expiresAt }: Order, now: number): boolean {
  return direction === null && state !== "settled" && expiresAt !== null && now > expiresAt + OPENED_MS;
}

/** Says of a running order who opens it and when, where that is not within a second: nothing of any other. */
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
