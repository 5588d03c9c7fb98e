import { concatBytes, u64, utf8, type Hashes, type Points, type Tick } from "@fairtick/domain";
import { signBytes, verifyBytes, type SignerKey, type VerifierKey } from "./keys.ts";

/**
 * Prefixes of the two signatures that bind the house to an order before its prices are known: over the root of its
 * batch, which comes with the answer, and over the head of each tick slot. An acceptance key (Ed25519, type 0x01) makes
 * both. The prefixes differ, so a signature over one kind of message is never valid for the other, or for a note.
 */
const BATCH_SIGNED = utf8("BATCH1/signed\0");
const HEAD_SIGNED = utf8("SLOT1/signed\0");
const HEAD_PREFIX = utf8("SLOT1\0");

/** Returns the bytes that are signed for a batch. */
export function batchRootMessage(root: Uint8Array): Uint8Array {
  return concatBytes(BATCH_SIGNED, root);
}

/** Returns the bytes that are signed for a slot's head. */
export function slotHeadMessage(k: number, head: Uint8Array): Uint8Array {
  return concatBytes(HEAD_SIGNED, u64(BigInt(k)), head);
}

/** Signs "BATCH1/signed\0" || root. */
export function signBatchRoot(key: SignerKey, root: Uint8Array): Uint8Array {
  return signBytes(key, batchRootMessage(root));
}

export function verifyBatchRoot(key: VerifierKey, root: Uint8Array, signature: Uint8Array): boolean {
  return verifyBytes(key, batchRootMessage(root), signature);
}

/** Signs "SLOT1/signed\0" || u64(k) || H_k. */
export function signSlotHead(key: SignerKey, k: number, head: Uint8Array): Uint8Array {
  return signBytes(key, slotHeadMessage(k, head));
}

export function verifySlotHead(key: VerifierKey, k: number, head: Uint8Array, signature: Uint8Array): boolean {
  return verifyBytes(key, slotHeadMessage(k, head), signature);
}

/** H_0, the head that the first slot's head is chained to. */
export const FIRST_SLOT_HEAD = new Uint8Array(32);

/**
 * Calculates a slot's head: H_k = SHA256("SLOT1\0" || H_k−1 || roots of the batches committed since, ordered by number
 * || SHA256 of the slot's lines).
 *
 * @param lines `symbol,seq,time,price` joined by newlines, sorted by symbol (bytewise) and seq
 */
export function slotHead(
  hashes: Hashes,
  previous: Uint8Array,
  roots: readonly Uint8Array[],
  lines: string,
): Uint8Array {
  return hashes.sha256(concatBytes(HEAD_PREFIX, previous, ...roots, hashes.sha256(utf8(lines))));
}

export function slotLine(symbol: string, tick: Tick): string {
  return `${symbol},${priceLine(tick)}`;
}

/** Formats a tick as `seq,time,price`, the form in which minutes are hashed and served. */
export function priceLine(tick: Tick): string {
  return `${tick.seq},${tick.time},${tick.price}`;
}

/** Parses the ticks of a minute's lines; null unless numbers rise by one and times strictly rise. */
export function parsePriceLines(lines: string): Tick[] | null {
  const ticks: Tick[] = [];
  let previous: Tick | undefined;
  for (const line of lines.split("\n")) {
    if (!/^(?:0|[1-9][0-9]{0,17}),[1-9][0-9]{0,17},[1-9][0-9]{0,17}$/.test(line)) return null;
    const [seq = 0n, time = 0n, price = 0n] = line.split(",").map(BigInt);
    const tick = { seq, time: time as Tick["time"], price: price as Points };
    if (previous !== undefined && (tick.seq !== previous.seq + 1n || tick.time <= previous.time)) return null;
    ticks.push(tick);
    previous = tick;
  }
  return ticks;
}
