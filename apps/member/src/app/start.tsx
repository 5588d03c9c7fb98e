import { refuseSecondClicks } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { refreshAvailableLanguages } from "../data/languages.ts";
import { askInstrumentsEarly } from "../data/instruments.ts";
import { goLive } from "../data/live.ts";
import { keepInstallOffer } from "../data/install.ts";
import { queryClient } from "../data/queries.ts";
import { LOGIN_ADDRESS, onSessionEnd, sessionToken, watchSession } from "../data/session.ts";
import { applySettings, loadSettings } from "../data/settings.ts";
import { Boundary } from "../shared/Boundary.tsx";
import { activateAllWords, activateWords, i18n } from "../shared/i18n.ts";
import { currentPlace } from "../shared/navigation.tsx";
import { onAppShow } from "./app-show.ts";
import { blockPinchZoom } from "./pinch-zoom.ts";
import { LoadFailed } from "./LoadFailed.tsx";
import { leadOnFromLogin, leadToLogin, startRouting, useShown } from "./router.tsx";
import { Shell } from "./Shell.tsx";

const AFTER_FIRST_VIEW_MS = 1500;

/**
 * Handles a session that ended unasked: shows the notice and the login screen, which leads back to the current place.
 */
function sessionEnded(): void {
  const { path, href } = currentPlace();
  if (path !== LOGIN_ADDRESS) leadToLogin(href);
}

function takeSettings(): void {
  // If the server's settings can't be loaded, the stored ones stay in force.
  if (sessionToken() !== null) loadSettings().catch(() => undefined);
}

function App() {
  const shown = useShown();
  return <Boundary broken={<Frameless />}>{shown && <Shell {...shown} />}</Boundary>;
}

/** Shown if the frame itself fails to render. */
function Frameless() {
  return (
    <div className="app">
      <LoadFailed />
    </div>
  );
}

/** Starts the app. Settings and language come first, so that nothing is rendered twice. */
export async function start(): Promise<void> {
  askInstrumentsEarly();
  applySettings();
  blockPinchZoom();
  refuseSecondClicks();
  keepInstallOffer();
  onSessionEnd(sessionEnded);
  await Promise.all([activateWords("first"), startRouting()]);
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has no #root");
  // A transition renders in slices, so that a slow phone can respond to taps in between.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <I18nProvider i18n={i18n}>
          <QueryClientProvider client={queryClient}>
            <App />
          </QueryClientProvider>
        </I18nProvider>
      </StrictMode>,
    ),
  );
  onAppShow(() => {
    void refreshAvailableLanguages();
  });
  // Load the other screens' messages while the first view is being read. A screen that needs them waits.
  setTimeout(() => {
    activateAllWords().catch(() => undefined);
    import("./companion/Companion.tsx").then(({ accompany }) => accompany()).catch(() => undefined);
  }, AFTER_FIRST_VIEW_MS);
  goLive();
  takeSettings();
  watchSession(() => {
    takeSettings();
    leadOnFromLogin(currentPlace());
  });
}
