import type { Order } from "@fairtick/protocol";
import { Button, IconRedo, Toward } from "@fairtick/ui";
import { formatDuration, formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import type { RepeatedOrder } from "./use-ticket-order.ts";
import "./ticket.css";

/** Places an earlier order's terms again at one tap, because those terms were agreed to before. */
export function RepeatButton({
  order,
  off = false,
  why,
  isPlacing = false,
  wide = false,
  onOffPress,
  onRepeat,
}: {
  readonly order: RepeatedOrder;
  readonly off?: boolean;
  /** Why it is disabled, in two or three words. */
  readonly why?: string | undefined;
  readonly isPlacing?: boolean;
  /** One full-width line instead of two lines beside a field. */
  readonly wide?: boolean;
  readonly onOffPress?: (() => void) | undefined;
  readonly onRepeat: () => void;
}) {
  const t = useText();
  const { direction, stake, duration } = order;
  if (direction === null) return null;
  return (
    <Button
      lowkey
      className={wide ? "ticket-repeat wide" : "ticket-repeat"}
      off={off}
      onOffPress={onOffPress}
      onClick={onRepeat}
      aria-busy={isPlacing || undefined}
    >
      <span>
        <IconRedo size="tiny" /> {t(isPlacing ? "order.placing" : "ticket.again")}
      </span>{" "}
      {!isPlacing && (
        <>
          <span className="note figure">
            <Toward direction={direction}>
              <span className="unseen">{t(`shell.${direction}`)}</span> {formatMoney(stake)} ·{" "}
              {formatDuration(duration)}
            </Toward>
          </span>{" "}
          {why !== undefined && <span className="note soft">{why}</span>}
        </>
      )}
    </Button>
  );
}

/** Returns the newest order that can be repeated unchanged: its direction is known here and it had no limit price. */
export function repeatableOf(orders: readonly Order[]): Order | null {
  const fitting = orders.filter(({ direction, limitPrice }) => direction !== null && limitPrice === null);
  return fitting.toSorted((one, other) => other.acceptedAt - one.acceptedAt)[0] ?? null;
}
