import { allowSound } from "../../data/chime.ts";
import { currentSettings } from "../../data/settings.ts";

/**
 * Makes the sound of an ending order possible: while it is on, each press asks the browser to allow it, also the press
 * that turns it on. A phone takes the permission back when it shows another app.
 */
export function keepSound(): void {
  const press = () => {
    if (currentSettings().sounds) allowSound();
  };
  // At the document, so after the pressed control has changed the setting.
  document.addEventListener("click", press);
  document.addEventListener("keydown", press);
}
