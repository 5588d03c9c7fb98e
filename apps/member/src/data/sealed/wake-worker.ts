/** What a page says to the service worker, and the name of its Background Sync: there are orders to open. */
export const OPEN_ORDERS = "fairtickOpenOrders";

/** Whoever opens orders, page or worker, does it alone. Opening one twice is one opening all the same. */
export const OPENING_LOCK = "fairtickOpening";

/** Background Sync, which not every browser has. */
interface WithSync {
  readonly sync?: { register(tag: string): Promise<void> };
}

/**
 * Has the service worker open what this page may not live to open: now, and again once there is a network. Browsers without
 * service workers open it at the app's next start.
 */
export async function wakeWorker(): Promise<void> {
  const workers = (navigator as Partial<Navigator>).serviceWorker;
  const registration = await workers?.getRegistration();
  if (!registration?.active) return;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a service worker is of this origin, and takes none
  registration.active.postMessage({ type: OPEN_ORDERS });
  await (registration as WithSync).sync?.register(OPEN_ORDERS);
}
