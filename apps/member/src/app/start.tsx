import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { refreshAvailableLanguages } from "../data/languages.ts";
import { goLive } from "../data/live.ts";
import { queryClient } from "../data/queries.ts";
import { LOGIN_ADDRESS, onSessionEnd, sessionToken, watchSession } from "../data/session.ts";
import { applySettings, loadSettings } from "../data/settings.ts";
import { activateAllWords, activateFirstWords, i18n } from "../shared/i18n.ts";
import { blockPinchZoom } from "./pinch-zoom.ts";
import { router, sayLoginExpired } from "./router.tsx";

const AFTER_FIRST_VIEW_MS = 1500;

/** App show is the start and each return to visible. */
function onAppShow(shown: () => void): void {
  shown();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") shown();
  });
}

/** A session that ended by itself: the notice, the login screen, and afterwards the place where one was. */
function leadToLogin(): void {
  const { pathname, href } = router.state.location;
  if (pathname === LOGIN_ADDRESS) return;
  sayLoginExpired();
  void router.navigate({ to: LOGIN_ADDRESS, search: { next: href }, replace: true });
}

function takeSettings(): void {
  // The settings kept here stay in force where the server's cannot be read.
  if (sessionToken() !== null) loadSettings().catch(() => undefined);
}

/** Starts the app: settings and language first, so that nothing is drawn twice. */
export async function start(): Promise<void> {
  applySettings();
  blockPinchZoom();
  onSessionEnd(leadToLogin);
  // The router hears of the address from its first drawing on; the links of the shell may be tapped before. A function
  // of its own: taking `router.load` itself away again would take away the router's hearing too.
  const stopHearing = router.history.subscribe(() => {
    void router.load();
  });
  const stopWaiting = router.subscribe("onRendered", () => {
    stopHearing();
    stopWaiting();
  });
  await Promise.all([activateFirstWords(), router.load()]);
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has no #root");
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  );
  onAppShow(() => {
    void refreshAvailableLanguages();
  });
  // The other screens' words come while the first one is being read; a screen that needs them waits.
  setTimeout(() => {
    activateAllWords().catch(() => undefined);
  }, AFTER_FIRST_VIEW_MS);
  goLive();
  takeSettings();
  watchSession(takeSettings);
}
