import { useWhoWatches, type Watcher } from "../../data/proof/who-watches.ts";
import { formatDate, formatTime } from "../../shared/format.ts";
import { useText, type Text } from "../../shared/i18n.ts";

/** Every witness with its key, and when it last signed as far as this device can check. */
export function WhoWatches() {
  const t = useText();
  const { data: watchers, isError } = useWhoWatches();
  if (watchers === undefined) {
    return <p className="note soft">{t(isError ? "fairness.watch.failed" : "fairness.watch.checking")}</p>;
  }
  if (watchers.length === 0) return <p className="note soft">{t("verify.noWitness")}</p>;
  return (
    <>
      <ul className="fairness-watchers">
        {watchers.map((watcher) => (
          <li key={watcher.key} data-testid="watcher" data-signed={watcher.signedAt !== null}>
            <p className="label">{watcher.name}</p>
            <p className="note">{signedOf(t, watcher)}</p>
            {isAhead(watcher) && <p className="note">{t("fairness.watch.since", momentOf(watcher.toldAt ?? 0))}</p>}
            {!watcher.isNamed && <p className="note">{t("fairness.watch.gone")}</p>}
            {!watcher.isKept && <p className="note">{t("fairness.watch.new")}</p>}
            <p className="code">{watcher.key}</p>
          </li>
        ))}
      </ul>
      <p className="note soft">{t("fairness.watch.note")}</p>
    </>
  );
}

/** The two readings may be a second or two apart. */
const AHEAD_MS = 10_000;

/** Returns whether the witness has signed more recently than what is published shows. */
function isAhead({ signedAt, toldAt }: Watcher): boolean {
  return signedAt !== null && toldAt !== null && toldAt - signedAt > AHEAD_MS;
}

function signedOf(t: Text, { signedAt, toldAt }: Watcher): string {
  if (signedAt !== null) return t("fairness.watch.signed", momentOf(signedAt));
  return toldAt === null ? t("fairness.watch.never") : t("fairness.watch.late", momentOf(toldAt));
}

function momentOf(at: number): { time: string } {
  return { time: `${formatDate(at)} ${formatTime(at)}` };
}
