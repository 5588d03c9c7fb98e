import { IconClose } from "@fairtick/ui";
import { useEffect } from "react";
import { usePositions } from "../../data/orders.ts";
import { endWelcome, goOnWelcoming, useWelcome } from "../../data/welcome.ts";
import { useText } from "../../shared/i18n.ts";
import "./first-hints.css";

const HINTS = ["choose", "figures", "running"] as const;

/** Three short hints under the order screen's header, one at a time: what to choose, what to read, what is running. */
export function FirstHints() {
  const t = useText();
  const stage = useWelcome();
  const running = usePositions("practice").data?.items.length;
  const isRunning = running !== undefined && running > 0;
  const isShown = stage !== null && stage !== "due";
  const hasRun = stage === "running" && running === 0;
  useEffect(() => {
    // Stored, because a settled order is no longer among the open ones, and the first hint would appear again on the result.
    if (isShown && isRunning && stage !== "running") goOnWelcoming("running");
    if (hasRun) endWelcome();
  }, [stage, isShown, isRunning, hasRun]);
  if (!isShown || hasRun) return null;
  const hint = isRunning ? "running" : stage;
  return (
    <aside className="first-hint" aria-label={t("welcome.title")} data-testid="first-hint">
      <p className="grow" aria-live="polite">
        <span className="unseen">{t("account.step", { step: HINTS.indexOf(hint) + 1, count: HINTS.length })} </span>
        {t(`welcome.hint.${hint}`)}
      </p>
      <button
        type="button"
        className="link"
        onClick={() => {
          if (hint === "choose") goOnWelcoming("figures");
          else endWelcome();
        }}
      >
        {t(hint === "choose" ? "welcome.next" : "welcome.done")}
      </button>
      {hint !== "running" && (
        <button type="button" className="bar-button soft" aria-label={t("welcome.skip")} onClick={endWelcome}>
          <IconClose size="small" />
        </button>
      )}
    </aside>
  );
}
