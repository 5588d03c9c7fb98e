import { useEffect } from "react";
import { listenWhileClosed } from "../../data/notifications.ts";
import { useSettings } from "../../data/settings.ts";

/** A subscription ends with its session: after each login the browser that was allowed before asks for it again. */
export function KeepListening() {
  const { notifications } = useSettings();
  useEffect(() => {
    // Without a push service, notifications come while the app is open.
    if (notifications) listenWhileClosed().catch(() => undefined);
  }, [notifications]);
  return null;
}
