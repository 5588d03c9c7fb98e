import { useSyncExternalStore } from "react";

/** `#/members/usr_…` → `["members", "usr_…"]`: the screen, and what is chosen in it. */
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

/** Choosing a row replaces the address, so that Back leaves the screen and not each row. */
export function choose(screen: string, id: string | null): void {
  history.replaceState(null, "", id === null ? `#/${screen}` : `#/${screen}/${id}`);
  dispatchEvent(new HashChangeEvent("hashchange"));
}
