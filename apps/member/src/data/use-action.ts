import { useState } from "react";
import { reportFailure } from "./queries.ts";
import { CallError } from "./transport.ts";

export interface Action {
  readonly busy: boolean;
  /**
   * Does it once at a time. A failure is said as a toast; what the server said about single fields goes to
   * `onFields`. Resolves to whether it was done.
   */
  readonly run: (work: () => Promise<unknown>, onFields?: (fields: Record<string, string>) => void) => Promise<boolean>;
}

/** Something a button does on the server. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  return {
    busy,
    run: async (work, onFields) => {
      if (busy) return false;
      setBusy(true);
      try {
        await work();
        return true;
      } catch (error) {
        reportFailure(error);
        if (error instanceof CallError && error.failure?.fields) onFields?.(error.failure.fields);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
