import { Button, FailedState, Sheet, showToast, Wait } from "@fairtick/ui";
import { useState } from "react";
import { removeOrderDevice, useOrderDevices, type ShownOrderDevice } from "../../data/order-devices.ts";
import { useAction } from "../../data/use-action.ts";
import { formatDateTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";

/** Devices that can place orders. An unknown one is a warning sign, so each can be removed at once. */
export function OrderDevices() {
  const t = useText();
  const { data, error, isPending, refetch } = useOrderDevices();
  const [leaving, setLeaving] = useState<ShownOrderDevice | null>(null);
  return (
    <section data-testid="order-devices">
      <h2 className="section">{t("account.orderDevices")}</h2>
      {error !== null && data === undefined ? (
        <FailedState title={error.message} retryLabel={t("shell.tapToRetry")} onRetry={() => void refetch()} />
      ) : (
        <div className="group">
          {data?.map((device) => (
            <DeviceRow key={device.deviceId} device={device} onRemove={() => setLeaving(device)} />
          ))}
          {data?.length === 0 && <p className="row soft">{t("account.noOrderDevices")}</p>}
          {isPending && (
            <div className="row">
              <Wait like="Chrome on Android" />
            </div>
          )}
        </div>
      )}
      <p className="note soft safe-note">{t("account.orderDevicesNote")}</p>
      <RemoveSheet device={leaving} onClose={() => setLeaving(null)} />
    </section>
  );
}

function DeviceRow({ device, onRemove }: { readonly device: ShownOrderDevice; readonly onRemove: () => void }) {
  const t = useText();
  return (
    <div className="row">
      <span className="grow">
        <span className="block">{device.label}</span>
        <span className="note soft block">{t("factor.added", { at: formatDateTime(device.addedAt) })}</span>
      </span>
      {device.current && <span className="label">{t("account.thisDevice")}</span>}
      <button
        type="button"
        className="link label"
        aria-label={t("factor.removeNamed", { name: device.label })}
        onClick={onRemove}
      >
        {t("factor.remove")}
      </button>
    </div>
  );
}

/** Explains what removing a device means before it is done. */
function RemoveSheet({ device, onClose }: { readonly device: ShownOrderDevice | null; readonly onClose: () => void }) {
  const t = useText();
  const action = useAction();
  const remove = async (deviceId: string) => {
    if (!(await action.run(() => removeOrderDevice(deviceId)))) return;
    showToast(t("common.operationSuccessful"));
    onClose();
  };
  return (
    <Sheet
      open={device !== null}
      onClose={onClose}
      title={t("factor.removeNamed", { name: device?.label ?? "" })}
      closeLabel={t("shell.close")}
    >
      <div className="form">
        <p>{t("account.removeOrderDeviceSure")}</p>
        <Button look="main" disabled={action.busy} onClick={() => device && void remove(device.deviceId)}>
          {t("factor.remove")}
        </Button>
      </div>
    </Sheet>
  );
}
