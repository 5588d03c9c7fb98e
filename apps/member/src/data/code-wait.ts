const KEY = "fairtickCodeWait";

/** Until when no other code goes to an address. It outlives the screen: its language and region are chosen on others. */
const waits = new Map<string, number>(readWait());

/** The newest wait outlives a reload too: otherwise the button would invite a tap that the server refuses. */
function readWait(): [string, number][] {
  try {
    const [to, until] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as unknown[];
    return typeof to === "string" && typeof until === "number" ? [[to, until]] : [];
  } catch {
    return [];
  }
}

/** Keeps until when no other code goes to that address. */
export function keepWait(to: string, until: number): void {
  waits.set(to, until);
  try {
    sessionStorage.setItem(KEY, JSON.stringify([to, until]));
  } catch {
    // Without storage it lives as long as the page.
  }
}

/** When another code may be asked for, by the server's clock; 0 where nothing stands against it. */
export function codeWait(to: string): number {
  return waits.get(to) ?? 0;
}

/** Once somebody is logged in the tab keeps no address of theirs: the next one on it may be another. */
export function dropCodeWait(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}
