import { SheetFrame } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "../../data/queries.ts";
import { keepChecking } from "../../data/proof/keep-checking.ts";
import { keepOpening } from "../../data/sealed/open-orders.ts";
import { useLoggedIn } from "../../data/session.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { Boundary } from "../../shared/Boundary.tsx";
import { Island } from "../island/Island.tsx";
import { AlarmSheet } from "./AlarmSheet.tsx";
import { drawnFrame } from "./drawn-frame.ts";
import { keepFont } from "./keep-font.ts";
import { KeepCredits } from "./KeepCredits.tsx";
import { KeepListening } from "./KeepListening.tsx";
import { keepSound } from "./keep-sound.ts";
import { keepServiceWorker } from "./service-worker.ts";
import { SessionReminder } from "./SessionReminder.tsx";
import { UpdatePrompt } from "./UpdatePrompt.tsx";
import "./companion.css";

/**
 * Starts what may appear on any screen but isn't needed for the first view. It has its own React root and loads later.
 */
export async function accompany(): Promise<void> {
  keepOpening();
  keepChecking();
  keepSound();
  const frame = await drawnFrame();
  // Private windows and some embedded browsers refuse it. The app works without it.
  keepServiceWorker().catch(() => undefined);
  keepFont().catch(() => undefined);
  await activateAllWords();
  const place = document.createElement("div");
  place.className = "island-place";
  frame.append(place);
  createRoot(place).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <SheetFrame value={frame}>
            <Company />
          </SheetFrame>
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  );
}

/** Each part by itself: one that breaks must take neither the results nor the reminders with it. */
function Company() {
  const loggedIn = useLoggedIn();
  return (
    <>
      <Boundary broken={null}>
        <Island />
      </Boundary>
      <Boundary broken={null}>
        <UpdatePrompt />
      </Boundary>
      {loggedIn && (
        <>
          <Boundary broken={null}>
            <AlarmSheet />
          </Boundary>
          <Boundary broken={null}>
            <SessionReminder />
          </Boundary>
          <KeepListening />
          <KeepCredits />
        </>
      )}
    </>
  );
}
