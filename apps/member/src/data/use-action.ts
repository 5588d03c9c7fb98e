import type { MessageId } from "@fairtick/i18n";
import { useState } from "react";
import { text } from "../shared/i18n.ts";
import { reportFailure } from "./failures.ts";
import { CallError } from "./transport.ts";

export interface Action {
  readonly busy: boolean;
  /**
   * Runs `work` unless it is already running. A failure is shown as a toast; messages about single fields go to
   * `onFields`. `timedOut` is the message after a time-out. Resolves to whether it succeeded.
   */
  readonly run: (
    work: () => Promise<unknown>,
    onFields?: (fields: Record<string, string>) => void,
    timedOut?: MessageId,
  ) => Promise<boolean>;
}

/** An action that a button performs on the server. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  return {
    busy,
    run: async (work, onFields, timedOut) => {
      if (busy) return false;
      setBusy(true);
      try {
        await work();
        return true;
      } catch (error) {
        reportFailure(error, timedOut && text(timedOut));
        if (error instanceof CallError && error.failure?.fields) onFields?.(error.failure.fields);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
