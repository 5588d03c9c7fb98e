import type { pushKey, pushSubscribe, pushUnsubscribe } from "@fairtick/protocol";
import { ask } from "./transport.ts";

export interface Note {
  readonly title: string;
  readonly body: string;
  /** The server's push about the same thing has the same tag, so that one replaces the other. */
  readonly tag: string;
  readonly route: string;
}

async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  return "serviceWorker" in navigator ? navigator.serviceWorker.getRegistration() : undefined;
}

/** Shows a notification if the browser's permission has been granted. */
export async function showNote({ title, body, tag, route }: Note): Promise<void> {
  if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
  const options = { body, tag, icon: "/icons/icon-192.png", badge: "/icons/badge-96.png", data: { route } };
  await (await registration())?.showNotification(title, options);
}

/** Asks for permission to show notifications; false if the browser or the person doesn't allow it. */
export async function allowNotifications(): Promise<boolean> {
  if (!("Notification" in globalThis)) return false;
  return (await Notification.requestPermission()) === "granted";
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

/**
 * Subscribes this browser to pushes while the app is closed, for as long as this session lasts. In browsers without a
 * push service, notifications come only while the app is open, which isn't an error.
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

/** Ends the push subscription, in the browser and on the server. */
export async function stopListening(): Promise<void> {
  const subscription = await (await registration())?.pushManager.getSubscription();
  if (!subscription) return;
  await ask<typeof pushUnsubscribe>("push/unsubscribe", { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}
