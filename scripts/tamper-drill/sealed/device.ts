import { generateKeyPairSync, type KeyObject, randomBytes, randomInt, sign } from "node:crypto";
import {
  type ClientId,
  type Direction,
  formatId,
  type Instant,
  type MemberId,
  type MicroUsd,
  parseMoney,
  parseRate,
  type Rate,
  sealOf,
  toHex,
  wishText,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import {
  type AnsweredAcceptance,
  type AnsweredRefusal,
  checkAcceptance,
  checkRefusal,
  type SentWish,
  type VerifierPolicy,
} from "@fairtick/transparency";
import type { Head } from "./heads.ts";

/** Makes a call with a member's session; returns status and data. */
export type Call = (
  path: string,
  fields: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly data: Record<string, unknown> }>;

/** A member's device with its key and owner. */
export interface Device {
  /** `usr_…`, and the number behind it in the tables. */
  readonly member: string;
  readonly memberId: bigint;
  readonly deviceId: string;
  readonly key: KeyObject;
  readonly call: Call;
}

/** What all orders of a round have in common. Money and rate are written as in responses. */
export interface Terms {
  readonly symbol: string;
  readonly stake: string;
  readonly duration: number;
  readonly payoutRate: string;
  readonly fee: string;
}

/** What a device keeps of one order: its own choice, the wish as it was sent, and the response as it arrived. */
export interface Kept {
  readonly direction: Direction;
  /** 32 bytes in hexadecimal that open the seal. */
  readonly nonce: string;
  readonly wish: SentWish;
  /** The fields of `order/place` as they were sent. */
  readonly fields: Readonly<Record<string, string>>;
  readonly sentAt: number;
  answer: Answer;
}

export type Answer =
  | { readonly kind: "accepted"; readonly order: AcceptedOrder; readonly acceptance: AnsweredAcceptance | null }
  /** `refusal` commits the house to the refusal; null if the response has none. */
  | { readonly kind: "refused"; readonly error: string; readonly refusal: AnsweredRefusal | null };

interface AcceptedOrder {
  readonly orderNo: string;
  readonly configVersion: number;
  readonly acceptedAt: number;
}

/** Makes a key and adds it to the member's devices with the house's own call. */
export async function addDevice(call: Call, memberId: bigint): Promise<Device> {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ format: "der", type: "spki" }).toString("base64url");
  const { data } = await call("device/add", { publicKey: spki, label: "drill" });
  if (typeof data["deviceId"] !== "string") throw new Error(`no device was added: ${JSON.stringify(data)}`);
  const member = formatId("member", memberId as MemberId);
  return { member, memberId, deviceId: data["deviceId"], key: privateKey, call };
}

/** A wish with its direction and nonce, ready to be sent. */
export type Sealed = Omit<Kept, "sentAt" | "answer">;

/** Draws a direction, seals, signs and sends the wish. Returns refusals as answers instead of throwing. */
export async function placeSealed(
  device: Device,
  terms: Terms,
  head: Head,
  direction = drawDirection(),
): Promise<Kept> {
  return sendSealed(device, sealWish(device, terms, head, direction));
}

/** Seals and signs a wish. */
export function sealWish(device: Device, terms: Terms, head: Head, direction: Direction): Sealed {
  const nonce = randomBytes(32);
  const wish = signWish(device, terms, head, sealOf(nodeHashes, nonce, { direction, limitPrice: null }));
  const fields = {
    wallet: wish.wallet,
    ...terms,
    duration: String(terms.duration),
    clientOrderId: wish.clientOrderId,
    seal: toHex(wish.seal),
    deviceId: wish.deviceId,
    seenSlot: String(head.slot),
    seenHash: head.hash,
    signature: Buffer.from(wish.signature).toString("base64url"),
  };
  return { direction, nonce: nonce.toString("hex"), wish, fields };
}

export async function sendSealed(device: Device, sealed: Sealed): Promise<Kept> {
  const sentAt = Date.now();
  return { ...sealed, sentAt, answer: await send(device, sealed.fields) };
}

/** Places an order whose direction the house can read. */
export async function placeOpen(device: Device, terms: Terms, direction = drawDirection()): Promise<Answer> {
  const { symbol, stake, duration } = terms;
  const clientOrderId = `drill-${randomBytes(8).toString("hex")}`;
  return send(device, { wallet: "practice", symbol, stake, duration: String(duration), direction, clientOrderId });
}

export function drawDirection(): Direction {
  return randomInt(2) === 0 ? "up" : "down";
}

async function send({ call }: Device, fields: Readonly<Record<string, string>>): Promise<Answer> {
  const { data } = await call("order/place", fields);
  if ("orderNo" in data) {
    const { acceptance } = data as unknown as { acceptance: AnsweredAcceptance | null };
    return { kind: "accepted", order: data as unknown as AcceptedOrder, acceptance };
  }
  const { error, refusal } = data as { error?: string; refusal?: AnsweredRefusal };
  return { kind: "refused", error: error ?? "no answer", refusal: refusal ?? null };
}

function signWish(device: Device, terms: Terms, head: Head, seal: Uint8Array): SentWish {
  const { symbol, stake, duration, payoutRate, fee } = terms;
  const wish = {
    wallet: "practice" as const,
    symbol,
    stake: parseMoney(stake) as MicroUsd,
    durationSeconds: duration,
    payoutRate: parseRate(payoutRate) as Rate,
    fee: parseMoney(fee) as MicroUsd,
    clientOrderId: `drill-${randomBytes(8).toString("hex")}` as ClientId,
    seal,
    deviceId: device.deviceId,
    seenSlot: BigInt(head.slot),
    seenHash: Buffer.from(head.hash, "hex"),
  };
  const signature = sign("sha256", Buffer.from(wishText(wish)), { key: device.key, dsaEncoding: "ieee-p1363" });
  return { ...wish, signature, seenAt: BigInt(head.at) as Instant };
}

/** Reveals an accepted order's direction to the house. */
export async function reveal({ call }: Device, { answer, nonce, direction }: Kept): Promise<void> {
  if (answer.kind === "accepted") await call("order/reveal", { orderNo: answer.order.orderNo, nonce, direction });
}

/**
 * Checks the response with the app's own code. Returns the fault; null if the response proves what it must, and for
 * refusals that come before judgement, which need no proof.
 */
export function faultOfAnswer({ member }: Device, { wish, answer }: Kept, policy: VerifierPolicy): string | null {
  const asked = { member, wishes: [wish] };
  if (answer.kind === "accepted") return checkAcceptance(nodeHashes, policy, asked, answer.order, answer.acceptance);
  const isUnjudged = answer.refusal === null && answer.error === "NOT_NOW";
  return isUnjudged ? null : checkRefusal(nodeHashes, policy, asked, answer.refusal);
}
