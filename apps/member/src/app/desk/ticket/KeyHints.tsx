import { useText } from "../../../shared/i18n.ts";

/** Shows which keys continue from here. Hidden first if the window is low. */
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
