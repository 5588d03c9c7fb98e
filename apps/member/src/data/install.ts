/** Chromium's offer to install the app; other browsers make none. */
export interface InstallOffer extends Event {
  prompt(): Promise<{ readonly outcome: "accepted" | "dismissed" }>;
}

let offer: InstallOffer | null = null;
const watchers = new Set<() => void>();

function set(next: InstallOffer | null): void {
  offer = next;
  for (const watcher of watchers) watcher();
}

/** Keeps the browser's offer for the download screen instead of letting it come up anywhere. Heard from the start on. */
export function keepInstallOffer(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    set(event as InstallOffer);
  });
  addEventListener("appinstalled", () => {
    set(null);
  });
}

export function installOffer(): InstallOffer | null {
  return offer;
}

export function watchInstallOffer(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Takes the offer up: the browser asks. It can be taken once. */
export async function install(): Promise<void> {
  const taken = offer;
  set(null);
  await taken?.prompt();
}
