import { showToast, Switch } from "@fairtick/ui";
import { allowNotifications, listenWhileClosed, stopListening } from "../../data/notifications.ts";
import { changeSettings, useSettings } from "../../data/settings.ts";
import { useText } from "../../shared/i18n.ts";

/** Turns notifications on or off. The browser asks for permission only when they are turned on. */
export function NotificationsSwitch() {
  const t = useText();
  const { notifications } = useSettings();

  async function change(on: boolean) {
    if (!on) {
      changeSettings({ notifications: false });
      // If unsubscribing fails here, the server still sends nothing to members who have notifications off.
      await stopListening().catch(() => undefined);
      return;
    }
    if (!(await allowNotifications())) {
      showToast(t("alerts.notAllowed"), 4_000);
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
        on={notifications}
        onChange={(on) => {
          void change(on);
        }}
      />
    </div>
  );
}
