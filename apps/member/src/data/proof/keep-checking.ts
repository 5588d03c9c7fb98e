import { watchEvidence } from "../sealed/evidence.ts";
import { watchSession } from "../session.ts";
import { dropAlarms, raiseEvidence } from "./alarms.ts";

const FIRST_MS = 20_000;
const EVERY_MS = 15_000;

let isKept = false;

/**
 * Keeps checking for as long as the page lives, while it is visible. Faults are raised as alarms. The verifier is
 * loaded when the first round begins, well after the first view.
 */
export function keepChecking(): void {
  if (isKept) return;
  isKept = true;
  watchEvidence(raiseEvidence);
  watchSession(() => {
    dropAlarms();
    setTimeout(checkSoon, FIRST_MS);
  });
  setTimeout(checkSoon, FIRST_MS);
  setInterval(checkSoon, EVERY_MS);
}

function checkSoon(): void {
  if (document.visibilityState === "visible") void check().catch(() => undefined);
}

async function check(): Promise<void> {
  const { checkOnce } = await import("./check-round.ts");
  await checkOnce();
}
