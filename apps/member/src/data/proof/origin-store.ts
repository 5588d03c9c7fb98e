import type { OrderDevice } from "@fairtick/protocol";
import { useSyncExternalStore } from "react";
import { storedMemberId } from "../member-id.ts";
import { keepKnownDevices, type KeptOrigin } from "../sealed/evidence-shelf.ts";

/**
 * Who made an order that this device did not place: another device of the member whose key is in the log, nobody at all, or an API
 * client in the open. A house can place no order in a member's name that passes for one of their own.
 */
export type Origin = "device" | "open" | "noDevice";

let origins: ReadonlyMap<string, KeptOrigin> = new Map();
let readFor = "";
const watchers = new Set<() => void>();

/** What is known of who made an order; undefined before it was looked at, and of one placed on this device. */
export function useOrigin(orderNo: string): KeptOrigin | undefined {
  return useSyncExternalStore(watchOrigins, () => (readFor === storedMemberId() ? origins.get(orderNo) : undefined));
}

function watchOrigins(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** By order number; null where another member's were read, or none yet. */
export function originsOf(member: string): ReadonlyMap<string, KeptOrigin> | null {
  return readFor === member ? origins : null;
}

export function setOrigins(member: string, next: ReadonlyMap<string, KeptOrigin>): void {
  origins = next;
  readFor = member;
  for (const watcher of watchers) watcher();
}

/** The member says that the device is theirs. */
export async function ownUpTo({ publicKey }: OrderDevice): Promise<void> {
  await keepKnownDevices([{ member: storedMemberId(), publicKey }]);
}
