const KEY = "fairtickCodeWait";

/**
 * When another code may be sent, by address. Kept outside the screen, because language and region are chosen on
 * others.
 */
const waits = new Map<string, number>(readWait());

/** Reads the newest wait after a reload. Without it the button would invite a tap that the server refuses. */
function readWait(): [string, number][] {
  try {
    const [to, until] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as unknown[];
    return typeof to === "string" && typeof until === "number" ? [[to, until]] : [];
  } catch {
    return [];
  }
}

/** Stores when another code may be sent to an address. */
export function keepWait(to: string, until: number): void {
  waits.set(to, until);
  try {
    sessionStorage.setItem(KEY, JSON.stringify([to, until]));
  } catch {
    // Without storage it lasts until the page is left.
  }
}

/** Returns when another code may be requested, by the server's clock; 0 if it may be requested now. */
export function codeWait(to: string): number {
  return waits.get(to) ?? 0;
}

/** Removes the stored address after a login, because the next person on this tab may be someone else. */
export function dropCodeWait(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // There was no storage to begin with.
  }
}
