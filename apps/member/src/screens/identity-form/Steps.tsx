import { useText } from "../../shared/i18n.ts";

const STEPS = 2;

/** How far one is: a bar for each step, read as a sentence. */
export function Steps({ step }: { readonly step: number }) {
  const t = useText();
  return (
    <div className="identity-steps">
      <span className="unseen">{t("identity.step", { step, steps: STEPS })}</span>
      {Array.from({ length: STEPS }, (_, place) => (
        <i key={place} data-done={place < step || undefined} />
      ))}
    </div>
  );
}
