import type { Stories } from "@fairtick/ui/story.ts";
import { NotificationsSwitch } from "./NotificationsSwitch.tsx";
import { SettingSwitch } from "./SettingSwitch.tsx";

export const stories = {
  SettingSwitch: {
    confirmation: () => <SettingSwitch name="confirmOrders" />,
    sounds: () => <SettingSwitch name="sounds" />,
  },
  NotificationsSwitch: { usual: () => <NotificationsSwitch /> },
} satisfies Stories;
