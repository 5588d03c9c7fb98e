import { FailedState } from "@fairtick/ui";
import { useEffect } from "react";
import { onReconnected } from "../data/connection.ts";
import { text } from "../shared/i18n.ts";
import { Mark } from "../shared/Mark.tsx";
import { currentPlace } from "../shared/navigation.tsx";
import { Screen } from "../shared/Screen.tsx";
import { tabOf } from "./tabs.tsx";

function reload(): void {
  location.reload();
}

/**
 * Shown if a screen's code didn't load or the screen failed while rendering. A tap reloads the page, as does a
 * restored network.
 */
export function LoadFailed() {
  useEffect(() => {
    const stop = onReconnected(reload);
    addEventListener("online", reload);
    return () => {
      stop();
      removeEventListener("online", reload);
    };
  }, []);
  return (
    <Screen title={text("shell.pageFailed")} heading={<Mark />} pushed={tabOf(currentPlace().path) === null}>
      <FailedState title={text("shell.pageFailed")} retryLabel={text("common.loadFailed")} onRetry={reload} />
    </Screen>
  );
}
