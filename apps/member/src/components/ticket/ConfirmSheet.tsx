import "./ticket.css";
import type { Instrument } from "@fairtick/protocol";
import { Arrow, Button, Facts, IconInfo, Notice, Sheet, Toward } from "@fairtick/ui";
import {
  formatCountdown,
  formatDuration,
  formatGain,
  formatMoney,
  formatPrice,
  formatRate,
  formatTime,
} from "../../shared/format.ts";
import { joinSentences } from "../../shared/sentences.ts";
import { type Text, useText } from "../../shared/i18n.ts";
import type { PlaceState } from "./order-dispatch.ts";
import type { OrderTicket, TicketSummary } from "./order-ticket.ts";
import { AllowDevice } from "./AllowDevice.tsx";

export interface ConfirmSheetProps {
  readonly open: boolean;
  readonly instrument: Instrument;
  readonly ticket: OrderTicket;
  readonly summary: TicketSummary;
  readonly available: string | null;
  readonly state: PlaceState;
  /** Why the button is disabled, if it is. */
  readonly off: string | null;
  /** Called when the button is pressed while the ticket disables it. */
  readonly onOffPress: () => void;
  /** The server's current terms, if they differ from the ones shown. */
  readonly changed: { readonly payoutRate: string; readonly fee: string } | null;
  readonly onPlace: () => void;
  readonly onAllowDevice: (tradePassword: string) => void;
  readonly onAskAgain: () => void;
  readonly onClose: () => void;
}

/** Shows the order's figures once more and how it will run, with one button. */
export function ConfirmSheet(props: ConfirmSheetProps) {
  const t = useText();
  return (
    <Sheet open={props.open} onClose={props.onClose} title={t("order.confirm")} closeLabel={t("shell.close")}>
      <ConfirmContent {...props} />
    </Sheet>
  );
}

function ConfirmContent({ instrument, ticket, summary, available, state, off, changed, ...acts }: ConfirmSheetProps) {
  const t = useText();
  const { direction } = ticket;
  const { stake, profit, cost, fee, payoutRate } = summary;
  if (direction === null || stake === null || profit === null || cost === null || fee === null || payoutRate === null) {
    return <Notice wrong>{off ?? t("order.refused")}</Notice>;
  }
  const rate = formatRate(payoutRate);
  return (
    <div data-testid="confirm">
      <div className="confirm-head">
        <div>
          <p className="title">{instrument.name}</p>
          <p>
            <Toward direction={direction}>{t(direction === "up" ? "order.upMeans" : "order.downMeans")}</Toward>
          </p>
        </div>
        <div className="end">
          <p className="medium">
            {formatMoney(stake)} <span className="unit">{t("shell.usd")}</span>
          </p>
          <p className="label">{t("order.forDuration", { duration: formatDuration(ticket.duration ?? 0) })}</p>
        </div>
      </div>
      <div className="split confirm-split">
        <div>
          <p className="note soft">{t("order.paysIfRight")}</p>
          <p className="big up">{formatGain(profit)}</p>
          <p className="note soft">{t("order.paysSum", { stake: formatMoney(stake), rate, fee: formatMoney(fee) })}</p>
        </div>
        <div>
          <p className="note soft">{t("order.costsIfWrong")}</p>
          <p className="big down">{formatGain(`-${cost}`)}</p>
          <p className="note soft">{t("order.costsSum", { stake: formatMoney(stake), fee: formatMoney(fee) })}</p>
        </div>
      </div>
      <Facts facts={factsOf(t, { instrument, ticket, summary, available }, { cost, fee })} />
      <div className="confirm-foot">
        {changed ? (
          <Notice wrong>
            {t("order.termsChanged", { rate: formatRate(changed.payoutRate), fee: formatMoney(changed.fee) })}
          </Notice>
        ) : (
          <Said state={state} calm={t("order.noCancel")} />
        )}
        <Foot state={state} direction={direction} stake={stake} off={off} {...acts} />
      </div>
    </div>
  );
}

type Acts = Pick<ConfirmSheetProps, "onOffPress" | "onPlace" | "onAskAgain" | "onAllowDevice">;

