import { IconExport, TabPanel, Words } from "@fairtick/ui";
import { useMemo } from "react";
import { ChosenDays, DateFilter } from "../../components/lists/DateFilter.tsx";
import { FilterChip } from "../../components/lists/FilterChip.tsx";
import { useMember, refreshAccount, type Wallet } from "../../data/account.ts";
import { exportFunds, type FundKind } from "../../data/fund-records.ts";
import { reportFailure } from "../../data/failures.ts";
import { useWallet } from "../../data/wallet.ts";
import { useAddressChoice, useAddressDates } from "../../shared/address-choice.ts";
import { ALWAYS, spanOf } from "../../shared/date-span.ts";
import { useText } from "../../shared/i18n.ts";
import { saveFile } from "../../shared/save-file.ts";
import { Screen } from "../../shared/Screen.tsx";
import { serverNow } from "../../shared/server-clock.ts";
import { RecordList } from "./components/RecordList.tsx";
import { WalletFigures } from "./components/WalletFigures.tsx";
import "../../components/lists/lists.css";
import "./assets.css";

const PANEL = "fund-records";
const FUND_KINDS = ["all", "deposit", "withdraw"] as const;
const WALLETS = ["practice", "real"] as const;

/** Fund details: changes of the available balance, and requests for deposits and withdrawals. */
export function AssetsScreen() {
  const t = useText();
  const inView = useWallet();
  const member = useMember().data;
  const realWalletOpen = member?.realWalletOpen ?? false;
  const [chosen, setChosen] = useAddressChoice<Wallet | "">("wallet", WALLETS, "");
  const [kind, setKind] = useAddressChoice<FundKind>("tab", FUND_KINDS, "all");
  // Play money has no deposits or withdrawals: those records belong to the real wallet.
  const usual = kind !== "all" && realWalletOpen ? "real" : inView;
  const wallet = chosen === "" || member?.realWalletOpen === false ? usual : chosen;
  const [dates, setDates] = useAddressDates();
  // Recomputed only when the choice changes, so that the list isn't reloaded with each tick of the clock.
  const { name, fromDay, toDay } = dates;
  const span = useMemo(() => spanOf({ name, fromDay, toDay }, serverNow()), [name, fromDay, toDay]);
  const filters = { wallet, kind, ...span };

  async function save() {
    try {
      saveFile(await exportFunds(filters), `fairtick-funds-${wallet}-${kind}.csv`);
    } catch (error) {
      reportFailure(error);
    }
  }

  return (
    <Screen
      title={t("assets.title")}
      pushed
      broad
      noWallet
      money={wallet}
      backTo="/pages/user/index"
      onRefresh={refreshAccount}
      actions={
        <button type="button" className="bar-button" aria-label={t("assets.export")} onClick={() => void save()}>
          <IconExport size="small" />
        </button>
      }
    >
      <div className="columns aside">
        <WalletFigures wallet={wallet} />
        <div>
          <Words
            label={t("assets.tabs")}
            panel={PANEL}
            choices={[
              { value: "all", label: t("assets.all") },
              { value: "deposit", label: t("assets.deposits") },
              { value: "withdraw", label: t("assets.withdrawals") },
            ]}
            value={kind}
            onChange={setKind}
          />
          <TabPanel id={PANEL} chosen={kind}>
            <div className="filters">
              <FilterChip<Wallet>
                label={t("shell.wallet")}
                choices={(realWalletOpen ? WALLETS : (["practice"] as const)).map((value) => ({
                  value,
                  label: t(`shell.wallet.${value}`),
                }))}
                value={wallet}
                onChange={setChosen}
              />
              <DateFilter choice={dates} onChange={setDates} />
            </div>
            <ChosenDays choice={dates} onChange={setDates} />
            <RecordList
              filters={filters}
              filtered={dates.name !== "always"}
              onShowAll={() => {
                setDates(ALWAYS);
              }}
            />
          </TabPanel>
        </div>
      </div>
    </Screen>
  );
}
