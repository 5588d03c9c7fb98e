import { SheetFrame, Toasts } from "@fairtick/ui";
import { CatchBoundary, Outlet, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState, type ReactNode } from "react";
import { useLoggedIn } from "../data/session.ts";
import { ScreenPartsContext } from "../shared/Screen.tsx";
import { ConnectionBanner } from "./ConnectionBanner.tsx";
import { activateAllWords } from "../shared/i18n.ts";
import { useDesk } from "./use-desk.ts";
import { TabBar, tabOf } from "./tabs.tsx";
import { Strip, WalletSwitch } from "./Wallets.tsx";

/** The phone's frame around every screen, and from 768 px on what stands beside it. */
export function Shell() {
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const tab = tabOf(path);
  const isDesk = useDesk();
  const visitor = !useLoggedIn();
  const parts = useMemo(
    () => ({
      strip: <Strip />,
      realStrip: <Strip realMoney />,
      visitor,
      walletSwitch: <WalletSwitch />,
      banner: <ConnectionBanner />,
    }),
    [visitor],
  );
  return (
    <SheetFrame value={frame}>
      <div className="desk">
        {isDesk && !visitor && (
          <Side>
            <OrdersSide />
          </Side>
        )}
        {/* The order screen is dark in both themes, header and sheets included. */}
        <div className="app" ref={setFrame} data-theme={path === "/pages/trade/trade" ? "dark" : undefined}>
          <ScreenPartsContext value={parts}>
            <Outlet />
          </ScreenPartsContext>
          {tab !== null && <TabBar current={tab} />}
          <Toasts />
        </div>
        {isDesk && !path.startsWith("/pages/trade/") && (
          <Side>
            <ChartSide />
          </Side>
        )}
      </div>
    </SheetFrame>
  );
}

/** The panels' code and words are fetched on a desk alone; while they come, or if they do not, their place is empty. */
const OrdersSide = lazySide("OrdersSide");
const ChartSide = lazySide("ChartSide");

function lazySide(name: "OrdersSide" | "ChartSide") {
  return lazy(async () => {
    const [panels] = await Promise.all([import("./SidePanels.tsx"), activateAllWords()]);
    return { default: panels[name] };
  });
}

function EmptySide() {
  return <aside />;
}

function Side({ children }: { readonly children: ReactNode }) {
  return (
    <CatchBoundary getResetKey={() => 0} errorComponent={EmptySide}>
      <Suspense fallback={<EmptySide />}>{children}</Suspense>
    </CatchBoundary>
  );
}
