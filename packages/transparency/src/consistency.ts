import { equalBytes, merkleNode, type Hashes } from "@fairtick/domain";

/** The longest proof that RFC 6962 and C2SP allow: trees have fewer than 2^63 entries. */
export const PROOF_HASHES_MAX = 63;

export interface ConsistencyClaim {
  readonly oldSize: number;
  readonly oldRoot: Uint8Array;
  readonly newSize: number;
  readonly newRoot: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/**
 * Returns whether the newer tree begins with the older one unchanged (RFC 9162 section 2.1.4.2). If the older tree is
 * empty or both are equal, the proof must be empty.
 */
export function verifyConsistency(hashes: Hashes, claim: ConsistencyClaim): boolean {
  const { oldSize, oldRoot, newSize, newRoot, proof } = claim;
  const areSizes = Number.isSafeInteger(oldSize) && Number.isSafeInteger(newSize);
  if (!areSizes || oldSize < 0 || oldSize > newSize) return false;
  if (oldSize === newSize) return proof.length === 0 && equalBytes(oldRoot, newRoot);
  if (oldSize === 0) return proof.length === 0 && equalBytes(oldRoot, hashes.sha256(new Uint8Array(0)));
  // If the older tree is perfect, it is a node of the newer one, and the proof leaves that node's hash out.
  const [first, ...rest] = isPowerOfTwo(oldSize) ? [oldRoot, ...proof] : proof;
  if (first === undefined || proof.length === 0) return false;
  const roots = climb(hashes, first, rest, [oldSize - 1, newSize - 1]);
  return roots !== null && equalBytes(roots.old, oldRoot) && equalBytes(roots.new, newRoot);
}

/**
 * Calculates both trees' roots from the siblings, starting at the node that the trees share and the places of their
 * last entries. Null if the number of siblings doesn't fit the trees.
 */
function climb(
  hashes: Hashes,
  shared: Uint8Array,
  siblings: readonly Uint8Array[],
  places: readonly [old: number, new: number],
): { readonly old: Uint8Array; readonly new: Uint8Array } | null {
  let [oldPlace, newPlace] = places;
  while (oldPlace % 2 === 1) [oldPlace, newPlace] = [half(oldPlace), half(newPlace)];
  let [oldHash, newHash] = [shared, shared];
  for (const sibling of siblings) {
    if (newPlace === 0) return null;
    if (oldPlace % 2 === 1 || oldPlace === newPlace) {
      oldHash = merkleNode(hashes, sibling, oldHash);
      newHash = merkleNode(hashes, sibling, newHash);
      while (oldPlace % 2 === 0 && oldPlace !== 0) [oldPlace, newPlace] = [half(oldPlace), half(newPlace)];
    } else {
      newHash = merkleNode(hashes, newHash, sibling);
    }
    [oldPlace, newPlace] = [half(oldPlace), half(newPlace)];
  }
  return newPlace === 0 ? { old: oldHash, new: newHash } : null;
}

function half(place: number): number {
  return Math.floor(place / 2);
}

function isPowerOfTwo(count: number): boolean {
  return Number.isInteger(Math.log2(count));
}