/** The remaining step: place the order, check again, or authorize this device first. */
function Foot({
  state,
  direction,
  stake,
  off,
  ...acts
}: Acts & Pick<ConfirmSheetProps, "state" | "off"> & { readonly direction: "up" | "down"; readonly stake: string }) {
  const t = useText();
  if (state.step === "newDevice") {
    return (
      <AllowDevice
        wrong={state.wrong}
        label={placeLabel(t, direction, stake)}
        direction={direction}
        onAllow={acts.onAllowDevice}
      />
    );
  }
  if (state.step === "cut") {
    return (
      <Button look="main" off={state.asking} onClick={acts.onAskAgain}>
        {state.asking ? t("order.placing") : t("order.askAgain")}
      </Button>
    );
  }
  return (
    <PlaceButton
      isPlacing={state.step === "placing"}
      direction={direction}
      stake={stake}
      off={off}
      onOffPress={acts.onOffPress}
      onPlace={acts.onPlace}
    />
  );
}

function placeLabel(t: Text, direction: "up" | "down", stake: string): string {
  return t("order.place", { direction: t(`shell.${direction}`), amount: formatMoney(stake) });
}

function PlaceButton({
  isPlacing,
  direction,
  stake,
  off,
  onOffPress,
  onPlace,
}: Pick<ConfirmSheetProps, "off" | "onOffPress" | "onPlace"> & {
  readonly isPlacing: boolean;
  readonly direction: "up" | "down";
  readonly stake: string;
}) {
  const t = useText();
  const place = placeLabel(t, direction, stake);
  return (
    <Button
      look="main"
      off={off !== null || isPlacing}
      onOffPress={isPlacing ? undefined : onOffPress}
      onClick={onPlace}
    >
      {off === null && !isPlacing && <Arrow direction={direction} large />}
      {isPlacing ? t("order.placing") : (off ?? place)}
    </Button>
  );
}

/** Returns the rows below the two sums: fee, odds, entry, duration and what is held. */
function factsOf(
  t: Text,
  {
    instrument,
    ticket,
    summary,
    available,
  }: Pick<ConfirmSheetProps, "instrument" | "ticket" | "summary" | "available">,
  { cost, fee }: { readonly cost: string; readonly fee: string },
) {
  const { breakEven, averageAtEvenOdds, deliveryAt } = summary;
  return [
    {
      name: t("order.feeEitherWay"),
      figure: (
        <>
          {formatMoney(fee)} <span className="unit">{formatRate(summary.feeRate)}</span>
        </>
      ),
    },
    {
      name: t("order.breakEvenRate"),
      note: averageAtEvenOdds === null ? undefined : t("order.evenOdds", { average: formatGain(averageAtEvenOdds) }),
      figure: breakEven === null ? "–" : formatRate(breakEven),
    },
    {
      name: t("order.entryPrice"),
      figure: (
        <span className="words-figure">
          {ticket.limitOn
            ? t("order.firstTickLimit", { limit: formatPrice(ticket.limitPrice, instrument.decimals) })
            : t("order.firstTick")}
        </span>
      ),
    },
    {
      name: t("order.executionCountdown"),
      note: deliveryAt === null ? undefined : t("order.fromEntry", { time: formatTime(deliveryAt) }),
      figure: formatCountdown((ticket.duration ?? 0) * 1000),
    },
    {
      name: t("order.heldNow", { available: available === null ? "–" : formatMoney(available) }),
      figure: (
        <>
          {formatMoney(cost)} <span className="unit">{t("shell.usd")}</span>
        </>
      ),
    },
  ];
}

/** Says what happened, whether money moved and what to do; before anything happened, `calm`. */
function Said({ state, calm }: { readonly state: PlaceState; readonly calm: string }) {
  const t = useText();
  switch (state.step) {
    case "refused":
      return <Notice wrong>{joinSentences(state.error.message, t("order.refused"))}</Notice>;
    case "cut":
      return <Notice wrong>{t(state.asking ? "order.cut" : "order.cutLonger")}</Notice>;
    case "notPlaced":
      return <Notice wrong>{t("order.notPlaced")}</Notice>;
    case "newDevice":
      return <Notice>{t("order.newDevice")}</Notice>;
    case "idle":
    case "placing":
      return (
        <p className="notice">
          <IconInfo />
          <span>{calm}</span>
        </p>
      );
  }
}
