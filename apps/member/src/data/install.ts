/** Chromium's event that offers to install the app. Other browsers don't have it. */
export interface InstallOffer extends Event {
  prompt(): Promise<{ readonly outcome: "accepted" | "dismissed" }>;
}

let offer: InstallOffer | null = null;
const watchers = new Set<() => void>();

function set(next: InstallOffer | null): void {
  offer = next;
  for (const watcher of watchers) watcher();
}

/** Holds back the browser's install offer for the download screen. Must listen from the start of the page. */
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

/** Opens the browser's install dialog. Each offer works once. */
export async function install(): Promise<void> {
  const taken = offer;
  set(null);
  await taken?.prompt();
}
