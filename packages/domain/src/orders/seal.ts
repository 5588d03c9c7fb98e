import { concatBytes, equalBytes, toHex, utf8 } from "../log/bytes.ts";
import type { Hashes } from "../log/hashes.ts";
import type { ClientId } from "../base/ids.ts";
import { formatMoney, formatRate } from "../money/money-text.ts";
import type { MicroUsd, Rate, Wallet } from "../money/money.ts";
import type { Points } from "../market/price.ts";
import type { Direction } from "./order.ts";

/**
 * Sealed orders: the house accepts or refuses an order before it knows the direction. The member's device keeps
 * direction and limit price and reveals them only once a signed head of the log binds the house to the order.
 */

/** The direction and limit price that a member chooses and seals. */
export interface Choice {
  readonly direction: Direction;
  /** Worst entry price that they accept, in points; null for any. */
  readonly limitPrice: Points | null;
}

/** Length of a seal's nonce. It is random, so that nobody can find out the direction by trying both. */
export const SEAL_NONCE_BYTES = 32;
export const SEAL_BYTES = 32;

const SEAL_PREFIX = utf8("FT/seal/1\0");

/**
 * Seals a choice: SHA256("FT/seal/1\0" || nonce (32 bytes) || direction || "\0" || limit price in decimal points, empty
 * for none). A seal can be opened to one choice only. Throws a RangeError for a nonce of another length.
 */
export function sealOf(hashes: Hashes, nonce: Uint8Array, { direction, limitPrice }: Choice): Uint8Array {
  if (nonce.length !== SEAL_NONCE_BYTES) throw new RangeError(`a seal's nonce must have ${SEAL_NONCE_BYTES} bytes`);
  const choice = utf8(`${direction}\0${limitPrice === null ? "" : limitPrice.toString()}`);
  return hashes.sha256(concatBytes(SEAL_PREFIX, nonce, choice));
}

/** Returns whether a nonce and a choice are those that were sealed. */
export function opensSeal(hashes: Hashes, seal: Uint8Array, nonce: Uint8Array, choice: Choice): boolean {
  return nonce.length === SEAL_NONCE_BYTES && equalBytes(sealOf(hashes, nonce, choice), seal);
}

/** The fields that a device signs: everything that the house is told about a wish, which excludes the choice. */
export interface SealedWish {
  readonly wallet: Wallet;
  readonly symbol: string;
  readonly stake: MicroUsd;
  readonly durationSeconds: number;
  readonly payoutRate: Rate;
  readonly fee: MicroUsd;
  readonly clientOrderId: ClientId;
  readonly seal: Uint8Array;
  /** Id of the device whose key signs, `dev_…`. */
  readonly deviceId: string;
  /** Number and hash of the newest signed head that the device has. */
  readonly seenSlot: bigint;
  readonly seenHash: Uint8Array;
}

/**
 * Writes the text that the device signs (ECDSA, P-256, SHA-256; raw r and s): canonical JSON of the call's other
 * fields. Each field is a text in the form that answers show, regardless of the form in which it was sent.
 */
export function wishText(wish: SealedWish): string {
  // Built by hand, because every sealed order needs one: sorting and escaping each field doubled the cost.
  return '{"clientOrderId":'.concat(
    JSON.stringify(wish.clientOrderId),
    ',"deviceId":',
    JSON.stringify(wish.deviceId),
    `,"duration":"${wish.durationSeconds}","fee":"${formatMoney(wish.fee)}","payoutRate":"${formatRate(wish.payoutRate)}"`,
    `,"seal":"${toHex(wish.seal)}","seenHash":"${toHex(wish.seenHash)}","seenSlot":"${wish.seenSlot}"`,
    `,"stake":"${formatMoney(wish.stake)}","symbol":`,
    JSON.stringify(wish.symbol),
    `,"wallet":"${wish.wallet}"}`,
  );
}
