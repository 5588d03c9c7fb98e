import type { OrderDevice } from "@fairtick/protocol";
import { useSyncExternalStore } from "react";
import { storedMemberId } from "../member-id.ts";
import { keepKnownDevices, type KeptOrigin } from "../sealed/evidence-shelf.ts";

/**
 * Who placed an order that didn't come from this device: another of the member's devices whose key is in the log, no
 * known device, or an API client without sealing. The house can't forge an order that passes for a member's own.
 */
export type Origin = "device" | "open" | "noDevice";

let origins: ReadonlyMap<string, KeptOrigin> = new Map();
let readFor = "";
const watchers = new Set<() => void>();

/** Returns who placed an order; undefined if it wasn't checked yet or was placed on this device. */
export function useOrigin(orderNo: string): KeptOrigin | undefined {
  return useSyncExternalStore(watchOrigins, () => (readFor === storedMemberId() ? origins.get(orderNo) : undefined));
}

function watchOrigins(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Returns a member's origins by order number; null if they haven't been loaded. */
export function originsOf(member: string): ReadonlyMap<string, KeptOrigin> | null {
  return readFor === member ? origins : null;
}

export function setOrigins(member: string, next: ReadonlyMap<string, KeptOrigin>): void {
  origins = next;
  readFor = member;
  for (const watcher of watchers) watcher();
}

/** Records that the member recognizes a device as theirs. */
export async function ownUpTo({ publicKey }: OrderDevice): Promise<void> {
  await keepKnownDevices([{ member: storedMemberId(), publicKey }]);
}
