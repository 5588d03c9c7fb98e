import { createPrivateKey, sign } from "node:crypto";
import { toHex } from "@fairtick/domain";
import {
  batchRootMessage,
  type DepositPlace,
  depositPlaceMessage,
  ED25519_TYPE,
  type Reveal,
  revealMessage,
  type SignerKey,
  slotHeadMessage,
  type VerifierKey,
} from "@fairtick/transparency";
import { openKeyFile } from "./key-file.ts";

/** Signs the roots of order batches, the heads of slots, and members' deposit addresses. */
export interface AcceptanceSigner {
  readonly verifier: VerifierKey;
  /** The key's id in hexadecimal, as in answers and receipts. */
  readonly keyId: string;
  signBatch(root: Uint8Array): Buffer;
  signHead(k: bigint, head: Uint8Array): Buffer;
  signDepositPlace(place: DepositPlace): Buffer;
  /** Signs that the house knows what a sealed order was opened to, and since when. */
  signReveal(reveal: Reveal): Buffer;
}

/** PKCS #8 of an Ed25519 key (RFC 8410), up to its 32 bytes. */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** Opens the signer of a key file, or creates the file. Signs with Node's own crypto, 25 µs a signature. */
export function openAcceptanceSigner(path: string, name: string): AcceptanceSigner {
  return acceptanceSigner(openKeyFile(path, name, ED25519_TYPE));
}

export function acceptanceSigner({ verifier, seed }: SignerKey): AcceptanceSigner {
  const der = Buffer.concat([PKCS8_HEAD, seed]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  return {
    verifier,
    keyId: toHex(verifier.id),
    signBatch: (root) => sign(null, batchRootMessage(root), key),
    signHead: (k, head) => sign(null, slotHeadMessage(Number(k), head), key),
    signDepositPlace: (place) => sign(null, depositPlaceMessage(place), key),
    signReveal: (reveal) => sign(null, revealMessage(reveal), key),
  };
}
