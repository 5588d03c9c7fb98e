import type { Alert, Instrument } from "@fairtick/protocol";
import { EmptyState, FailedState, IconClose, showToast, Toward, Wait } from "@fairtick/ui";
import { useState } from "react";
import { NotificationsSwitch } from "../../components/settings/NotificationsSwitch.tsx";
import { deleteAlert, useAlerts } from "../../data/alerts.ts";
import { useInstruments } from "../../data/instruments.ts";
import { useNotified } from "../../data/notifications.ts";
import { useAction } from "../../data/use-action.ts";
import { formatDateTime, formatPrice } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { useSearch } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import { AlertForm } from "./AlertForm.tsx";
import "./alerts.css";

/** Sets price alerts, and lists the waiting and the reached ones. */
export function AlertsScreen() {
  const t = useText();
  const { symbol } = useSearch();
  const products = useInstruments();
  const instruments = products.data;
  const query = useAlerts();
  const alerts = query.data;
  // Read once when the screen opens, so that the switch stays where it was tapped.
  const [notified] = useState(useNotified());
  const waiting = alerts?.filter(({ firedAt }) => firedAt === null) ?? [];
  const fired = alerts?.filter(({ firedAt }) => firedAt !== null) ?? [];
  return (
    <Screen title={t("alerts.title")} pushed broad backTo="/pages/market/index" noWallet busy={query.isPending}>
      <div className="columns alerts-page">
        <div className="stack">
          {products.isError && instruments === undefined && (
            <FailedState
              title={t("shell.failed")}
              retryLabel={t("shell.tapToRetry")}
              onRetry={() => void products.refetch()}
            />
          )}
          {products.isPending && <Wait like="EUR/USD 1.085000" />}
          {instruments !== undefined && <AlertForm instruments={instruments} first={symbol} />}
          {!notified && (
            <div className="group">
              <NotificationsSwitch />
            </div>
          )}
        </div>
        <div className="stack">
          {query.isError && alerts === undefined && (
            <FailedState
              title={t("alerts.failed")}
              retryLabel={t("shell.tapToRetry")}
              onRetry={() => {
                void query.refetch();
              }}
            />
          )}
          {alerts?.length === 0 && <EmptyState title={t("alerts.none")}>{t("alerts.noneMore")}</EmptyState>}
          <AlertList title={t("alerts.waiting")} alerts={waiting} instruments={instruments} />
          <AlertList title={t("alerts.fired")} alerts={fired} instruments={instruments} />
        </div>
      </div>
    </Screen>
  );
}

function AlertList({
  title,
  alerts,
  instruments,
}: {
  readonly title: string;
  readonly alerts: readonly Alert[];
  readonly instruments: readonly Instrument[] | undefined;
}) {
  if (alerts.length === 0) return null;
  return (
    <section className="stack">
      <h2 className="label">{title}</h2>
      <div className="group">
        {alerts.map((alert) => (
          <AlertRow
            key={alert.alertId}
            alert={alert}
            name={instruments?.find(({ symbol }) => symbol === alert.symbol)?.name ?? alert.symbol}
          />
        ))}
      </div>
    </section>
  );
}

function AlertRow({ alert, name }: { readonly alert: Alert; readonly name: string }) {
  const t = useText();
  const action = useAction();
  const { direction, firedAt } = alert;
  const words = t(direction === "up" ? "alerts.rises" : "alerts.falls", { price: formatPrice(alert.price) });
  return (
    <div className="row" data-testid="alert">
      <span className="grow">
        <span className="block">{name}</span>
        <span className="label">
          <Toward direction={direction}>{words}</Toward>
        </span>
        {firedAt !== null && (
          <span className="note soft block">{t("alerts.firedAt", { at: formatDateTime(firedAt) })}</span>
        )}
      </span>
      <button
        type="button"
        className="bar-button soft"
        aria-label={t("alerts.remove", { what: `${name} ${words}` })}
        disabled={action.busy}
        onClick={() => {
          void action
            .run(() => deleteAlert(alert.alertId))
            .then((done) => {
              if (done) showToast(t("common.operationSuccessful"));
            });
        }}
      >
        <IconClose size="small" />
      </button>
    </div>
  );
}
