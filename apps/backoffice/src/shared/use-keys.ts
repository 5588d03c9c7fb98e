import { useEffect, useRef } from "react";

/** Controls that letters go into. A chosen filter is a radio button and takes none, so the keys still work there. */
const TAKES_LETTERS =
  "input:not([type=radio], [type=checkbox], [type=file], [type=button], [type=submit]), textarea, select, [contenteditable]";

/** Single keys for hands that stay on the keyboard; none works while one types, behind an open dialog, or together with a modifier. */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const { target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target instanceof HTMLElement && target.closest(TAKES_LETTERS)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const act = latest.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    }
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
