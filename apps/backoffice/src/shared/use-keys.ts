import { useEffectEvent, useLayoutEffect } from "react";

/** Controls that take letters. Radio buttons don't, so the keys still work while a filter has the focus. */
const TAKES_LETTERS =
  "input:not([type=radio], [type=checkbox], [type=file], [type=button], [type=submit]), textarea, select, [contenteditable]";

/**
 * Binds single keys. They are ignored while typing, behind an open dialog, and together with a modifier. A layout effect, so
 * that a key acts on what is shown as soon as that can be seen.
 */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const actOf = useEffectEvent((key: string) => keys[key]);
  useLayoutEffect(() => {
    function press(event: KeyboardEvent) {
      const { target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target instanceof HTMLElement && target.closest(TAKES_LETTERS)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const act = actOf(event.key);
      if (!act) return;
      event.preventDefault();
      act();
    }
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
