import { useText } from "../shared/i18n.ts";
import "./step-bar.css";

/** The progress of a form with several steps: a bar for each step, read out as a sentence. */
export function StepBar({ step, count }: { readonly step: number; readonly count: number }) {
  const t = useText();
  return (
    <p className="step-bar">
      <span className="unseen">{t("account.step", { step, count })}</span>
      {Array.from({ length: count }, (_, place) => (
        <i key={place} className={place < step ? "done" : undefined} />
      ))}
    </p>
  );
}
