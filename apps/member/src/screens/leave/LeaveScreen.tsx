import { IconChevronRight } from "@fairtick/ui";
import { useState } from "react";
import { useText } from "../../shared/i18n.ts";
import { Link } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import { ExportForm } from "./ExportForm.tsx";
import { LeaveSheet, type Leaving } from "./LeaveSheet.tsx";
import "./leave.css";

/** Exports the member's data, and closes the account. */
export function LeaveScreen() {
  const t = useText();
  const [leaving, setLeaving] = useState<Leaving | null>(null);

  return (
    <Screen title={t("leave.title")} pushed backTo="/pages/settings/index" noWallet>
      <div className="stack leave-page">
        <ExportForm />
        <nav className="group">
          <Link className="row low" to="/pages/notice/xieyi">
            <span className="grow">{t("leave.privacy")}</span>
            <IconChevronRight size="tiny" className="soft" />
          </Link>
        </nav>
        <div className="group">
          {(["consent", "close"] as const).map((kind) => (
            <button
              key={kind}
              type="button"
              className="row low"
              onClick={() => {
                setLeaving(kind);
              }}
            >
              <span className="grow">{t(`leave.${kind}`)}</span>
              <IconChevronRight size="tiny" className="soft" />
            </button>
          ))}
        </div>
      </div>
      <LeaveSheet
        kind={leaving}
        onClose={() => {
          setLeaving(null);
        }}
      />
    </Screen>
  );
}
