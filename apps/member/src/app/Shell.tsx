import { SheetFrame, Toasts } from "@fairtick/ui";
import { lazy, startTransition, Suspense, useCallback, useContext, useMemo, useState } from "react";
import { useWelcome } from "../data/welcome.ts";
import { Boundary } from "../shared/Boundary.tsx";
import { ShownPlace } from "../shared/navigation.tsx";
import { ScreenPartsContext } from "../shared/Screen.tsx";
import { Ahead } from "./Ahead.tsx";
import { ConnectionBanner } from "./ConnectionBanner.tsx";
import { activateAllWords, useText } from "../shared/i18n.ts";
import { LoadFailed } from "./LoadFailed.tsx";
import type { Shown } from "./router.tsx";
import { TabBar, tabOf } from "./tabs.tsx";
import { useRoom, useWidth } from "./use-width.ts";
import { Strip, WalletSwitch } from "./Wallets.tsx";

const ORDER = "/pages/trade/trade";
const TRADE = "/pages/trade/index";
/** Routes that form one workspace from 768 px. The address names the product and the order. */
const WORKSPACE: ReadonlySet<string> = new Set([TRADE, ORDER]);

/** The frame of every screen: the tab bar on a phone, the header with navigation and wallet from 768 px. */
export function Shell({ place, Screen }: Shown) {
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  // A transition, because the first view would otherwise be rendered twice before the browser can respond to a tap.
  const keepFrame = useCallback((element: HTMLElement | null) => startTransition(() => setFrame(element)), []);
  const { path } = place;
  const isPhone = useWidth() === "phone";
  // There the ticket says it, beside the buttons that are off.
  const saysConnection = !(isPhone && path === TRADE);
  const room = useRoom();
  const welcome = useWelcome();
  const hasHints = welcome !== null && welcome !== "due" && (path === ORDER || path === TRADE);
  const tab = tabOf(path);
  // If the text is so large that nothing fits side by side, each route is a separate screen, as on a phone.
  const isWorkspace = room !== "phone" && WORKSPACE.has(path);
  const parts = useMemo(
    () => ({
      strip: <Strip />,
      strips: { practice: <Strip of="practice" />, real: <Strip of="real" /> },
      // From 768 px the header shows them once for all screens.
      walletSwitch: isPhone ? <WalletSwitch /> : null,
      hasHeader: !isPhone,
      inPanel: false,
      banner: (
        <>
          {saysConnection && <ConnectionBanner />}
          {hasHints && (
            <Boundary broken={null}>
              <Suspense fallback={null}>
                <FirstHints />
              </Suspense>
            </Boundary>
          )}
        </>
      ),
    }),
    [isPhone, hasHints, saysConnection],
  );
  return (
    <ShownPlace value={place}>
      <SheetFrame value={frame}>
        {/* On a phone the order screen is dark in both themes, header and sheets included; wider, one theme throughout. */}
        <div className="app" data-theme={isPhone && path === ORDER ? "dark" : undefined}>
          {!isPhone && (
            <Boundary broken={<div className="wide-top" />}>
              <Suspense fallback={<div className="wide-top" />}>
                <WideHeader />
              </Suspense>
            </Boundary>
          )}
          <div className="screen" ref={keepFrame}>
            <ScreenPartsContext value={parts}>
              <Boundary key={isWorkspace ? "workspace" : path} resetBy={place.href} broken={<LoadFailed />}>
                {isWorkspace ? (
                  <Suspense fallback={<WorkspaceToCome />}>
                    <Workspace width={room} />
                  </Suspense>
                ) : (
                  <Screen />
                )}
              </Boundary>
            </ScreenPartsContext>
            {isPhone && tab !== null && <TabBar current={tab} />}
            <Ahead shown={path} />
            <Toasts />
          </div>
        </div>
      </SheetFrame>
    </ShownPlace>
  );
}

/**
 * A placeholder while the workspace loads. It has a heading, because screen readers need one even for a moment, and it
 * already says what the wallet's money is.
 */
function WorkspaceToCome() {
  const { strip } = useContext(ScreenPartsContext);
  return (
    <>
      <header className="under-bar">{strip}</header>
      <main className="workspace" aria-busy="true">
        <h1 className="unseen">{useText()("shell.tab.trade")}</h1>
      </main>
    </>
  );
}

/** Loaded with a member's first order. */
const FirstHints = lazy(async () => {
  const [part] = await Promise.all([import("./welcome/FirstHints.tsx"), activateAllWords()]);
  return { default: part.FirstHints };
});

/** Loaded only from 768 px, so that it doesn't slow down a phone's first view. */
const WideHeader = lazy(async () => {
  const [part] = await Promise.all([import("./wide/WideHeader.tsx"), activateAllWords()]);
  return { default: part.WideHeader };
});

/** The trade routes of wide windows, with chart, ticket and orders side by side. Phones never load it. */
const Workspace = lazy(async () => {
  const [part] = await Promise.all([import("./desk/Workspace.tsx"), activateAllWords()]);
  return { default: part.Workspace };
});
