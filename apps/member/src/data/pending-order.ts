import { v7 as uuidv7 } from "uuid";
import type { Wallet } from "./account.ts";
import { storedMemberId } from "./member-id.ts";

/** An order whose answer is not here yet: exactly what was sent, so that it can be sent again as the same order. */
export interface PendingOrder {
  readonly clientOrderId: string;
  /** Whose order it is: nobody else who logs in on this tab may send it. */
  readonly member: string;
  readonly wallet: Wallet;
  readonly symbol: string;
  readonly direction: "up" | "down";
  readonly stake: string;
  readonly duration: number;
  readonly limitPrice?: string;
  /** As the member saw them: other ones at acceptance are refused. */
  readonly payoutRate: string;
  readonly fee: string;
  /** By the server's clock. */
  readonly sentAt: number;
}

const KEY = "fairtickPendingOrder";

/**
 * The time in ms, then 74 random bits, in the alphabet that client ids take: by their beginnings, the keys of many members'
 * ids come in nearly the order in which they are written (docs/decisions/0010).
 */
export function newClientId(): string {
  return uuidv7();
}

/** Kept before the first send. Session storage outlives a reload and belongs to this tab alone. */
export function keepPending(order: PendingOrder): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(order));
  } catch {
    // Without storage the id lives as long as the page: retries still carry it, a reload asks the list of orders.
  }
}

/** The answer to `order` is here, or to whichever one is kept; one that somebody has sent since stays. */
export function dropPending(order?: PendingOrder): void {
  try {
    if (order !== undefined && storedPending()?.clientOrderId !== order.clientOrderId) return;
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}

/** Whether the order is of the member who is logged in now. */
export function isOwn(order: PendingOrder): boolean {
  return order.member === storedMemberId();
}

/** The order of this member whose answer this tab still waits for, or null. */
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
