import { toHex } from "@fairtick/domain";
import type { Receipt } from "./receipt.ts";
import { parseTlogProof } from "./tlog-proof.ts";

/**
 * The places of an order's entries in the public log. Anyone can verify from them how the order was decided. Like the
 * log, they name no member and no amount.
 */
export interface ProofPlaces {
  readonly batch: number;
  readonly place: number;
  /** Places of the `orders.accept` and `orders.settle` entries, and of the configuration's, counted from 0. */
  readonly accepted: number;
  readonly settled: number;
  readonly config: number;
  /** Places of the `ticks` entries of the deciding minutes, oldest first. */
  readonly minutes: readonly number[];
  /** The first 16 hexadecimal digits of the order's commitment, so that it can't be confused with another order. */
  readonly commitment: string;
}

/** Returns a settled order's places from its receipt; null for version 1 or while an entry is in no checkpoint. */
export function proofPlacesOf(receipt: Receipt): ProofPlaces | null {
  if (receipt.v === 1) return null;
  const { batch, place, commitment } = receipt.acceptance;
  const minutes = receipt.minutes.map(({ logged }) => indexOf(logged));
  const accepted = indexOf(receipt.accepted);
  const settled = indexOf(receipt.settled);
  const config = indexOf(receipt.config.logged);
  const known = minutes.filter((index) => index !== null);
  if (accepted === null || settled === null || config === null || known.length < minutes.length) return null;
  return { batch, place, accepted, settled, config, minutes: known, commitment: toHex(commitment).slice(0, 16) };
}

function indexOf(logged: { readonly proof: string | null } | null): number | null {
  const proof = logged?.proof ?? null;
  return proof === null ? null : (parseTlogProof(proof)?.index ?? null);
}
