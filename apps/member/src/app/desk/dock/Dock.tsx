import { Gain, IconChevronDown, IconChevronUp, TabPanel, Words } from "@fairtick/ui";
import { useId, type ReactNode } from "react";
import { heldOf, sumOf } from "../../../components/orders/order-figures.ts";
import { useSumNow } from "../../../components/orders/use-sum-now.ts";
import { usePositions } from "../../../data/orders.ts";
import { LOGIN_ADDRESS, useLoggedIn } from "../../../data/session.ts";
import { useWallet } from "../../../data/wallet.ts";
import { formatCount, formatGain, formatMoney, toneOf } from "../../../shared/format.ts";
import { useText, type Text } from "../../../shared/i18n.ts";
import { currentPlace, Link } from "../../../shared/navigation.tsx";
import { changeLayout, DOCK_TABS, useLayout, type Breakpoint, type DockTab } from "../layout-store.ts";
import { openDock, useDockOpen } from "./dock-open.ts";
import { FundsTable } from "./FundsTable.tsx";
import { HistoryTable } from "./HistoryTable.tsx";
import { useTellListed } from "./listed.ts";
import { PositionsTable } from "./PositionsTable.tsx";
import { VerifyTable } from "./VerifyTable.tsx";

/** The dock under the charts: running orders, settled orders, the wallet's records and verifications. */
export function Dock({ breakpoint }: { readonly breakpoint: Breakpoint }) {
  const t = useText();
  const { tab } = useLayout(breakpoint);
  const isOpen = useDockOpen(breakpoint);
  const wallet = useWallet();
  useTellListed(isOpen && tab === "positions" ? wallet : null);
  const label = t(isOpen ? "desk.dockClose" : "desk.dockOpen");
  return (
    <section className="panel dock" aria-label={t("desk.dock")} data-open={isOpen}>
      <DockPanel breakpoint={breakpoint}>
        <button
          type="button"
          className="tool"
          aria-expanded={isOpen}
          aria-label={label}
          title={label}
          onClick={() => {
            openDock(breakpoint, !isOpen);
          }}
        >
          {isOpen ? <IconChevronDown size="small" /> : <IconChevronUp size="small" />}
        </button>
      </DockPanel>
    </section>
  );
}

/** Tabs, totals and the chosen table. `children` are placed at the end of the tabs. */
export function DockPanel({
  breakpoint,
  children,
}: {
  readonly breakpoint: Breakpoint;
  readonly children?: ReactNode;
}) {
  const t = useText();
  const panel = useId();
  const { tab } = useLayout(breakpoint);
  const loggedIn = useLoggedIn();
  const open = usePositions(useWallet()).data?.items.length ?? 0;
  return (
    <>
      <div className="dock-head">
        <Words
          label={t("desk.dock")}
          panel={panel}
          value={tab}
          onChange={(next) => {
            changeLayout(breakpoint, { tab: next });
            openDock(breakpoint, true);
          }}
          choices={DOCK_TABS.map((value) => ({
            value,
            label: (
              <span className="dock-tab">
                {tabWords(t, value)}
                {value === "positions" && open > 0 && <span className="pill-count">{formatCount(open)}</span>}
              </span>
            ),
          }))}
        />
        <Sums />
        {children}
      </div>
      <div className="dock-body" data-tab={tab}>
        <TabPanel id={panel} chosen={tab}>
          {loggedIn ? <DockTable tab={tab} /> : <VisitorNote />}
        </TabPanel>
      </div>
    </>
  );
}

function tabWords(t: Text, tab: DockTab): string {
  switch (tab) {
    case "positions":
      return t("orders.positions");
    case "history":
      return t("orders.history");
    case "funds":
      return t("mine.fundDetails");
    case "log":
      return t("desk.verifyLog");
  }
}

/** Renders one of the four tables. */
function DockTable({ tab }: { readonly tab: DockTab }) {
  switch (tab) {
    case "positions":
      return <PositionsTable />;
    case "history":
      return <HistoryTable />;
    case "funds":
      return <FundsTable />;
    case "log":
      return <VerifyTable />;
  }
}

/** The total stake of running orders, and their result if all ended now. */
function Sums() {
  const t = useText();
  const orders = usePositions(useWallet()).data?.items ?? [];
  const now = useSumNow(orders);
  if (orders.length === 0) return <span className="dock-sums" />;
  return (
    <span className="dock-sums note soft">
      <span className="dock-held">
        {t("desk.atStake")} <b className="figure">{formatMoney(sumOf(orders.map(heldOf)))}</b>
      </span>
      <span>
        {t("orders.ifAllEndedNow")} {now === null ? "–" : <Gain tone={toneOf(now)}>{formatGain(now)}</Gain>}
      </span>
    </span>
  );
}

function VisitorNote() {
  const t = useText();
  return (
    <p className="dock-empty label">
      {t("desk.loginForOrders")}{" "}
      <Link className="link" to={LOGIN_ADDRESS} search={{ next: currentPlace().href }}>
        {t("shell.login")}
      </Link>
    </p>
  );
}
