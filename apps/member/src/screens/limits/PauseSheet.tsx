import { Button, Notice, Segments, Sheet, showToast, Tick } from "@fairtick/ui";
import { useState } from "react";
import { excludeSelf, setLimits, type Limits } from "../../data/limits.ts";
import { useAction } from "../../data/use-action.ts";
import { formatDateTime } from "../../shared/format.ts";
import { formatDays } from "../../shared/format-span.ts";
import { useText } from "../../shared/i18n.ts";
import { serverNow } from "../../shared/server-clock.ts";
import "../../components/account.css";

export type PauseKind = "coolOff" | "exclude";

const DAY_MS = 86_400_000;
const DAYS = { coolOff: ["1", "3", "7", "30"], exclude: ["180", "365", "1825"] } as const;

/** Sets a cool-off or self-exclusion. Explains its effect, and that it can't be undone. */
export function PauseSheet({
  kind,
  limits,
  onClose,
}: {
  readonly kind: PauseKind | null;
  readonly limits: Limits;
  readonly onClose: () => void;
}) {
  const t = useText();
  return (
    <Sheet
      open={kind !== null}
      onClose={onClose}
      title={kind === null ? "" : t(`limits.${kind}`)}
      closeLabel={t("shell.close")}
    >
      {kind !== null && <PauseForm kind={kind} limits={limits} onDone={onClose} />}
    </Sheet>
  );
}

function PauseForm({
  kind,
  limits,
  onDone,
}: {
  readonly kind: PauseKind;
  readonly limits: Limits;
  readonly onDone: () => void;
}) {
  const t = useText();
  const action = useAction();
  const [now] = useState(serverNow);
  const running = kind === "coolOff" ? limits.coolOffUntil : limits.excludedUntil;
  const untilOf = (days: string) => Math.round(now) + Number(days) * DAY_MS;
  // Leave out choices that would end before the current pause, because they would be refused.
  const choices = DAYS[kind].filter((days) => untilOf(days) > (running ?? 0));
  const [days, setDays] = useState<string>(choices[0] ?? "");
  const [understood, setUnderstood] = useState(false);
  const [wrong, setWrong] = useState(false);
  if (days === "") {
    return <Notice>{t("limits.until", { until: formatDateTime(running ?? now) })}</Notice>;
  }
  const until = untilOf(days);

  function start() {
    if (!understood) {
      setWrong(true);
      showToast(t("limits.understandFirst"));
      return;
    }
    void action
      .run(() => (kind === "coolOff" ? setLimits({ coolOffUntil: until }) : excludeSelf(until)))
      .then((done) => {
        if (!done) return;
        showToast(t("common.successfullySet"));
        onDone();
      });
  }

  return (
    <div className="form">
      <Segments
        label={t("limits.howLong")}
        value={days}
        onChange={setDays}
        choices={choices.map((value) => ({ value, label: formatDays(Number(value)) }))}
      />
      <Notice>{t("limits.ask", { until: formatDateTime(until) })}</Notice>
      <Tick
        on={understood}
        onChange={(on) => {
          setUnderstood(on);
          setWrong(false);
        }}
        wrong={wrong}
      >
        {t("limits.understood")}
      </Tick>
      <Button look="main" disabled={action.busy} onClick={start}>
        {t(kind === "coolOff" ? "limits.startPause" : "limits.startExclusion")}
      </Button>
    </div>
  );
}
