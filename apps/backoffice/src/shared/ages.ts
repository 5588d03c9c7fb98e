/** Formats how long something has waited, in its two largest units: `6 min`, `2 h 51 min`, `3 d 4 h`. */
export function age(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return hours % 24 === 0 ? `${Math.floor(hours / 24)} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const DAY_MS = 86_400_000;

/** Places an age on a scale from now to one day, in percent. The square root gives the first minutes room. */
export function placeOfAge(ms: number): number {
  return Math.sqrt(Math.min(Math.max(ms, 0), DAY_MS) / DAY_MS) * 100;
}
