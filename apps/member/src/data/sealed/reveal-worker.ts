import { openWithoutPage } from "./open-without-page.ts";
import { OPEN_ORDERS } from "./wake-worker.ts";

/** Part of the service worker: opens sealed orders after the page that placed them was closed. */
interface Extendable {
  waitUntil(work: Promise<unknown>): void;
}

addEventListener("message", (event) => {
  if ((event.data as { type?: unknown } | null)?.type !== OPEN_ORDERS) return;
  (event as unknown as Extendable).waitUntil(openWithoutPage());
});

addEventListener("sync", (event) => {
  const sync = event as unknown as Extendable & { readonly tag: string };
  if (sync.tag !== OPEN_ORDERS) return;
  const work = openWithoutPage().then((isAll) => {
    // The browser retries a sync that fails.
    if (!isAll) throw new Error("some orders could not be opened yet");
  });
  sync.waitUntil(work);
});

// A push wakes the worker of a closed app, which is a good moment to look for orders.
addEventListener("push", (event) => {
  (event as unknown as Extendable).waitUntil(openWithoutPage());
});
