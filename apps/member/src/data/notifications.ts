import type { pushKey, pushSubscribe, pushUnsubscribe } from "@fairtick/protocol";
import { useSyncExternalStore } from "react";
import { useSettings } from "./settings.ts";
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

/**
 * Whether this browser may show notifications. `default`: it hasn't been decided. `unsupported`: a page can't show any,
 * as on an iPhone before the app is installed.
 */
export type Permission = NotificationPermission | "unsupported";

const watchers = new Set<() => void>();

function permissionHere(): Permission {
  return "Notification" in globalThis ? Notification.permission : "unsupported";
}

function watchPermission(watcher: () => void): () => void {
  watchers.add(watcher);
  // Someone may come back from the browser's settings.
  document.addEventListener("visibilitychange", watcher);
  return () => {
    watchers.delete(watcher);
    document.removeEventListener("visibilitychange", watcher);
  };
}

/**
 * Whether the member gets notifications on this device. The setting is the member's and the same on every device, the
 * permission is this browser's.
 */
export function useNotified(): boolean {
  const permission = useSyncExternalStore(watchPermission, permissionHere);
  return useSettings().notifications && permission === "granted";
}

/** Asks for permission to show notifications, and returns the answer. */
export async function allowNotifications(): Promise<Permission> {
  const permission = "Notification" in globalThis ? await Notification.requestPermission() : "unsupported";
  for (const watcher of watchers) watcher();
  return permission;
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
