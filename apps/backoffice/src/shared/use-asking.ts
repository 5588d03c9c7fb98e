import { useState, type FormEvent } from "react";

/** Runs what a form or a button asks for, one at a time, and says what went wrong. */
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
