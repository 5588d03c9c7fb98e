import { useSyncExternalStore } from "react";

/** Reads the address: `#/members/usr_…` → `members/usr_…`, a screen and the case chosen in it. */
function read(): string {
  return location.hash.replace(/^#\/?/, "");
}

function listen(changed: () => void): () => void {
  addEventListener("hashchange", changed);
  return () => removeEventListener("hashchange", changed);
}

export function useRoute(): readonly string[] {
  return useSyncExternalStore(listen, read).split("/");
}

/** Chooses a case. It replaces the address, so that Back leaves the screen instead of stepping through rows. */
export function choose(screen: string, id: string | null): void {
  history.replaceState(null, "", id === null ? `#/${screen}` : `#/${screen}/${id}`);
  dispatchEvent(new HashChangeEvent("hashchange"));
}
