import type { Contact } from "../shared/contact.ts";

/** What was typed in the registration form and may be stored. */
export interface RegisterDraft extends Contact {
  /** Two letters. */
  readonly region: string;
  readonly inviteCode: string;
}

/**
 * The stored fields, listed one by one so that nothing else is stored. Passwords and codes must not be in a storage
 * that a browser may restore with a closed tab, and agreement to the texts is given on the open page.
 */
const NAMES = [
  "region",
  "channel",
  "dialCode",
  "phone",
  "email",
  "inviteCode",
] as const satisfies (keyof RegisterDraft)[];

const KEY = "fairtickRegisterDraft";

/**
 * Stores the registration form. A phone may drop the page while its owner reads the code in their mail, and people
 * reload on a bad connection; neither should clear the form. Session storage survives both, belongs to this tab only
 * and ends with it. Fields that are still undefined, such as the region before the list of regions has loaded, keep
 * their stored value.
 */
export function keepRegisterDraft(typed: { readonly [Name in keyof RegisterDraft]: string | undefined }): void {
  const kept = readRegisterDraft();
  try {
    sessionStorage.setItem(
      KEY,
      JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, typed[name] ?? kept[name]]))),
    );
  } catch {
    // Without storage it lasts as long as the page.
  }
}

/** Returns the form stored in this tab; empty if there is none or it can't be read. */
export function readRegisterDraft(): Partial<RegisterDraft> {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    return Object.fromEntries(
      NAMES.map((name) => [name, stored[name]]).filter(([, typed]) => typeof typed === "string"),
    );
  } catch {
    return {};
  }
}

export function dropRegisterDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // There was no storage to begin with.
  }
}
