import { type Hashes, privateHash, privateJson, toHex } from "@fairtick/domain";
import { signBatchRoot } from "./acceptance.ts";
import { type BoardReveal, formatBoardLine, type Posting, readBoardLine, formatPosting } from "./board.ts";
import type { SignerKey } from "./keys.ts";
import type { Placed } from "./testing-house.ts";

export { START } from "./testing-house.ts";
export { acceptanceKey } from "./testing-receipt.ts";

/** For tests: makes a device's posting about an order that a house accepted under this key. */
export function postingOf(hashes: Hashes, { order, choice, openings, batch, place }: Placed, key: SignerKey): Posting {
  const own = privateHash(hashes, openings.own, privateJson(order));
  const count = batch.commitments.length;
  const { symbol, durationSeconds: duration } = order;
  const bound = { accepted: count, acceptedAt: batch.acceptedAt, batch: batch.number, count, place };
  const signed = {
    key: toHex(key.verifier.id),
    path: batch.tree.pathOf(place),
    signature: signBatchRoot(key, batch.root),
  };
  return { ...bound, ...signed, ...choice, duration, nonce: openings.terms, own, sealNonce: openings.seal, symbol };
}

/** Makes a posting as it appears on a witness's board since `at` (ms). */
export function boardReveal(witness: SignerKey, at: bigint, posting: Posting): BoardReveal {
  const told = readBoardLine(formatBoardLine(witness, 0, at, formatPosting(posting)), [witness.verifier]);
  if (told === null) throw new Error("no line of a board");
  return told;
}
