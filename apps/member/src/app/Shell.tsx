import { SheetFrame, Toasts } from "@fairtick/ui";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useLoggedIn } from "../data/session.ts";
import { ScreenPartsContext } from "../shared/Screen.tsx";
import { ConnectionBanner } from "./ConnectionBanner.tsx";
import { TabBar, tabOf } from "./tabs.tsx";
import { Strip, WalletSwitch } from "./Wallets.tsx";

/** The phone's frame around every screen, and from 768 px on what stands beside it. */
export function Shell() {
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const tab = tabOf(path);
  const visitor = !useLoggedIn();
  const parts = useMemo(
    () => ({ strip: <Strip />, visitor, walletSwitch: <WalletSwitch />, banner: <ConnectionBanner /> }),
    [visitor],
  );
  return (
    <div className="desk">
      {/* The order screen is dark in both themes, header and sheets included. */}
      <div className="app" ref={setFrame} data-theme={path === "/pages/trade/trade" ? "dark" : undefined}>
        <SheetFrame value={frame}>
          <ScreenPartsContext value={parts}>
            <Outlet />
          </ScreenPartsContext>
        </SheetFrame>
        {tab !== null && <TabBar current={tab} />}
        <Toasts />
      </div>
    </div>
  );
}
