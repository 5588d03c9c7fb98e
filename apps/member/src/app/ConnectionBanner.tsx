import { Notice } from "@fairtick/ui";
import { useConnection } from "../data/connection.ts";
import { formatTime } from "../shared/format.ts";
import { useText } from "../shared/i18n.ts";

/** Shows since when there is no connection, and what that means for orders. */
export function ConnectionBanner() {
  const t = useText();
  const { lostAt } = useConnection();
  if (lostAt === null) return null;
  return (
    <div className="banner">
      <Notice wrong>{t("shell.noConnection", { since: formatTime(lostAt) })}</Notice>
    </div>
  );
}
