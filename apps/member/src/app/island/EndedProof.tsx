import type { Order } from "@fairtick/protocol";
import { IconCheck } from "@fairtick/ui";
import { useFollowing } from "../../data/log-follower.ts";
import { useAtOnce } from "../../data/verify-at-once.ts";
import { useText } from "../../shared/i18n.ts";

/**
 * Says below a result what this device verified of it. Once the line is gone, the order is followed into the public
 * log.
 */
export function EndedProof({
  order,
  decimals,
  name,
}: {
  readonly order: Order;
  readonly decimals: number;
  readonly name: string;
}) {
  const t = useText();
  const { found, isOver } = useAtOnce(order, decimals);
  useFollowing(order, decimals, name, found?.state === "ok");
  if (found?.state === "ok") {
    return (
      <>
        <IconCheck size="small" /> {t(order.outcome === "voided" ? "result.atOnceVoided" : "result.atOnce")}
      </>
    );
  }
  if (found?.state === "failed") return <span className="alert">{t("result.notVerified")}</span>;
  // An older order is in the log by now, where its own screen verifies everything together.
  return isOver && found === undefined ? null : t("result.verifying");
}
