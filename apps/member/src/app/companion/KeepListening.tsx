import { useEffect } from "react";
import { listenWhileClosed } from "../../data/notifications.ts";
import { useSettings } from "../../data/settings.ts";

/** Renews the push subscription after each login, because it ends with its session. */
export function KeepListening() {
  const { notifications } = useSettings();
  useEffect(() => {
    // Without a push service, notifications come while the app is open.
    if (notifications) listenWhileClosed().catch(() => undefined);
  }, [notifications]);
  return null;
}
