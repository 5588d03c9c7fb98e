import type { PlacedOrder } from "@fairtick/protocol";
import { readStoredJson, removeStored, store } from "../shared/storage.ts";

/** What the answer to an order bound at once, kept by this phone so that a receipt can be compared with it later. */
export interface KeptAcceptance {
  readonly orderNo: string;
  readonly batchNo: string;
  readonly place: number;
  readonly nonce: string;
  readonly root: string;
}

const KEPT_MAX = 200;

export function keepAcceptance(orderNo: string, acceptance: NonNullable<PlacedOrder["acceptance"]>): void {
  const { batchNo, place, nonce, root } = acceptance;
  if (batchNo === null || place === null || nonce === null || root === null) return;
  const others = readKept().filter((each) => each.orderNo !== orderNo);
  const all = [{ orderNo, batchNo, place, nonce, root }, ...others];
  store("fairtickAcceptances", JSON.stringify(all.slice(0, KEPT_MAX)));
}

/** What was agreed is for the member's eyes: a logout leaves none of it behind. */
export function forgetAcceptances(): void {
  removeStored("fairtickAcceptances");
}

/** Null for an order that was placed on another device, or long ago. */
export function keptAcceptance(orderNo: string): KeptAcceptance | null {
  return readKept().find((each) => each.orderNo === orderNo) ?? null;
}

function readKept(): KeptAcceptance[] {
  const stored = readStoredJson("fairtickAcceptances");
  return Array.isArray(stored) ? stored.filter(isKept) : [];
}

function isKept(value: unknown): value is KeptAcceptance {
  if (typeof value !== "object" || value === null) return false;
  const texts = ["orderNo", "batchNo", "nonce", "root"].every((name) => typeof Reflect.get(value, name) === "string");
  return texts && typeof Reflect.get(value, "place") === "number";
}
