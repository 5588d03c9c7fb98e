import { SheetFrame, Toasts } from "@fairtick/ui";
import { lazy, Suspense, useMemo, useState, type ReactNode } from "react";
import { useLoggedIn } from "../data/session.ts";
import { Boundary } from "../shared/Boundary.tsx";
import { ShownPlace } from "../shared/navigation.tsx";
import { ScreenPartsContext } from "../shared/Screen.tsx";
import { Ahead } from "./Ahead.tsx";
import { ConnectionBanner } from "./ConnectionBanner.tsx";
import { activateAllWords } from "../shared/i18n.ts";
import { LoadFailed } from "./LoadFailed.tsx";
import type { Shown } from "./router.tsx";
import { TabBar, tabOf } from "./tabs.tsx";
import { usePanels } from "./use-panels.ts";
import { Strip, WalletSwitch } from "./Wallets.tsx";

/** The phone's frame around every screen, and from 768 px on what stands beside it. */
export function Shell({ place, Screen }: Shown) {
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const { path } = place;
  const tab = tabOf(path);
  const panels = usePanels();
  const visitor = !useLoggedIn();
  // The trade tab is a chart itself: where one panel fits, the orders stand there instead.
  const isChart = tab === "/pages/trade/index";
  const parts = useMemo(
    () => ({
      strip: <Strip />,
      strips: { practice: <Strip of="practice" />, real: <Strip of="real" /> },
      walletSwitch: <WalletSwitch />,
      banner: <ConnectionBanner />,
    }),
    [],
  );
  return (
    <ShownPlace value={place}>
      <SheetFrame value={frame}>
        <div className="desk">
          {panels === 2 && !visitor && (
            <Side>
              <OrdersSide />
            </Side>
          )}
          {/* The order screen is dark in both themes, header and sheets included. */}
          <div className="app" ref={setFrame} data-theme={path === "/pages/trade/trade" ? "dark" : undefined}>
            <ScreenPartsContext value={parts}>
              <Boundary key={path} resetBy={place.href} broken={<LoadFailed />}>
                <Screen />
              </Boundary>
            </ScreenPartsContext>
            {tab !== null && <TabBar current={tab} />}
            <Ahead shown={path} />
            <Toasts />
          </div>
          {panels > 0 && !isChart && (
            <Side>
              <ChartSide />
            </Side>
          )}
          {panels === 1 && isChart && !visitor && (
            <Side>
              <OrdersSide />
            </Side>
          )}
        </div>
      </SheetFrame>
    </ShownPlace>
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
    <Boundary broken={<EmptySide />}>
      <Suspense fallback={<EmptySide />}>{children}</Suspense>
    </Boundary>
  );
}
