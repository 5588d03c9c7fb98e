/** How long somebody has been here without a real break, kept over reloads. Times in ms. */
export interface Sitting {
  readonly startedAt: number;
  /** When the app was last in view. */
  readonly seenAt: number;
  /** How many minutes it had lasted when a reminder was answered last; 0 before. */
  readonly answeredAt: number;
}

/** Away for longer than this, a member begins anew. */
export const BREAK_MS = 15 * 60_000;
const MINUTE_MS = 60_000;

/** The sitting at `now`, with the app in view: the one that was kept, or a new one after a break. */
export function goOnSitting(kept: Sitting | null, now: number): Sitting {
  if (kept === null || now - kept.seenAt > BREAK_MS || now < kept.startedAt) {
    return { startedAt: now, seenAt: now, answeredAt: 0 };
  }
  return { ...kept, seenAt: now };
}

/** Whole minutes here, where a reminder of `everyMinutes` is due and not answered yet; otherwise null. */
export function reminderDue(sitting: Sitting, everyMinutes: number | null): number | null {
  if (everyMinutes === null) return null;
  const minutes = minutesOf(sitting);
  // In minutes, not in reminders: the member may change how often they want them meanwhile.
  return Math.floor(minutes / everyMinutes) > Math.floor(sitting.answeredAt / everyMinutes) ? minutes : null;
}

/** All reminders that are due by now count as answered by one "go on". */
export function answerReminder(sitting: Sitting): Sitting {
  return { ...sitting, answeredAt: minutesOf(sitting) };
}

function minutesOf({ seenAt, startedAt }: Sitting): number {
  return Math.floor((seenAt - startedAt) / MINUTE_MS);
}

/** What was stored, if it is a sitting. */
export function readSitting(stored: unknown): Sitting | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { startedAt, seenAt, answeredAt } = stored as Partial<Record<keyof Sitting, unknown>>;
  if (typeof startedAt !== "number" || typeof seenAt !== "number" || typeof answeredAt !== "number") return null;
  return { startedAt, seenAt, answeredAt };
}
