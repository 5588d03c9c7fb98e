import type { Instrument } from "@fairtick/protocol";
import { Segments } from "@fairtick/ui";
import { formatDuration, formatRate } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import "./ticket.css";

/** The offered durations, each with its payout rate. `compact`: in one row, without the word "pays". */
export function DurationChips({
  durations,
  value,
  onChange,
  compact = false,
}: {
  readonly durations: Instrument["durations"];
  /** In seconds; null if nothing is chosen. */
  readonly value: number | null;
  readonly onChange: (seconds: number) => void;
  readonly compact?: boolean | undefined;
}) {
  const t = useText();
  return (
    <div className={compact ? "ticket-durations compact" : "ticket-durations"}>
      <Segments
        label={t("order.duration")}
        choices={durations.map(({ seconds, payoutRate }) => {
          const rate = formatRate(payoutRate);
          return {
            value: String(seconds),
            label: (
              <>
                <span className="figure">{formatDuration(seconds)}</span>
                <span className="note block">{compact ? rate : t("order.pays", { rate })}</span>
              </>
            ),
          };
        })}
        value={value === null ? null : String(value)}
        onChange={(seconds) => {
          onChange(Number(seconds));
        }}
      />
    </div>
  );
}
