import { useState, type FormEvent } from "react";

/** Runs the action of a form or button, one at a time. `wrong` is the message to show when it failed. */
export function useAsking() {
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const run = async (what: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(true);
    setWrong(null);
    try {
      await what();
    } catch (failure) {
      setWrong(failure instanceof Error ? failure.message : String(failure));
    } finally {
      setBusy(false);
    }
  };
  const ask = (what: () => Promise<unknown>) => (event: FormEvent) => {
    event.preventDefault();
    return run(what);
  };
  return { wrong, busy, run, ask };
}
