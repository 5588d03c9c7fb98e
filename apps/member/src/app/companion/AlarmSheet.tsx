import { Sheet } from "@fairtick/ui";
import { AlarmWords } from "../../components/orders/AlarmWords.tsx";
import { settleAlarm, useAlarms } from "../../data/proof/alarms.ts";
import { useText } from "../../shared/i18n.ts";

/**
 * Reports each fault that this device found, once: an answer without proof, an order that nobody signed, a new device.
 */
export function AlarmSheet() {
  const t = useText();
  const [alarm] = useAlarms();
  if (alarm === undefined) return null;
  const close = () => settleAlarm(alarm);
  const title = t(alarm.kind === "order" ? "evidence.title" : "evidence.newDeviceTitle");
  return (
    <Sheet open onClose={close} title={title} closeLabel={t("shell.close")}>
      <AlarmWords alarm={alarm} onClose={close} />
    </Sheet>
  );
}
