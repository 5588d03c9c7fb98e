/**
 * Local storage under the specification's names. In a browser that refuses storage (private modes), values last as long
 * as the page.
 */
export type StoredKey =
  | "exchange2508Token"
  | "loginState"
  | "languageData"
  | "lang"
  | "fairtickSettings"
  | "fairtickFont"
  | "fairtickChart"
  | "fairtickChart2"
  | "fairtickOrderChart"
  | "fairtickDrawings"
  | "fairtickDesk"
  | "fairtickOneTap"
  | "fairtickSitting"
  | "fairtickWelcome"
  | "fairtickCredit"
  | "fairtickCredited"
  | "fairtickCurve"
  | "fairtickKeys"
  | "fairtickSeenLog"
  | "fairtickAcceptances"
  | "fairtickBoards"
  | "fairtickFavourites"
  | "fairtickRunning";

const fallback = new Map<StoredKey, string>();

export function readStored(key: StoredKey): string | null {
  // A value that couldn't be stored is newer than the stored one: a full storage can still be read.
  const unstored = fallback.get(key);
  if (unstored !== undefined) return unstored;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key: StoredKey, value: string): void {
  try {
    localStorage.setItem(key, value);
    fallback.delete(key);
  } catch {
    fallback.set(key, value);
  }
}

export function removeStored(key: StoredKey): void {
  fallback.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // There was no storage to begin with.
  }
}

/** Returns the stored JSON value, or null if there is none or it can't be parsed. */
export function readStoredJson(key: StoredKey): unknown {
  const stored = readStored(key);
  if (stored === null) return null;
  try {
    return JSON.parse(stored) as unknown;
  } catch {
    return null;
  }
}
