import { Button, Facts } from "@fairtick/ui";
import { useKeptFigures } from "../../data/sealed/refused-orders.ts";
import { formatCount, formatDate, formatTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { saveFile } from "../../shared/save-file.ts";
import { verifierCommand } from "../../shared/verifier-command.ts";

const FILE = "refused.json";

/** How much evidence this device stores about the member's orders, and the file that opens the refused ones. */
export function KeptEvidence() {
  const t = useText();
  const { data: kept, isError } = useKeptFigures();
  if (kept === undefined) return isError ? <p className="note soft">{t("fairness.evidence.none")}</p> : null;
  return (
    <div className="stack" data-testid="kept-evidence">
      <Facts
        facts={[
          { name: t("fairness.evidence.orders"), figure: formatCount(kept.orders) },
          { name: t("fairness.evidence.refused"), figure: formatCount(kept.refused) },
          {
            name: t("fairness.evidence.unsigned"),
            note:
              kept.unsignedAt === null
                ? undefined
                : t("fairness.evidence.unsignedAt", {
                    time: `${formatDate(kept.unsignedAt)} ${formatTime(kept.unsignedAt)}`,
                  }),
            figure: formatCount(kept.unsigned),
          },
        ]}
      />
      <p>{t("fairness.evidence.why")}</p>
      {kept.refused > 0 && (
        <>
          <Button
            lowkey
            look="tint"
            onClick={() => saveFile(new Blob([kept.file], { type: "application/json" }), FILE)}
          >
            {t("fairness.evidence.save")}
          </Button>
          <p className="code">
            {verifierCommand(location.origin)} verify --log {location.origin}/log --refused {FILE}
          </p>
        </>
      )}
    </div>
  );
}
