import { APP_VERSION } from "@fairtick/protocol";
import { Button, Sheet } from "@fairtick/ui";
import { useEffect, useState, useSyncExternalStore } from "react";
import { newestVersionCode } from "../../data/deployment.ts";
import { useText } from "../../shared/i18n.ts";
import { takeUpdate, updateWaits, watchUpdates } from "./service-worker.ts";

/** Offers an update if a newer version is waiting on the device or the server names one. */
export function UpdatePrompt() {
  const t = useText();
  const waits = useSyncExternalStore(watchUpdates, updateWaits);
  const [newest, setNewest] = useState<number>(APP_VERSION.versionCode);
  /** The postponed version. A newer one asks again, and so does the next start. */
  const [putOff, setPutOff] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const look = () => {
      if (document.visibilityState !== "visible") return;
      newestVersionCode()
        .then(setNewest)
        .catch(() => undefined);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  const wanted = waits || newest > APP_VERSION.versionCode ? `${newest}/${waits}` : null;
  return (
    <Sheet
      // Closing takes a step back in the history, which would cancel the reload that an accepted update ends with.
      open={busy || (wanted !== null && wanted !== putOff)}
      onClose={() => {
        setPutOff(wanted);
      }}
      title={t("install.updateTitle")}
      closeLabel={t("shell.close")}
    >
      <div className="stack companion-sheet" data-testid="update-prompt">
        <p>{t("install.updateText")}</p>
        <div className="pair">
          <Button
            onClick={() => {
              setPutOff(wanted);
            }}
          >
            {t("install.later")}
          </Button>
          <Button
            look="main"
            disabled={busy}
            onClick={() => {
              setBusy(true);
              void takeUpdate();
            }}
          >
            {t("install.update")}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}
