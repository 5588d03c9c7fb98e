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

/** A screen whose code did not come, or that broke while drawing: a tap loads the page anew, and so does a network that is back. */
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
