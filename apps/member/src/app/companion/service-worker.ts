/**
 * The app's service worker: keeps the app itself on the device, and shows what the server pushes. A newer one waits until
 * `takeUpdate`.
 */
import { trustedScript } from "../../shared/trusted-script.ts";
import { quietMoment } from "./quiet-moment.ts";

const ADDRESS = "/service-worker.js";
const LOOK_EVERY_MS = 60 * 60_000;
const TAKEN_MS_MAX = 5_000;

let registration: ServiceWorkerRegistration | null = null;
let isWaiting = false;
const watchers = new Set<() => void>();

function noteWaiting(): void {
  // The first one has nobody to take over from: it is no update.
  isWaiting = registration?.waiting !== null && navigator.serviceWorker.controller !== null;
  for (const watcher of watchers) watcher();
}

/**
 * Registers it in a quiet moment, since its first installation fetches the whole app and would slow down the frames of a
 * chart that is being dragged; looks for a newer one now and then. Browsers without service workers go without.
 */
export async function keepServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  await quietMoment();
  registration = await navigator.serviceWorker.register(trustedScript(ADDRESS), { updateViaCache: "none" });
  noteWaiting();
  registration.addEventListener("updatefound", () => {
    registration?.installing?.addEventListener("statechange", noteWaiting);
  });
  setInterval(lookForUpdate, LOOK_EVERY_MS);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") lookForUpdate();
  });
}

function lookForUpdate(): void {
  // Without a network there is nothing newer to find.
  registration?.update().catch(() => undefined);
}

export function updateWaits(): boolean {
  return isWaiting;
}

export function watchUpdates(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Lets the newer version take over, and loads the page anew with it. */
export async function takeUpdate(): Promise<void> {
  await registration?.update().catch(() => undefined);
  const { waiting } = registration ?? {};
  if (waiting) {
    const taken = new Promise<void>((resolve) => {
      navigator.serviceWorker.addEventListener("controllerchange", () => {
        resolve();
      });
      setTimeout(resolve, TAKEN_MS_MAX);
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a service worker is of this origin, and takes none
    waiting.postMessage({ type: "SKIP_WAITING" });
    await taken;
  }
  location.reload();
}
