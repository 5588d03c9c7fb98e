import { Button, Gain, Sheet } from "@fairtick/ui";
import { useEffect, useState } from "react";
import { useSummary } from "../../data/account.ts";
import { useLimits } from "../../data/limits.ts";
import { logOut } from "../../data/session.ts";
import { useAction } from "../../data/use-action.ts";
import { useWallet } from "../../data/wallet.ts";
import { formatGain, toneOf } from "../../shared/format.ts";
import { formatMinutes } from "../../shared/format-span.ts";
import { useText } from "../../shared/i18n.ts";
import { readStoredJson, store } from "../../shared/storage.ts";
import { navigate } from "../../shared/navigation.tsx";
import { answerReminder, goOnSitting, readSitting, reminderDue, type Sitting } from "./sitting.ts";

const LOOK_EVERY_MS = 5_000;

function keep(sitting: Sitting): Sitting {
  store("fairtickSitting", JSON.stringify(sitting));
  return sitting;
}

/** Records that the app is in view. */
function look(): Sitting {
  return keep(goOnSitting(readSitting(readStoredJson("fairtickSitting")), Date.now()));
}

/** Tells the member how long they have been in the app, as often as they asked for. */
export function SessionReminder() {
  const t = useText();
  const action = useAction();
  const every = useLimits().data?.sessionMinutes ?? null;
  const summary = useSummary(useWallet()).data;
  const [sitting, setSitting] = useState(look);
  useEffect(() => {
    const see = () => {
      if (document.visibilityState === "visible") setSitting(look());
    };
    const timer = setInterval(see, LOOK_EVERY_MS);
    document.addEventListener("visibilitychange", see);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", see);
    };
  }, []);
  const minutes = reminderDue(sitting, every);
  const goOn = () => {
    setSitting(keep(answerReminder(sitting)));
  };
  return (
    <Sheet
      open={minutes !== null}
      onClose={goOn}
      title={t("limits.reminderTitle", { time: formatMinutes(minutes ?? 0) })}
      closeLabel={t("shell.close")}
    >
      <div className="stack companion-sheet" data-testid="session-reminder">
        <p>{t("limits.reminderText")}</p>
        {summary && (
          <p className="companion-line">
            <span className="label">{t("mine.todaysProfit")}</span>
            <Gain tone={toneOf(summary.todayProfit)}>{formatGain(summary.todayProfit)}</Gain>
          </p>
        )}
        <div className="pair">
          <Button
            disabled={action.busy}
            onClick={() => {
              void action.run(logOut).then((done) => {
                if (!done) return;
                goOn();
                navigate({ to: "/pages/home/index", replace: true });
              });
            }}
          >
            {t("limits.stopHere")}
          </Button>
          <Button look="main" onClick={goOn}>
            {t("limits.goOn")}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}
