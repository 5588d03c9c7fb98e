import { IconChevronDown } from "@fairtick/ui";
import type { Region } from "../../data/deployment.ts";
import { formatRegion } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Link } from "../../shared/navigation.tsx";

/** The chosen region, and the way to the list of all. */
export function RegionButton({
  region,
  wrong,
}: {
  readonly region: Region | null;
  readonly wrong: string | undefined;
}) {
  const t = useText();
  return (
    <div className="field">
      <span className="label" aria-hidden="true">
        {t("account.region")}
      </span>
      <Link className={wrong === undefined ? "box" : "box wrong"} to="/pages/index/SelectRegion">
        <span className={region ? "grow" : "grow soft"}>
          <span className="unseen">{t("account.region")}: </span>
          {region ? formatRegion(region.iso2) : t("account.chooseRegion")}
        </span>
        <IconChevronDown size="tiny" className="soft" />
      </Link>
      {wrong !== undefined && <p className="hint alert">{wrong}</p>}
    </div>
  );
}
