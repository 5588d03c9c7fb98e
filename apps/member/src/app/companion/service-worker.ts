/**
 * Registers and updates the service worker, which caches the app on the device and shows pushes. A newer version waits
 * for `takeUpdate`.
 */
import { trustedScript } from "../../shared/trusted-script.ts";
import { quietMoment } from "./quiet-moment.ts";

const ADDRESS = "/service-worker.js";
const LOOK_EVERY_MS = 60 * 60_000;
const TAKEN_MS_MAX = 5_000;
/** Longest wait for the download of a whole version. */
const INSTALLED_MS_MAX = 20_000;

let registration: ServiceWorkerRegistration | null = null;
let isWaiting = false;
const watchers = new Set<() => void>();

function noteWaiting(): void {
  // The first worker replaces nothing, so it isn't an update.
  isWaiting = registration?.waiting !== null && navigator.serviceWorker.controller !== null;
  for (const watcher of watchers) watcher();
}

/**
 * Registers the service worker in a quiet moment, because its first installation downloads the whole app and would
 * slow down a chart that is being dragged. Then checks for updates at intervals. Does nothing in browsers without
 * service workers.
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
  // Without a network the check fails, which is harmless.
  registration?.update().catch(() => undefined);
}

export function updateWaits(): boolean {
  return isWaiting;
}

export function watchUpdates(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Resolves when a worker's installation has ended, successfully or not, or takes too long. */
async function installed(worker: ServiceWorker): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = () => {
      if (worker.state !== "installing") resolve();
    };
    worker.addEventListener("statechange", look);
    setTimeout(resolve, INSTALLED_MS_MAX);
    look();
  });
}

/** Activates the newer version, once it is installed, and reloads the page with it. */
export async function takeUpdate(): Promise<void> {
  await registration?.update().catch(() => undefined);
  // The check for an update ends when the installation starts. A reload now would bring the old version again.
  if (registration?.installing) await installed(registration.installing);
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
