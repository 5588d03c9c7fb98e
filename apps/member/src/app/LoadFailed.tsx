import { FailedState } from "@fairtick/ui";
import { text } from "../shared/i18n.ts";

/** A screen whose code did not come, or that broke while drawing: a tap loads the page anew. */
export function LoadFailed() {
  return (
    <main className="page">
      <FailedState
        title={text("shell.pageFailed")}
        retryLabel={text("common.loadFailed")}
        onRetry={() => {
          location.reload();
        }}
      />
    </main>
  );
}
