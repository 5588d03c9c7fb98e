import type { Direction } from "@fairtick/domain";
import { parseVerifierKey, type VerifierKey, verifyReveal } from "@fairtick/transparency";
import type { KeptChoice } from "./shelf.ts";

/**
 * Judges the house's acknowledgement of a reveal. Only a valid one opens an order: with any other answer the house could
 * claim later that the reveal never came. Used by page and service worker.
 */

/** What was revealed of an order. */
export interface Revealed {
  readonly orderNo: string;
  readonly direction: string;
  /** In points; null for any entry price. */
  readonly limitPoints: bigint | null;
  /** 32 bytes in hexadecimal. */
  readonly nonce: string;
}

/**
 * Returns whether one of the house's acceptance keys signed that it received exactly this reveal.
 *
 * @param acknowledged As answered
 */
export function isSignedFor(
  acceptanceKeys: readonly VerifierKey[],
  { orderNo, direction: told, limitPoints, nonce }: Revealed,
  acknowledged: unknown,
): boolean {
  const { at, signature, key } = (acknowledged ?? {}) as { at?: unknown; signature?: unknown; key?: unknown };
  const direction: Direction | null = told === "up" || told === "down" ? told : null;
  const isWhole = typeof at === "number" && Number.isSafeInteger(at) && at >= 0;
  if (!isWhole || direction === null || typeof signature !== "string" || typeof key !== "string") return false;
  const signed = { orderNo, direction, limitPrice: limitPoints, nonce, at: BigInt(at) };
  return verifyReveal({ acceptanceKeys }, signed, { key, signature });
}

/** Returns the acceptance keys that were stored with a choice; null if there are none. */
export function keptKeys({ judging }: Pick<KeptChoice, "judging">): readonly VerifierKey[] | null {
  return judging === undefined ? null : judging.keys.flatMap((line) => parseVerifierKey(line) ?? []);
}

/** Judges by what the page stored with the choice, because the service worker can't read the pinned keys. */
export function isAcknowledgedAsKept(
  choice: Pick<KeptChoice, "judging" | "direction" | "nonce"> & { readonly orderNo: string },
  acknowledged: unknown,
): boolean {
  const keys = keptKeys(choice);
  const points = choice.judging?.limitPoints ?? null;
  const limitPoints = points === null ? null : BigInt(points);
  return keys !== null && isSignedFor(keys, { ...choice, limitPoints }, acknowledged);
}
