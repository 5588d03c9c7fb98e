import type { pushKey, pushSubscribe, pushUnsubscribe } from "@fairtick/protocol";
import { ask } from "./transport.ts";

export interface Note {
  readonly title: string;
  readonly body: string;
  /** The server's note of the same thing bears the same tag: the one takes the other's place. */
  readonly tag: string;
  readonly route: string;
}

async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  return "serviceWorker" in navigator ? navigator.serviceWorker.getRegistration() : undefined;
}

/** Shows a notification, where the browser has been asked and said yes. */
export async function showNote({ title, body, tag, route }: Note): Promise<void> {
  if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
  const options = { body, tag, icon: "/icons/icon-192.png", badge: "/icons/badge-96.png", data: { route } };
  await (await registration())?.showNotification(title, options);
}

/** Asks the browser; false where it, or the person, does not allow it. */
export async function allowNotifications(): Promise<boolean> {
  if (!("Notification" in globalThis)) return false;
  return (await Notification.requestPermission()) === "granted";
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

/**
 * Lets the server reach this browser while the app is closed, for as long as this session lasts. Where the browser has
 * no push service, notifications come while the app is open, and that is all there is to say.
 */
export async function listenWhileClosed(): Promise<void> {
  const worker = await registration();
  if (worker === undefined || !("pushManager" in worker)) return;
  if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
  const { key } = await ask<typeof pushKey>("push/key", {});
  const subscription =
    (await worker.pushManager.getSubscription()) ??
    (await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) }));
  const { endpoint, keys } = subscription.toJSON();
  if (endpoint === undefined || keys?.["p256dh"] === undefined || keys["auth"] === undefined) return;
  await ask<typeof pushSubscribe>("push/subscribe", { endpoint, p256dh: keys["p256dh"], auth: keys["auth"] });
}

/** Takes that back, here and on the server. */
export async function stopListening(): Promise<void> {
  const subscription = await (await registration())?.pushManager.getSubscription();
  if (!subscription) return;
  await ask<typeof pushUnsubscribe>("push/unsubscribe", { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}
