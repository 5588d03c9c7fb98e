import type { Instrument } from "@fairtick/protocol";
import { Arrow, Button, Toward } from "@fairtick/ui";
import { openEntry } from "@fairtick/ui/sheet-history.ts";
import { useEffect, useRef } from "react";
import { formatDuration, formatMoney, formatPrice } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { SettingSwitch } from "../settings/SettingSwitch.tsx";
import type { OrderTicket, TicketSummary } from "./order-ticket.ts";
import type { OffReason } from "./use-ticket-order.ts";
import { AllowDevice } from "./AllowDevice.tsx";
import type { PlaceState } from "./order-dispatch.ts";
import "./ticket.css";

/** What is being confirmed, in place of the input fields: stake, duration, and how the order is decided. */
export function ConfirmWords({
  instrument,
  ticket,
  summary,
}: {
  readonly instrument: Instrument;
  readonly ticket: OrderTicket;
  readonly summary: TicketSummary;
}) {
  const t = useText();
  const { direction, limitOn, limitPrice, duration } = ticket;
  if (direction === null) return null;
  return (
    <section className="ticket-confirm" aria-label={t("order.confirm")}>
      <div className="ticket-confirm-head">
        <p className="grow">
          <Toward direction={direction}>{t(direction === "up" ? "order.upMeans" : "order.downMeans")}</Toward>
        </p>
        <p className="end">
          <span className="medium">{summary.stake === null ? "–" : formatMoney(summary.stake)}</span>{" "}
          <span className="unit">{t("shell.usd")}</span>{" "}
          <span className="label">{t("order.forDuration", { duration: formatDuration(duration ?? 0) })}</span>
        </p>
      </div>
      <p className="note">
        <span className="soft">{t("order.entryPrice")}:</span>{" "}
        {limitOn
          ? t("order.firstTickLimit", { limit: formatPrice(limitPrice, instrument.decimals) })
          : t("order.firstTick")}
      </p>
      <p className="note soft">{t("order.noCancel")}</p>
      <SettingSwitch name="confirmOrders" />
    </section>
  );
}

/**
 * The second tap, in the place of the first one: places the order with the figures above. The other button leaves the
 * confirmation, as do Escape and going back.
 */
export function ConfirmButtons({
  direction,
  stake,
  state,
  off,
  onPlace,
  onAllowDevice,
  onAskAgain,
  onLeave,
  takesFocus = true,
}: {
  readonly direction: "up" | "down";
  readonly stake: string | null;
  readonly state: PlaceState;
  readonly off: OffReason | null;
  readonly onPlace: () => void;
  readonly onAllowDevice: (tradePassword: string) => void;
  readonly onAskAgain: () => void;
  readonly onLeave: () => void;
  /** Whether to focus the button as the step opens. Not if another screen led here. */
  readonly takesFocus?: boolean | undefined;
}) {
  const t = useText();
  const place = useRef<HTMLButtonElement>(null);
  const isBusy = state.step === "placing" || (state.step === "cut" && state.asking);
  useLeaving(onLeave);
  useEffect(() => {
    if (takesFocus) place.current?.focus();
    // Runs once, when the step opens.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  const words =
    stake === null ? "–" : t("order.place", { direction: t(`shell.${direction}`), amount: formatMoney(stake) });
  const leaves = (
    <Button className="ticket-leave" onClick={onLeave} off={state.step === "placing"}>
      {t("ticket.leave")}
    </Button>
  );
  if (state.step === "newDevice") {
    return (
      <div className={`ticket-allow ${direction}`}>
        <AllowDevice wrong={state.wrong} label={words} direction={direction} onAllow={onAllowDevice} />
        {leaves}
      </div>
    );
  }
  return (
    <div className={`ticket-pair confirming ${direction}`}>
      {state.step === "cut" && !state.asking ? (
        <Button look="main" className="ticket-place" onClick={onAskAgain}>
          {t("order.askAgain")}
        </Button>
      ) : (
        <Button
          ref={place}
          look="main"
          className={`ticket-place ${direction}`}
          off={isBusy || off !== null || stake === null}
          onClick={onPlace}
        >
          {!isBusy && <Arrow direction={direction} large />}
          <span>{isBusy ? t("order.placing") : words}</span>
        </Button>
      )}
      {leaves}
    </div>
  );
}

/** Lets Escape and the browser's back button leave the confirmation instead of the screen. */
function useLeaving(onLeave: () => void): void {
  const leave = useRef(onLeave);
  useEffect(() => {
    leave.current = onLeave;
  });
  useEffect(
    () =>
      openEntry(() => {
        leave.current();
      }),
    [],
  );
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      leave.current();
    };
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("keydown", onKey);
    };
  }, []);
}
