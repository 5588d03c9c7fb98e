import { FailedState, Wait } from "@fairtick/ui";
import { useState } from "react";
import { type Fairness, useFairnessDay } from "../../data/fairness.ts";
import { formatDay } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { PlotNote, ShareRow, ShareRows } from "./ShareRows.tsx";

type Day = Fairness["byDay"][number];

/** Each day with its win rate; expanded, the rate of every product and duration. */
export function DayRows({ days, wallet }: { readonly days: readonly Day[]; readonly wallet: Day["wallet"] }) {
  return (
    <>
      <ul className="fairness-rows">
        {days.map((day) => (
          <li key={day.day} data-testid="share-row">
            <DayRow day={day} wallet={wallet} />
          </li>
        ))}
      </ul>
      <PlotNote />
    </>
  );
}

function DayRow({ day, wallet }: { readonly day: Day; readonly wallet: Day["wallet"] }) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="fairness-day"
      data-testid="fairness-day"
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary>
        <ShareRow row={{ name: formatDay(day.day), ...day }} />
      </summary>
      {open && <Cells day={day.day} wallet={wallet} />}
    </details>
  );
}

function Cells({ day, wallet }: Pick<Day, "day" | "wallet">) {
  const t = useText();
  const query = useFairnessDay(day);
  if (query.data === undefined) {
    return query.isError ? (
      <FailedState
        title={t("fairness.failed")}
        retryLabel={t("shell.tapToRetry")}
        onRetry={() => void query.refetch()}
      />
    ) : (
      <Wait like="EUR/USD 30 s" />
    );
  }
  return <ShareRows rows={query.data.cells.filter((cell) => cell.wallet === wallet)} counted />;
}
