import { v7 as uuidv7 } from "uuid";
import type { Wallet } from "./account.ts";
import { storedMemberId } from "./member-id.ts";

/** An order that was sent but not yet answered, exactly as sent, so that it can be sent again as the same order. */
export interface PendingOrder {
  readonly clientOrderId: string;
  /** The member who placed it. No one else who logs in on this tab may send it. */
  readonly member: string;
  readonly wallet: Wallet;
  readonly symbol: string;
  readonly direction: "up" | "down";
  readonly stake: string;
  readonly duration: number;
  readonly limitPrice?: string;
  /** As the member saw it; an order is refused if it differs at acceptance. */
  readonly payoutRate: string;
  readonly fee: string;
  /** By the server's clock. */
  readonly sentAt: number;
}

const KEY = "fairtickPendingOrder";

/**
 * Returns a new client id: the time in ms, then 74 random bits, in the characters that client ids allow. Ids that
 * start with the time keep the database's keys nearly in insertion order across members (docs/decisions/0010).
 */
export function newClientId(): string {
  return uuidv7();
}

/** Stores the order before the first send. Session storage survives a reload and belongs to this tab only. */
export function keepPending(order: PendingOrder): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(order));
  } catch {
    // Without storage the id lasts as long as the page: retries still carry it, and a reload checks the list of orders.
  }
}

/** Removes `order`, or any stored order, once it is answered. A different order sent in the meantime stays. */
export function dropPending(order?: PendingOrder): void {
  try {
    if (order !== undefined && storedPending()?.clientOrderId !== order.clientOrderId) return;
    sessionStorage.removeItem(KEY);
  } catch {
    // There was no storage to begin with.
  }
}

/** Returns whether the order belongs to the logged-in member. */
export function isOwn(order: PendingOrder): boolean {
  return order.member === storedMemberId();
}

/** Returns this member's order that this tab still waits for, or null. */
export function readPending(): PendingOrder | null {
  const stored = storedPending();
  return stored !== null && isOwn(stored) ? stored : null;
}

function storedPending(): PendingOrder | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return isPending(stored) ? stored : null;
  } catch {
    return null;
  }
}

function isPending(value: unknown): value is PendingOrder {
  if (typeof value !== "object" || value === null) return false;
  const has = (name: string, type: string) => typeof Reflect.get(value, name) === type;
  return (
    ["clientOrderId", "member", "wallet", "symbol", "direction", "stake", "payoutRate", "fee"].every((name) =>
      has(name, "string"),
    ) &&
    has("duration", "number") &&
    has("sentAt", "number")
  );
}
