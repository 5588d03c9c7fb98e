import { TowardButton } from "@fairtick/ui";
import { useEffect, useRef, type ReactNode } from "react";
import { useText } from "../../shared/i18n.ts";
import "./ticket.css";

/**
 * Up and Down, of equal size and weight. Choosing one is the first of two taps, or the only one if confirmation is
 * off.
 */
export function DirectionButtons({
  names,
  off = false,
  onOffPress,
  onChoose,
  focused = null,
  notes,
}: {
  /** `buy` labels them "Buy up" and "Buy down", for places below a chart rather than a ticket. */
  readonly names: "buy" | "plain";
  /**
   * Nothing can be placed now, for a reason shown nearby. The buttons stay focusable, and a press shows the reason
   * again.
   */
  readonly off?: boolean;
  readonly onOffPress?: (() => void) | undefined;
  readonly onChoose: (direction: "up" | "down") => void;
  /** The button to focus, because the confirmation of its direction was left. */
  readonly focused?: "up" | "down" | null;
  /** Text under each label. By default it says where the exit must be. */
  readonly notes?: Readonly<Record<"up" | "down", ReactNode>> | undefined;
}) {
  const t = useText();
  const pair = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (focused !== null) pair.current?.querySelector<HTMLElement>(`.${focused}`)?.focus();
  }, [focused]);
  const words = (direction: "up" | "down") => {
    if (names === "plain") return t(`shell.${direction}`);
    return t(direction === "up" ? "trade.buyUp" : "trade.buyDown");
  };
  return (
    <fieldset className="pair ticket-pair" aria-label={t("order.direction")} ref={pair}>
      {(["up", "down"] as const).map((direction) => (
        <TowardButton
          key={direction}
          direction={direction}
          filled
          aria-disabled={off || undefined}
          onClick={() => {
            if (off) onOffPress?.();
            else onChoose(direction);
          }}
        >
          {words(direction)}
          <small>{notes?.[direction] ?? t(direction === "up" ? "ticket.upNote" : "ticket.downNote")}</small>
        </TowardButton>
      ))}
    </fieldset>
  );
}
