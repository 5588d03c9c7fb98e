import { readStored, removeStored, store } from "../shared/storage.ts";

/** Whether the member has just registered here and has not been shown around. */
export function welcomeIsDue(): boolean {
  return readStored("fairtickWelcome") === "due";
}

export function makeWelcomeDue(): void {
  store("fairtickWelcome", "due");
}

export function endWelcome(): void {
  removeStored("fairtickWelcome");
}
