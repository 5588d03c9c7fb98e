import type { Instrument } from "@fairtick/protocol";
import { IconShield, IconWarning } from "@fairtick/ui";
import { SessionState } from "../../components/market/live-figures.tsx";
import { formatCount, formatUtcTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { serverNow, useServerNow } from "../../shared/server-clock.ts";
import { useDeskCommand } from "./desk-commands.ts";
import { usePriceAge } from "./price-age.ts";
import { usePricePulse } from "./price-pulse.ts";
import { useLogHead } from "./use-log-head.ts";

/** Shows how fresh prices and log are, the time, and a button for all keyboard shortcuts. */
export function StatusBar({
  instrument,
  onShortcuts,
}: {
  readonly instrument: Instrument;
  readonly onShortcuts: () => void;
}) {
  const t = useText();
  useDeskCommand("shortcuts", onShortcuts);
  const now = useServerNow(1_000);
  return (
    <footer className="status-bar note soft">
      <PriceState instrument={instrument} />
      <Pulse instrument={instrument} />
      <LogState />
      <span className="grow" />
      <time className="figure" dateTime={new Date(now).toISOString()}>
        {t("desk.utc", { time: formatUtcTime(now) })}
      </time>
      <button type="button" className="status-keys" aria-haspopup="dialog" aria-keyshortcuts="?" onClick={onShortcuts}>
        <kbd aria-hidden="true">?</kbd>
        {t("desk.shortcuts")}
      </button>
    </footer>
  );
}

/** Shows "live", or how old the last price is. */
function PriceState({ instrument }: { readonly instrument: Instrument }) {
  const t = useText();
  const age = usePriceAge(instrument);
  if (!instrument.open || instrument.suspended)
    return (
      <span className="status-part" data-testid="price-state">
        <SessionState instrument={instrument} />
      </span>
    );
  if (age.isFresh)
    return (
      <span className="status-part accent" data-testid="price-state">
        <i className="status-dot" />
        {t("desk.pricesLive")}
      </span>
    );
  return (
    <span className="status-part alert" data-testid="price-state">
      <IconWarning size="tiny" />
      {age.seconds === null ? t("desk.noPrices") : t("desk.pricesOld", { seconds: formatCount(age.seconds) })}
    </span>
  );
}

function Pulse({ instrument }: { readonly instrument: Instrument }) {
  const t = useText();
  const pulse = usePricePulse(instrument.symbol);
  if (pulse === null) return null;
  return (
    <span className="status-part">
      {t("desk.pulse", { rate: formatCount(pulse.rate), delay: formatCount(Math.round(pulse.delayMs)) })}
    </span>
  );
}

/** Shows the size of the log and when enough witnesses last signed it. */
function LogState() {
  const t = useText();
  const { data: head, isError } = useLogHead();
  useServerNow(1_000);
  if (isError || head === null)
    return (
      <span className="status-part alert" data-testid="log-state">
        <IconWarning size="tiny" />
        {t(isError ? "desk.logUnread" : "desk.logUnsigned")}
      </span>
    );
  if (head === undefined) return null;
  const size = formatCount(head.size);
  return (
    <span className="status-part" data-testid="log-state">
      <IconShield size="tiny" />
      {head.witnessedAt === null
        ? t("desk.logSize", { size })
        : t("desk.logState", {
            size,
            seconds: formatCount(Math.max(0, Math.round((serverNow() - head.witnessedAt) / 1000))),
          })}
    </span>
  );
}
