import { Button, Notice } from "@fairtick/ui";
import type { Alarm } from "../../data/proof/alarms.ts";
import { ownUpTo } from "../../data/proof/origin-store.ts";
import { formatDateTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { navigate } from "../../shared/navigation.tsx";
import { saveEvidence } from "./OrderEvidence.tsx";
import "./orders.css";

/** A fault that this device found, with what to do about it. `onClose` is called when the member has seen it. */
export function AlarmWords({ alarm, onClose }: { readonly alarm: Alarm; readonly onClose: () => void }) {
  return (
    <div
      className="stack alarm-words"
      data-testid="alarm"
      data-alarm={alarm.kind}
      data-fault={alarm.kind === "order" ? alarm.fault : undefined}
    >
      {alarm.kind === "order" ? (
        <OrderAlarm alarm={alarm} onClose={onClose} />
      ) : (
        <DeviceAlarm alarm={alarm} onClose={onClose} />
      )}
    </div>
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
      <Notice wrong>{t(`evidence.fault.${fault}`)}</Notice>
      <p className="note soft code">
        {orderNo === null ? t("evidence.refusal", { time }) : t("evidence.order", { orderNo, time })}
      </p>
      <p>{t(isForeign ? "evidence.noDeviceDo" : "evidence.kept")}</p>
      <div className="pair">
        <Button onClick={onClose}>{t("evidence.seen")}</Button>
        {evidence !== null && (
          <Button look="main" onClick={() => saveEvidence(evidence)}>
            {t("evidence.save")}
          </Button>
        )}
        {evidence === null && orderNo !== null && (
          <Button
            look="main"
            onClick={() => {
              onClose();
              navigate({ to: "/pages/order/index", search: { tab: "history", orderNo } });
            }}
          >
            {t("evidence.look")}
          </Button>
        )}
      </div>
    </>
  );
}

function DeviceAlarm({ alarm, onClose }: Props<"device">) {
  const t = useText();
  const { device } = alarm;
  const words = device.removedAt === null ? "evidence.newDevice" : "evidence.formerDevice";
  return (
    <>
      <p>{t(words, { device: device.label, time: formatDateTime(device.addedAt) })}</p>
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
