/** How long someone has been in the app without a real break, kept across reloads. Times in ms. */
export interface Sitting {
  readonly startedAt: number;
  /** When the app was last in view. */
  readonly seenAt: number;
  /** Length of the sitting in minutes when a reminder was last answered; 0 before. */
  readonly answeredAt: number;
}

/** An absence longer than this starts a new sitting. */
export const BREAK_MS = 15 * 60_000;
const MINUTE_MS = 60_000;

/** Returns the sitting at `now` with the app in view: the stored one, or a new one after a break. */
export function goOnSitting(kept: Sitting | null, now: number): Sitting {
  if (kept === null || now - kept.seenAt > BREAK_MS || now < kept.startedAt) {
    return { startedAt: now, seenAt: now, answeredAt: 0 };
  }
  return { ...kept, seenAt: now };
}

/** Returns the whole minutes so far if a reminder of `everyMinutes` is due and unanswered; otherwise null. */
export function reminderDue(sitting: Sitting, everyMinutes: number | null): number | null {
  if (everyMinutes === null) return null;
  const minutes = minutesOf(sitting);
  // Compared in minutes, not in reminders, because the member may have changed the interval since.
  return Math.floor(minutes / everyMinutes) > Math.floor(sitting.answeredAt / everyMinutes) ? minutes : null;
}

/** Marks all reminders due so far as answered. */
export function answerReminder(sitting: Sitting): Sitting {
  return { ...sitting, answeredAt: minutesOf(sitting) };
}

function minutesOf({ seenAt, startedAt }: Sitting): number {
  return Math.floor((seenAt - startedAt) / MINUTE_MS);
}

/** Returns what was stored if it is a valid sitting, or null. */
export function readSitting(stored: unknown): Sitting | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { startedAt, seenAt, answeredAt } = stored as Partial<Record<keyof Sitting, unknown>>;
  if (typeof startedAt !== "number" || typeof seenAt !== "number" || typeof answeredAt !== "number") return null;
  return { startedAt, seenAt, answeredAt };
}
