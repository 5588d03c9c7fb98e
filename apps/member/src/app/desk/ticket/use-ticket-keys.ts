import type { Instrument } from "@fairtick/protocol";
import { showToast } from "@fairtick/ui";
import { useEffect, type RefObject } from "react";
import { stepStake } from "../../../components/ticket/order-ticket.ts";
import type { TicketOrder } from "../../../components/ticket/use-ticket-order.ts";
import { useSettings } from "../../../data/settings.ts";
import { typedDecimal } from "../../../shared/format.ts";
import { useDeskCommand } from "../desk-commands.ts";

/**
 * Handles the keys of a ticket. A direction key opens the confirm step even if confirmation is off, because a single
 * key must never place an order. Only with Shift does it place one.
 */
export function useTicketKeys({
  root,
  instrument,
  order,
  canPlace,
}: {
  readonly root: RefObject<HTMLElement | null>;
  readonly instrument: Instrument;
  readonly order: TicketOrder;
  /** Whether the member is logged in and has a transaction password. */
  readonly canPlace: boolean;
}): void {
  const { confirmOrders } = useSettings();
  const { form, off, state, isConfirming } = order;
  useAmountsLeft(root);
  useDeskCommand("stake", (what) => {
    if (isConfirming) return;
    if (what === "focus") root.current?.querySelector<HTMLInputElement>(".stepper input")?.select();
    else form.change({ stake: typedDecimal(stepStake(form.plain.stake, what, form.market)) });
  });
  useDeskCommand("duration", (place) => {
    const offered = instrument.durations[place - 1];
    if (offered !== undefined && !isConfirming) form.change({ duration: offered.seconds });
  });
  useDeskCommand("choose", ({ direction, atOnce }) => {
    if (!canPlace || isConfirming || state.step === "placing" || state.step === "cut") return;
    if (off !== null) {
      showToast(off.sentence);
    } else if (confirmOrders || atOnce) {
      order.choose(direction);
    } else {
      form.change({ direction });
      order.confirm();
    }
  });
}

/** Lets Enter and Escape leave an amount field, after which letters are shortcuts again instead of being typed. */
function useAmountsLeft(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const ticket = root.current;
    if (ticket === null) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      const { target, key, isComposing } = event;
      if (!(target instanceof HTMLInputElement) || target.inputMode !== "decimal" || isComposing) return;
      if (key !== "Enter" && key !== "Escape") return;
      event.preventDefault();
      ticket.focus({ preventScroll: true });
    };
    ticket.addEventListener("keydown", onKeyDown);
    return () => ticket.removeEventListener("keydown", onKeyDown);
  }, [root]);
}
