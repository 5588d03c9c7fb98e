import { useSyncExternalStore } from "react";

/** Reads the address: `#/members/usr_…` → `members/usr_…`, a screen and the case chosen in it. */
function read(): string {
  return location.hash.replace(/^#\/?/, "").replace(/\?.*$/, "");
}

/** Reads the view of a queue from the address: `#/withdrawals?view=review` → `review`; empty for the default. */
function readView(): string {
  return new URLSearchParams(location.hash.replace(/^[^?]*\??/, "")).get("view") ?? "";
}

function listen(changed: () => void): () => void {
  addEventListener("hashchange", changed);
  return () => removeEventListener("hashchange", changed);
}

function replace(path: string, view: string): void {
  history.replaceState(null, "", view === "" ? `#/${path}` : `#/${path}?view=${view}`);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useRoute(): readonly string[] {
  return useSyncExternalStore(listen, read).split("/");
}

/** Chooses a case. It replaces the address, so that Back leaves the screen instead of stepping through rows. */
export function choose(screen: string, id: string | null): void {
  const isHere = read().split("/")[0] === screen;
  replace(id === null ? screen : `${screen}/${id}`, isHere ? readView() : "");
}

/** The view of a queue. It is part of the address, so that it can be shared as a link. The first one is the default. */
export function useView<View extends string>(
  views: readonly { readonly value: View }[],
): readonly [view: View, show: (view: View) => void] {
  const named = useSyncExternalStore(listen, readView);
  const usual = views[0]?.value as View;
  const view = views.find(({ value }) => value === named)?.value ?? usual;
  return [view, (next) => replace(read(), next === usual ? "" : next)];
}
