import { Button, Sheet } from "@fairtick/ui";
import { saveEvidence } from "../../components/orders/OrderEvidence.tsx";
import { type Alarm, settleAlarm, useAlarms } from "../../data/proof/alarms.ts";
import { ownUpTo } from "../../data/proof/origin-store.ts";
import { formatDateTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { navigate } from "../../shared/navigation.tsx";

/** Tells once of each thing that this device found wrong: an answer without proof, an order that nobody signed, a new device. */
export function AlarmSheet() {
  const t = useText();
  const [alarm] = useAlarms();
  if (alarm === undefined) return null;
  const close = () => settleAlarm(alarm);
  const title = t(alarm.kind === "order" ? "evidence.title" : "evidence.newDeviceTitle");
  return (
    <Sheet open onClose={close} title={title} closeLabel={t("shell.close")}>
      <div
        className="stack companion-sheet"
        data-testid="alarm"
        data-alarm={alarm.kind}
        data-fault={alarm.kind === "order" ? alarm.fault : undefined}
      >
        {alarm.kind === "order" ? (
          <OrderAlarm alarm={alarm} onClose={close} />
        ) : (
          <DeviceAlarm alarm={alarm} onClose={close} />
        )}
      </div>
    </Sheet>
  );
}

interface Props<Kind extends Alarm["kind"]> {
  readonly alarm: Extract<Alarm, { readonly kind: Kind }>;
  readonly onClose: () => void;
}

function OrderAlarm({ alarm, onClose }: Props<"order">) {
  const t = useText();
  const { fault, orderNo, at, evidence } = alarm;
  const time = formatDateTime(at);
  const isForeign = fault === "noDevice" || fault === "open";
  return (
    <>
      <p className="medium">{t(`evidence.fault.${fault}`)}</p>
      <p className="note soft code">
        {orderNo === null ? t("evidence.refusal", { time }) : t("evidence.order", { orderNo, time })}
      </p>
      <p>{t(isForeign ? "evidence.noDeviceDo" : "evidence.kept")}</p>
      <div className="pair">
        {evidence !== null && <Button onClick={() => saveEvidence(evidence)}>{t("evidence.save")}</Button>}
        {evidence === null && orderNo !== null && (
          <Button
            onClick={() => {
              onClose();
              navigate({ to: "/pages/order/index", search: { tab: "history", orderNo } });
            }}
          >
            {t("evidence.look")}
          </Button>
        )}
        <Button look="main" onClick={onClose}>
          {t("evidence.seen")}
        </Button>
      </div>
    </>
  );
}

function DeviceAlarm({ alarm, onClose }: Props<"device">) {
  const t = useText();
  const { device } = alarm;
  return (
    <>
      <p>{t("evidence.newDevice", { device: device.label, time: formatDateTime(device.addedAt) })}</p>
      <div className="pair">
        <Button
          onClick={() => {
            void ownUpTo(device).catch(() => undefined);
            onClose();
          }}
        >
          {t("evidence.newDeviceMine")}
        </Button>
        <Button
          look="main"
          onClick={() => {
            onClose();
            navigate({ to: "/pages/auth/Safe" });
          }}
        >
          {t("evidence.newDeviceLook")}
        </Button>
      </div>
    </>
  );
}
