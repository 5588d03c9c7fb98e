import { useSettings } from "../../data/settings.ts";
import { useText } from "../../shared/i18n.ts";

/** Explains in one sentence what sealed means: until when the house doesn't see the direction. */
export function SealPromise() {
  const t = useText();
  const { sealUntilEnd } = useSettings();
  return (
    <p className="note soft seal-promise" data-testid="seal-promise">
      {t(sealUntilEnd ? "order.sealedNoteEnd" : "order.sealedNote")}
    </p>
  );
}
