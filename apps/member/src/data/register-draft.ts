import type { Contact } from "../shared/contact.ts";

/** What was typed on the registration so far and may outlive the page. */
export interface RegisterDraft extends Contact {
  /** Two letters. */
  readonly region: string;
  readonly inviteCode: string;
}

/**
 * Named one by one, whatever else is handed in: passwords and codes must not lie in a storage that a browser may bring
 * back with a closed tab, and the texts are agreed to with the page at hand.
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
 * A phone drops the page while its owner reads the code in the mail, and a reload is how one gets over a bad connection:
 * neither should cost the form. Session storage outlives both, belongs to this tab alone and ends with it. What is not
 * known, as a region before the list of them is here, stays as it was kept.
 */
export function keepRegisterDraft(typed: { readonly [Name in keyof RegisterDraft]: string | undefined }): void {
  const kept = readRegisterDraft();
  try {
    sessionStorage.setItem(
      KEY,
      JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, typed[name] ?? kept[name]]))),
    );
  } catch {
    // Without storage it lives as long as the page.
  }
}

/** What this tab kept of it; nothing of what cannot be read. */
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
    // Nothing was kept.
  }
}
