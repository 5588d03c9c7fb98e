import { Sheet } from "@fairtick/ui";
import { AlarmWords } from "../../components/orders/AlarmWords.tsx";
import { type Alarm, settleAlarm, useAlarms } from "../../data/proof/alarms.ts";
import { useText } from "../../shared/i18n.ts";

/**
 * Reports each fault that this device found, once: an answer without proof, an order that nobody signed, a new device.
 */
export function AlarmSheet() {
  const t = useText();
  const [alarm] = useAlarms();
  if (alarm === undefined) return null;
  const close = () => settleAlarm(alarm);
  return (
    <Sheet open onClose={close} title={t(titleOf(alarm))} closeLabel={t("shell.close")}>
      <AlarmWords alarm={alarm} onClose={close} />
    </Sheet>
  );
}

function titleOf(alarm: Alarm) {
  if (alarm.kind === "order") return "evidence.title";
  return alarm.device.removedAt === null ? "evidence.newDeviceTitle" : "evidence.formerDeviceTitle";
}
