import { concatBytes, u64, utf8, type Hashes, type Points, type Tick } from "@fairtick/domain";
import { signBytes, verifyBytes, type SignerKey, type VerifierKey } from "./keys.ts";

/**
 * What binds the house to an order before its prices are known: the signed root of its batch, which comes with the answer,
 * and the signed head of each tick slot. Both are signed with an acceptance key (Ed25519, type 0x01) over a prefix of
 * their own, so that a signature of one thing never passes for that of another or of a note.
 */
const BATCH_SIGNED = utf8("BATCH1/signed\0");
const HEAD_SIGNED = utf8("SLOT1/signed\0");
const HEAD_PREFIX = utf8("SLOT1\0");

/** Answers the bytes that are signed for a batch. */
export function batchRootMessage(root: Uint8Array): Uint8Array {
  return concatBytes(BATCH_SIGNED, root);
}

/** Answers the bytes that are signed for a slot's head. */
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

/** H_0, before the first slot. */
export const FIRST_SLOT_HEAD = new Uint8Array(32);

/**
 * H_k = SHA256("SLOT1\0" || H_k−1 || roots of the batches committed since, by number || SHA256 of the slot's lines).
 * `lines`: `symbol,seq,time,price` joined by newlines, by symbol (bytewise) and seq.
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

/** Writes a tick as `seq,time,price`, the form in which minutes are hashed and served. */
export function priceLine(tick: Tick): string {
  return `${tick.seq},${tick.time},${tick.price}`;
}

/** Reads the ticks of a minute's lines; null unless both numbers and times strictly rise. */
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
