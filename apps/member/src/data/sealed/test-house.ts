import {
  batchCommitments,
  batchRoot,
  calculateReturns,
  type ClientId,
  type DeviceId,
  formatId,
  fromHex,
  type Instant,
  type MemberId,
  merkleTree,
  type OrderId,
  ORDER_NONCES_BYTES,
  type MicroUsd,
  parseMoney,
  parsePrice,
  parseRate,
  type Rate,
  toHex,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import {
  ED25519_TYPE,
  formatVerifierKey,
  revealMessage,
  signBytes,
  signBatchRoot,
  signerKey,
  signSlotHead,
  toBase64,
} from "@fairtick/transparency";
import { takeHead } from "./heads.ts";

/**
 * A test house that signs its answers as the server does (the server's own are checked in its answer-check.test.ts).
 */

const ORIGIN = "house.test/log";
export const LOG = signerKey(ORIGIN, ED25519_TYPE, new Uint8Array(32).fill(1));
const ACCEPTANCE = signerKey(`${ORIGIN}/acceptance`, ED25519_TYPE, new Uint8Array(32).fill(2));
export const MEMBER = formatId("member", 9n as MemberId);
export const DEVICE = formatId("device", 7n as DeviceId);
export const ORDER = formatId("order", 5n as OrderId);
const NOTHING = 0n as MicroUsd;
const KEY_ID = toHex(ACCEPTANCE.verifier.id);

/** What `/log/keys` serves. */
export const SERVED_KEYS = [LOG, ACCEPTANCE].map(({ verifier }) => `${formatVerifierKey(verifier)}\n`).join("");

/** The key that signs acceptances and acknowledgements, as the app stores it for the service worker. */
export const ACCEPTANCE_LINE = formatVerifierKey(ACCEPTANCE.verifier);

let slots = 1_000_000;

/** Brings a current head, signed by the house or by `signer`. */
export function bringSignedHead(at = Date.now(), signer = ACCEPTANCE): void {
  slots += 1;
  const hash = new Uint8Array(32).fill(slots % 251);
  const head = { k: slots, hash: toHex(hash), signature: toBase64(signSlotHead(signer, slots, hash)), key: KEY_ID };
  takeHead({ t: "ticks", now: at, d: [["EURUSD", slots, at, "1.08500"]], head });
}

/** Answers the form fields of a sealed order request with an order and its acceptance. */
export function acceptWish(body: URLSearchParams, acceptedAt = Date.now()) {
  const { wish, terms } = read(body);
  const { profitIfWon } = calculateReturns(wish);
  const order = { ...wish, orderId: 5n as OrderId, configVersion: 1, profitIfWon };
  const nonces = crypto.getRandomValues(new Uint8Array(ORDER_NONCES_BYTES));
  const commitments = batchCommitments(nodeHashes, nonces, [order]);
  const acceptance = { acceptedAt, ...placeOf(commitments, nonces, BigInt(acceptedAt) as Instant, 1) };
  return {
    ...terms,
    orderNo: ORDER,
    configVersion: 1,
    acceptedAt,
    state: "accepted",
    direction: null,
    sealed: true,
    acceptance,
  };
}

/** Answers a sealed order request with a signed refusal. */
export function refuseWish(body: URLSearchParams, reason: string, at = Date.now()) {
  const { wish } = read(body);
  const nonces = crypto.getRandomValues(new Uint8Array(ORDER_NONCES_BYTES));
  const commitments = batchCommitments(nodeHashes, nonces, [], [{ wish, reason }]);
  return { error: reason, refusal: { reason, at, ...placeOf(commitments, nonces, BigInt(at) as Instant, 0) } };
}

/** Acknowledges a reveal with the house's signature, or with another's. */
export function acknowledge(body: URLSearchParams, signer = ACCEPTANCE) {
  const text = (name: string) => body.get(name) ?? "";
  const at = 7;
  const direction = text("direction") as "up" | "down";
  const limitPrice = body.has("limitPrice") ? parsePrice(text("limitPrice"), 5) : null;
  const reveal = { orderNo: text("orderNo"), direction, limitPrice, nonce: text("nonce"), at: BigInt(at) };
  const signature = toBase64(signBytes(signer, revealMessage(reveal)));
  return {
    orderNo: reveal.orderNo,
    direction,
    limitPrice: body.get("limitPrice"),
    reveal: { at, signature, key: KEY_ID },
  };
}

function placeOf(commitments: Uint8Array, nonces: Uint8Array, at: Instant, accepted: number) {
  const tree = merkleTree(nodeHashes, [commitments]);
  const root = batchRoot(nodeHashes, 3n, at, accepted, tree.root);
  return {
    batchNo: "3",
    place: 0,
    count: 1,
    accepted,
    path: tree.pathOf(0).map(toHex),
    nonce: toHex(nonces),
    root: toHex(root),
    signature: toBase64(signBatchRoot(ACCEPTANCE, root)),
    key: KEY_ID,
  };
}

function read(body: URLSearchParams) {
  const text = (name: string) => body.get(name) ?? "";
  const bytes = (name: string) => fromHex(text(name)) ?? new Uint8Array();
  const signature = Uint8Array.from(Buffer.from(text("signature"), "base64url"));
  const terms = {
    clientOrderId: text("clientOrderId") as ClientId,
    wallet: text("wallet") as "practice" | "real",
    symbol: text("symbol"),
  };
  const money = { stake: text("stake"), fee: text("fee"), payoutRate: text("payoutRate") };
  const wish = {
    ...terms,
    memberId: 9n as MemberId,
    stake: parseMoney(money.stake) ?? NOTHING,
    fee: parseMoney(money.fee) ?? NOTHING,
    payoutRate: parseRate(money.payoutRate) ?? (0n as Rate),
    durationSeconds: Number(text("duration")),
    direction: null,
    limitPrice: null,
    sealed: {
      seal: bytes("seal"),
      deviceId: 7n as DeviceId,
      seenSlot: BigInt(text("seenSlot")),
      seenHash: bytes("seenHash"),
      signature,
    },
  };
  return { wish, terms: { ...terms, ...money, duration: wish.durationSeconds, limitPrice: null } };
}
