import type { MessageId } from "@fairtick/i18n";
import { i18n, type Text } from "../../shared/i18n.ts";

/** Translates a remark or state, which is a fixed word of the server. One without a message is shown as it is. */
function worded(t: Text, id: string, word: string): string {
  return i18n.messages[id] === undefined ? word : t(id as MessageId);
}

export function remarkWords(t: Text, remark: string): string {
  return worded(t, `assets.remark.${remark}`, remark);
}

export function stateWords(t: Text, state: string): string {
  return worded(t, `assets.state.${state}`, state);
}
