import { IconExport, Segments } from "@fairtick/ui";
import { refreshAccount } from "../../data/account.ts";
import { exportOrders } from "../../data/trading.ts";
import { reportFailure } from "../../data/failures.ts";
import { useWallet } from "../../data/wallet.ts";
import { useAddressChoice, useAddressDates } from "../../shared/address-choice.ts";
import { spanOf } from "../../shared/date-span.ts";
import { useText } from "../../shared/i18n.ts";
import { saveFile } from "../../shared/save-file.ts";
import { Screen } from "../../shared/Screen.tsx";
import { serverNow } from "../../shared/server-clock.ts";
import { navigate, useSearch } from "../../shared/navigation.tsx";
import { useMatches } from "../../shared/use-matches.ts";
import { DetailPanel, DetailSheet } from "./components/DetailSheet.tsx";
import { HistoryView, useHistoryChoice } from "./components/HistoryView.tsx";
import { PositionsView } from "./components/PositionsView.tsx";
import "../../components/lists/lists.css";

const TABS = ["positions", "history"] as const;

/** Orders: running ones, settled ones and, with `orderNo` in the address, one order's timeline. */
export function OrdersScreen() {
  const t = useText();
  const wallet = useWallet();
  const search = useSearch();
  const [shown, setShown] = useAddressChoice("tab", TABS, "positions");
  const [dates, setDates] = useAddressDates();
  const { chosen } = useHistoryChoice();
  const hasRoom = useMatches("(min-width: 1000px)");
  const orderNo = search["orderNo"] ?? null;
  const close = () => navigate({ to: "/pages/order/index", search: { ...search, orderNo: undefined }, replace: true });

  async function save() {
    try {
      const filters = { ...spanOf(dates, serverNow()), ...chosen };
      saveFile(await exportOrders(wallet, filters), `fairtick-orders-${wallet}.csv`);
    } catch (error) {
      reportFailure(error);
    }
  }

  return (
    <Screen
      title={t("orders.title")}
      broad
      onRefresh={refreshAccount}
      actions={
        shown === "history" && (
          <button type="button" className="bar-button" aria-label={t("orders.export")} onClick={() => void save()}>
            <IconExport size="small" />
          </button>
        )
      }
    >
      <div className="columns">
        <div>
          <div className="orders-tabs">
            <Segments
              label={t("orders.tabs")}
              look="roomy"
              choices={[
                { value: "positions", label: t("orders.positions") },
                { value: "history", label: t("orders.history") },
              ]}
              value={shown}
              onChange={setShown}
            />
          </div>
          {shown === "positions" ? <PositionsView /> : <HistoryView dates={dates} onDates={setDates} />}
        </div>
        {hasRoom && <DetailPanel orderNo={orderNo} onClose={close} />}
      </div>
      {!hasRoom && <DetailSheet orderNo={orderNo} onClose={close} />}
    </Screen>
  );
}
