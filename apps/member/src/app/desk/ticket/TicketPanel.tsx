import type { Instrument } from "@fairtick/protocol";
import { useContext, useMemo } from "react";
import { useSummary } from "../../../data/account.ts";
import { useLoggedIn } from "../../../data/session.ts";
import { useWallet } from "../../../data/wallet.ts";
import { formatMoney } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { Link } from "../../../shared/navigation.tsx";
import { ScreenPartsContext } from "../../../shared/Screen.tsx";
import { OrderStage } from "../../../screens/order/OrderStage.tsx";
import { DeskTicket } from "./DeskTicket.tsx";
import "../../../screens/order/order.css";

/** The panel for placing an order on the product in view, or for the order that the address names. */
export function TicketPanel({
  instrument,
  orderNo,
}: {
  readonly instrument: Instrument;
  readonly orderNo: string | undefined;
}) {
  const t = useText();
  const parts = useContext(ScreenPartsContext);
  const inPanel = useMemo(() => ({ ...parts, inPanel: true }), [parts]);
  const loggedIn = useLoggedIn();
  const hasOrder = orderNo !== undefined;
  const title = t(hasOrder ? "order.title" : "desk.newOrder");
  return (
    <section
      className="panel ticket-panel"
      aria-label={title}
      // A held key must not press the button that the first press put in its place.
      onKeyDownCapture={(event) => {
        if (event.repeat && event.key === "Enter") event.preventDefault();
      }}
    >
      <div className="panel-head">
        <h2 className="grow">{title}</h2>
        {hasOrder ? (
          <Link className="link" to="/pages/trade/index" search={{ symbol: instrument.symbol }}>
            {t("desk.newOrder")}
          </Link>
        ) : (
          loggedIn && <Available />
        )}
      </div>
      {hasOrder ? (
        <ScreenPartsContext value={inPanel}>
          <OrderStage key={orderNo} orderNo={orderNo} />
        </ScreenPartsContext>
      ) : (
        <DeskTicket key={instrument.symbol} instrument={instrument} />
      )}
    </section>
  );
}

function Available() {
  const t = useText();
  const available = useSummary(useWallet()).data?.available;
  return (
    <span className="note soft">
      {t("order.available")} <b className="figure">{available === undefined ? "–" : formatMoney(available)}</b>{" "}
      {t("shell.usd")}
    </span>
  );
}
