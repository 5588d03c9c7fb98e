import { shortRoot } from "@fairtick/transparency";
import { Button, Field, Notice } from "@fairtick/ui";
import { useState, type SyntheticEvent } from "react";
import { QrCode } from "../../components/qr/QrCode.tsx";
import { type Comparison, useVerifiedState, type VerifiedState } from "../../data/proof/compare-log.ts";
import { readPastedState, readState, stateLink } from "../../data/proof/log-state.ts";
import { copyText } from "../../shared/copy-text.ts";
import { formatCount } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { useSearch } from "../../shared/navigation.tsx";
import { saveFile } from "../../shared/save-file.ts";
import { useComparison } from "./use-comparison.ts";

/**
 * The newest log state that this device verified, as a QR code for another device, and the comparison with another's
 * state.
 */
export function CompareLog() {
  const t = useText();
  const { data: state, isError, refetch, isFetching } = useVerifiedState();
  const fromLink = readState(useSearch());
  const { compare, found, isBusy } = useComparison(fromLink);
  const [pasted, setPasted] = useState("");
  const [isWrong, setWrong] = useState(false);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const theirs = readPastedState(pasted);
    setWrong(theirs === null);
    if (theirs !== null) compare(theirs);
  };
  return (
    <div className="stack" data-testid="compare-log">
      <p>{t("fairness.compare.intro")}</p>
      {state === undefined ? (
        <p className="note soft">{t(isError ? "fairness.compare.unread" : "fairness.compare.checking")}</p>
      ) : (
        <Own state={state} />
      )}
      {isError && (
        <Button lowkey look="tint" off={isFetching} onClick={() => void refetch()}>
          {t("shell.tapToRetry")}
        </Button>
      )}
      <form className="stack" onSubmit={submit}>
        <Field
          label={t("fairness.compare.theirs")}
          value={pasted}
          onChange={(event) => setPasted(event.target.value)}
          wrong={isWrong ? t("fairness.compare.unreadable") : undefined}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" look="tint" off={isBusy || pasted.trim() === ""}>
          {t("fairness.compare.run")}
        </Button>
      </form>
      <div aria-live="polite">{found !== null && <Outcome found={found} />}</div>
    </div>
  );
}

function Own({ state }: { readonly state: VerifiedState }) {
  const t = useText();
  const { note, checkpoint, policy, lost } = state;
  const link = stateLink(location.origin, note, policy);
  return (
    <>
      {lost !== null && <TwoLogs words={t("fairness.compare.lost")} mine={note} theirs={lost} />}
      {link !== null && (
        <div className="fairness-code">
          <QrCode text={link} label={t("fairness.compare.code")} />
        </div>
      )}
      <p className="fairness-state">
        <span className="figure" data-testid="log-state">
          {shortRoot(checkpoint)}
        </span>
        <span className="note soft block">{t("fairness.compare.entries", { count: checkpoint.size })}</span>
      </p>
      {link !== null && (
        <Button lowkey look="tint" onClick={() => void copyText(link)}>
          {t("fairness.compare.copy")}
        </Button>
      )}
    </>
  );
}

/** The result of the comparison in one sentence. Two different logs raise an alarm, with both to save. */
export function Outcome({ found }: { readonly found: Comparison }) {
  const t = useText();
  const { outcome, more, mine, theirs } = found;
  if (outcome === "differ")
    return (
      <div data-testid="compared" data-outcome={outcome}>
        <TwoLogs words={t("fairness.compare.differ")} mine={mine} theirs={theirs} />
      </div>
    );
  return (
    <div data-testid="compared" data-outcome={outcome}>
      <Notice wrong={outcome === "otherLog" || outcome === "broken" || outcome === "unread"}>
        {t(`fairness.compare.${outcome}`, { count: formatCount(more) })}
      </Notice>
    </div>
  );
}

function TwoLogs({ words, mine, theirs }: { readonly words: string; readonly mine: string; readonly theirs: string }) {
  const t = useText();
  const save = () => {
    const text = `${JSON.stringify({ mine, theirs }, null, 2)}\n`;
    saveFile(new Blob([text], { type: "application/json" }), "two-logs.json");
  };
  return (
    <Notice wrong>
      <div className="stack">
        <p>{words}</p>
        <Button lowkey look="tint" onClick={save}>
          {t("evidence.save")}
        </Button>
      </div>
    </Notice>
  );
}
