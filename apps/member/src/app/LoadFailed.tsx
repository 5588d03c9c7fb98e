import { FailedState } from "@fairtick/ui";
import { text } from "../shared/i18n.ts";
import { Mark } from "../shared/Mark.tsx";
import { currentPlace } from "../shared/navigation.tsx";
import { Screen } from "../shared/Screen.tsx";
import { tabOf } from "./tabs.tsx";

/** A screen whose code did not come, or that broke while drawing: a tap loads the page anew. */
export function LoadFailed() {
  return (
    <Screen title={text("shell.pageFailed")} heading={<Mark />} pushed={tabOf(currentPlace().path) === null}>
      <FailedState
        title={text("shell.pageFailed")}
        retryLabel={text("common.loadFailed")}
        onRetry={() => {
          location.reload();
        }}
      />
    </Screen>
  );
}
