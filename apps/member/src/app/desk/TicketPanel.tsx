import type { Instrument } from "@fairtick/protocol";
import { useContext, useMemo } from "react";
import { BuyButtons, UsualTerms } from "../../components/chart/ChartPanel.tsx";
import { useSummary } from "../../data/account.ts";
import { useLoggedIn } from "../../data/session.ts";
import { useWallet } from "../../data/wallet.ts";
import { formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Link, useSearch } from "../../shared/navigation.tsx";
import { ScreenPartsContext } from "../../shared/Screen.tsx";
import { FormStage } from "../../screens/order/FormStage.tsx";
import { OrderStage } from "../../screens/order/OrderStage.tsx";
import "../../screens/order/order.css";

/** Where one places an order on the product in view, or looks at the one that the address names. */
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
  const { direction } = useSearch();
  const told = direction === "up" || direction === "down" ? direction : null;
  const hasOrder = orderNo !== undefined;
  return (
    <section className="panel ticket-panel" aria-label={t(hasOrder ? "order.title" : "desk.newOrder")}>
      <div className="panel-head">
        <h2 className="grow">{t(hasOrder ? "order.title" : "desk.newOrder")}</h2>
        {hasOrder ? (
          <Link className="link" to="/pages/trade/index" search={{ symbol: instrument.symbol }}>
            {t("desk.newOrder")}
          </Link>
        ) : (
          loggedIn && <Available />
        )}
      </div>
      <ScreenPartsContext value={inPanel}>
        {hasOrder && <OrderStage key={orderNo} orderNo={orderNo} />}
        {!hasOrder && loggedIn && (
          <FormStage
            key={`${instrument.symbol} ${told ?? ""}`}
            instrument={instrument}
            direction={told}
            heading={null}
          />
        )}
        {!hasOrder && !loggedIn && <Visitor instrument={instrument} />}
      </ScreenPartsContext>
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

/** Visitors see what an order would pay; both directions lead to the login, and back to the order. */
function Visitor({ instrument }: { readonly instrument: Instrument }) {
  return (
    <div className="panel-screen">
      <div className="panel-page padded">
        <UsualTerms instrument={instrument} />
      </div>
      <div className="panel-foot">
        <BuyButtons instrument={instrument} />
      </div>
    </div>
  );
}
