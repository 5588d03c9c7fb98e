import { useText } from "../../../shared/i18n.ts";

/** Which keys lead on from here. They go first where the window is low. */
export function KeyHints({ isConfirming }: { readonly isConfirming: boolean }) {
  const t = useText();
  return (
    <p className="ticket-hints hints note soft" aria-hidden="true">
      {isConfirming ? (
        <>
          <kbd>Enter</kbd> {t("desk.hint.place")} <kbd>Esc</kbd> {t("desk.hint.leave")}
        </>
      ) : (
        <>
          <kbd>U</kbd> <kbd>D</kbd> {t("desk.hint.choose")} <kbd>Enter</kbd> {t("desk.hint.place")}
        </>
      )}
    </p>
  );
}
