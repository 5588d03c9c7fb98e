import { Button, IconChevronRight, IconExport, showToast } from "@fairtick/ui";
import { useState } from "react";
import { exportData } from "../../data/leave.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../shared/i18n.ts";
import { Link } from "../../shared/navigation.tsx";
import { saveFile } from "../../shared/save-file.ts";
import { Screen } from "../../shared/Screen.tsx";
import { LeaveSheet, type Leaving } from "./LeaveSheet.tsx";
import "./leave.css";

/** What is kept about the member to take away, and how to leave. */
export function LeaveScreen() {
  const t = useText();
  const action = useAction();
  const [leaving, setLeaving] = useState<Leaving | null>(null);

  function download() {
    void action
      .run(async () => {
        saveFile(await exportData(), "fairtick-data.zip");
      })
      .then((done) => {
        if (done) showToast(t("common.operationSuccessful"));
      });
  }

  return (
    <Screen title={t("leave.title")} pushed backTo="/pages/settings/index" noWallet>
      <div className="stack leave-page">
        <section className="card stack">
          <h2 className="title">{t("leave.export")}</h2>
          <p className="label">{t("leave.exportNote")}</p>
          <Button look="tint" disabled={action.busy} onClick={download}>
            <IconExport size="small" />
            {t("leave.download")}
          </Button>
        </section>
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
