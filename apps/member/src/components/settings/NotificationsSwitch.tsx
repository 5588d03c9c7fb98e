import { showToast, Switch } from "@fairtick/ui";
import { allowNotifications, listenWhileClosed, stopListening } from "../../data/notifications.ts";
import { changeSettings, useSettings } from "../../data/settings.ts";
import { useText } from "../../shared/i18n.ts";

/** Notifications: the browser is asked when they are turned on, never before. */
export function NotificationsSwitch() {
  const t = useText();
  const { notifications } = useSettings();

  async function change(on: boolean) {
    if (!on) {
      changeSettings({ notifications: false });
      // What cannot be taken back here ends on the server, which sends to nobody who has them off.
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
