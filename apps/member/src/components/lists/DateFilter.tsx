import { SPANS, type DateChoice } from "../../shared/date-span.ts";
import { useText } from "../../shared/i18n.ts";
import { FilterChip } from "./FilterChip.tsx";

const WORDS = {
  today: "orders.today",
  week: "orders.week",
  month: "orders.month",
  always: "orders.always",
  chosen: "orders.chosenDates",
} as const;

/** Today, a week, a month, everything, or from one day to another. */
export function DateFilter({
  choice,
  onChange,
}: {
  readonly choice: DateChoice;
  readonly onChange: (choice: DateChoice) => void;
}) {
  const t = useText();
  return (
    <FilterChip
      label={t("orders.filterTime")}
      choices={SPANS.map((name) => ({ value: name, label: t(WORDS[name]) }))}
      value={choice.name}
      onChange={(name) => {
        onChange({ ...choice, name });
      }}
    />
  );
}

/** The two days, when days are chosen. */
export function ChosenDays({
  choice,
  onChange,
}: {
  readonly choice: DateChoice;
  readonly onChange: (choice: DateChoice) => void;
}) {
  const t = useText();
  if (choice.name !== "chosen") return null;
  return (
    <div className="chosen-days">
      <label className="label">
        {t("orders.from")}
        <input
          type="date"
          value={choice.fromDay}
          onChange={(event) => {
            onChange({ ...choice, fromDay: event.currentTarget.value });
          }}
        />
      </label>
      <label className="label">
        {t("orders.to")}
        <input
          type="date"
          value={choice.toDay}
          onChange={(event) => {
            onChange({ ...choice, toDay: event.currentTarget.value });
          }}
        />
      </label>
    </div>
  );
}
