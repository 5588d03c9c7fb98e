/** The message to the service worker, and its Background Sync tag: there are orders to open. */
export const OPEN_ORDERS = "fairtickOpenOrders";

/** The lock that lets only one page or worker open orders at a time. Opening an order twice has no further effect. */
export const OPENING_LOCK = "fairtickOpening";

/** Background Sync, which not every browser has. */
interface WithSync {
  readonly sync?: { register(tag: string): Promise<void> };
}

/**
 * Has the service worker open what this page may not live to open: now, and again once there is a network. In browsers
 * without service workers the app opens it at its next start.
 */
export async function wakeWorker(): Promise<void> {
  const workers = (navigator as Partial<Navigator>).serviceWorker;
  const registration = await workers?.getRegistration();
  if (!registration?.active) return;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a service worker is of this origin, and takes none
  registration.active.postMessage({ type: OPEN_ORDERS });
  await (registration as WithSync).sync?.register(OPEN_ORDERS);
}
