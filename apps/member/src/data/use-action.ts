import type { MessageId } from "@fairtick/i18n";
import { useState } from "react";
import { text } from "../shared/i18n.ts";
import { reportFailure } from "./failures.ts";
import { CallError } from "./transport.ts";

export interface Action {
  readonly busy: boolean;
  /**
   * Does it once at a time. A failure is said as a toast; what the server said about single fields goes to
   * `onFields`. `timedOut` says what to do where no answer came in time. Resolves to whether it was done.
   */
  readonly run: (
    work: () => Promise<unknown>,
    onFields?: (fields: Record<string, string>) => void,
    timedOut?: MessageId,
  ) => Promise<boolean>;
}

/** Something a button does on the server. */
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
