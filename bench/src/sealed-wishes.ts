import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import {
  calculateQuote,
  type ClientId,
  deviceHash,
  type DeviceId,
  type Direction,
  findOffer,
  formatId,
  type Instant,
  type MemberId,
  type MicroUsd,
  type OrderPayload,
  type Rate,
  type SealedPart,
  sealOf,
  wishText,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { nextClientId, type OrderWorld } from "./order-world.ts";

/** A member's device with its signing key. */
export interface BenchDevice {
  readonly memberId: MemberId;
  readonly id: DeviceId;
  readonly key: KeyObject;
}

/** A head that a device may name, as stored in the tables. */
export interface BenchHead {
  readonly slot: bigint;
  readonly hash: Uint8Array;
}

export interface SealedWish {
  readonly memberId: MemberId;
  readonly clientOrderId: ClientId;
  readonly payload: OrderPayload & { readonly sealed: SealedPart };
  readonly direction: Direction;
  /** 32 bytes that open the seal. */
  readonly nonce: Uint8Array;
  /** The text that the device signed. */
  readonly text: string;
}

const STAKE = 1_000_000n as MicroUsd;
let made = 0;

/** Adds a device to each member as the call does, with its entry for the log. */
export async function addBenchDevices({ build, members }: OrderWorld): Promise<BenchDevice[]> {
  const devices: BenchDevice[] = [];
  for (const memberId of members) {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const spki = publicKey.export({ format: "der", type: "spki" });
    made += 1;
    const id = (BigInt(process.pid) * 1_000_000n + BigInt(made)) as DeviceId;
    const nonce = randomBytes(16);
    const told = {
      device: formatId("device", id),
      key: spki.toString("base64url"),
      member: formatId("member", memberId),
    };
    await build.client.query("SELECT add_order_device($1, $2, $3, 'bench', $4, $5)", [
      id,
      memberId,
      spki,
      nonce,
      Buffer.from(deviceHash(nodeHashes, nonce, told)),
    ]);
    devices.push({ memberId, id, key: privateKey });
  }
  return devices;
}

/** Returns the newest head written by the market. */
export async function readHead({ build }: OrderWorld): Promise<BenchHead> {
  const { rows } = await build.client.query<{ k: string; hash: Buffer }>(
    "SELECT k, hash FROM slot_heads ORDER BY k DESC LIMIT 1",
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the market wrote no head");
  return { slot: BigInt(row.k), hash: row.hash };
}

/** Writes a head for the newest tick, if no market runs. */
export async function writeHead({ build }: OrderWorld, time: Instant): Promise<BenchHead> {
  const { rows } = await build.client.query<{ k: string; hash: Buffer }>(
    `INSERT INTO slot_heads (k, hash, through_batch, time, from_time)
     SELECT coalesce(max(k), 0) + 1, $1, coalesce(max(through_batch), 0), $2::bigint, $2::bigint FROM slot_heads RETURNING k, hash`,
    [randomBytes(32), time],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("no head was written");
  return { slot: BigInt(row.k), hash: row.hash };
}

interface WishTerms {
  readonly symbol: string;
  readonly duration: number;
}

/** Makes a wish of 1.00 by the terms in force, sealed and signed by its device's key. */
export function makeSealedWish(
  world: OrderWorld,
  device: BenchDevice,
  head: BenchHead,
  { symbol, duration }: WishTerms,
): SealedWish {
  made += 1;
  const clientOrderId = nextClientId();
  const direction: Direction = made % 2 === 0 ? "up" : "down";
  const nonce = randomBytes(32);
  const seal = sealOf(nodeHashes, nonce, { direction, limitPrice: null });
  const seen = { seenSlot: head.slot, seenHash: head.hash };
  const { payoutRate, fee } = quoteOf(world, symbol, duration);
  const agreed = { wallet: "practice", symbol, stake: STAKE, durationSeconds: duration, payoutRate, fee } as const;
  const deviceId = formatId("device", device.id);
  const text = wishText({ ...agreed, clientOrderId, seal, deviceId, ...seen });
  const signature = sign("sha256", Buffer.from(text), { key: device.key, dsaEncoding: "ieee-p1363" });
  const sealed = { seal, deviceId: device.id, ...seen, signature };
  const payload = { ...agreed, direction: null, limitPrice: null, sealed };
  return { memberId: device.memberId, clientOrderId, payload, direction, nonce, text };
}

/**
 * Makes a wish whose signature nobody checks and whose seal nobody opens. Both are random bytes prepared beforehand, because
 * making real ones is the device's work and not the house's.
 */
export function makeUncheckedWish(
  world: OrderWorld,
  device: BenchDevice,
  head: BenchHead,
  { symbol, duration }: WishTerms,
): Pick<SealedWish, "memberId" | "clientOrderId" | "payload"> {
  const { payoutRate, fee } = quoteOf(world, symbol, duration);
  const sealed = {
    seal: nextBytes(32),
    deviceId: device.id,
    seenSlot: head.slot,
    seenHash: head.hash,
    signature: nextBytes(64),
  };
  const payload: SealedWish["payload"] = {
    wallet: "practice",
    symbol,
    direction: null,
    sealed,
    stake: STAKE,
    durationSeconds: duration,
    limitPrice: null,
    payoutRate,
    fee,
  };
  return { memberId: device.memberId, clientOrderId: nextClientId(), payload };
}

const RANDOM = randomBytes(4_000_000);
let used = 0;

function nextBytes(count: number): Buffer {
  if (used + count > RANDOM.length) used = 0;
  used += count;
  return RANDOM.subarray(used - count, used);
}

/** Quotes by product and duration, calculated once. */
const quotes = new Map<string, { readonly payoutRate: Rate; readonly fee: MicroUsd }>();

function quoteOf({ configs }: OrderWorld, symbol: string, duration: number) {
  const name = `${symbol} ${duration}`;
  const known = quotes.get(name);
  if (known !== undefined) return known;
  const rules = configs.findInstrument(symbol);
  const offer = rules === undefined ? undefined : findOffer(rules, duration);
  if (rules === undefined || offer === undefined) throw new Error(`${symbol} is not offered for ${duration} s`);
  const quote = calculateQuote(rules, offer, STAKE);
  quotes.set(name, quote);
  return quote;
}
