import { showToast, Switch } from "@fairtick/ui";
import { allowNotifications, listenWhileClosed, stopListening, useNotified } from "../../data/notifications.ts";
import { changeSettings } from "../../data/settings.ts";
import { useText } from "../../shared/i18n.ts";

/** What to tell a member whose browser doesn't show notifications. */
const REASONS = {
  unsupported: "alerts.notSupported",
  default: "alerts.notDecided",
  denied: "alerts.notAllowed",
} as const;

/**
 * Turns notifications on or off. The browser asks for permission only when they are turned on, so on a member's next
 * device they are off until it has been asked there.
 */
export function NotificationsSwitch() {
  const t = useText();
  const notified = useNotified();

  async function change(on: boolean) {
    if (!on) {
      changeSettings({ notifications: false });
      // If unsubscribing fails here, the server still sends nothing to members who have notifications off.
      await stopListening().catch(() => undefined);
      return;
    }
    const permission = await allowNotifications();
    if (permission !== "granted") {
      showToast(t(REASONS[permission]), 4_000);
      return;
    }
    changeSettings({ notifications: true });
    // Without a push service, notifications come while the app is open.
    await listenWhileClosed().catch(() => undefined);
  }

  return (
    <div className="row">
      <span className="grow">
        <span className="block">{t("alerts.notifications")}</span>
        <span className="note soft block">{t("alerts.notificationsNote")}</span>
      </span>
      <Switch
        label={t("alerts.notifications")}
        on={notified}
        onChange={(on) => {
          void change(on);
        }}
      />
    </div>
  );
}
