import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import {
  type ClientId,
  deviceHash,
  type DeviceId,
  type Direction,
  formatId,
  type MemberId,
  type MicroUsd,
  type Points,
  type Rate,
  sealOf,
  type Wallet,
  wishText,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { Builder } from "@fairtick/testkit";
import type { PlaceOrderInput } from "./place-order.ts";
import { newClientId } from "./test-world.ts";

/** A device with its key, as in a member's browser. */
export interface TestDevice {
  readonly id: DeviceId;
  readonly key: KeyObject;
}

let devices = 0n;

/** Adds a device of the member as the call does, with its log entry. */
export async function addTestDevice({ client }: Builder, memberId: bigint): Promise<TestDevice> {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  devices += 1n;
  const id = (BigInt(process.pid) * 1_000_000n + devices) as DeviceId;
  const key = publicKey.export({ format: "der", type: "spki" });
  const nonce = randomBytes(16);
  const told = {
    device: formatId("device", id),
    key: key.toString("base64url"),
    member: formatId("member", memberId as MemberId),
  };
  const hash = deviceHash(nodeHashes, nonce, told);
  await client.query("SELECT add_order_device($1, $2, $3, 'a test', $4, $5)", [id, memberId, key, nonce, hash]);
  return { id, key: privateKey };
}

/**
 * Writes a head as the market does, for this moment or `ageMs` earlier. If a test has stored a later tick, the head has
 * that tick's time.
 *
 * @param of The slot's ticks as `symbol,first,count` joined by semicolons, and the time of the oldest one, ms
 */
export async function addHead(
  { client }: Builder,
  ageMs = 0,
  of: { readonly ticks: string; readonly fromTime: bigint } | null = null,
): Promise<{ seenSlot: number; seenHash: Uint8Array }> {
  const { rows } = await client.query<{ k: string; hash: Buffer }>(
    `INSERT INTO slot_heads (k, hash, through_batch, time, from_time, ticks)
     SELECT coalesce(max(k), 0) + 1, $1, coalesce(max(through_batch), 0), t.now - $2::bigint,
       coalesce($3::bigint, t.now - $2::bigint), $4
     FROM slot_heads RIGHT JOIN (
       SELECT greatest(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, max(time)) AS now FROM instrument_clock) t ON true GROUP BY t.now
     RETURNING k, hash`,
    [createHash("sha256").update(randomBytes(8)).digest(), ageMs, of?.fromTime ?? null, of?.ticks ?? ""],
  );
  const [head] = rows;
  if (head === undefined) throw new Error("no head was written");
  return { seenSlot: Number(head.k), seenHash: head.hash };
}

export interface Choice {
  readonly direction: Direction;
  readonly limitPrice: Points | null;
  readonly nonce: Uint8Array;
}

export function choose(direction: Direction = "up", limitPrice: bigint | null = null): Choice {
  return { direction, limitPrice: limitPrice as Points | null, nonce: randomBytes(32) };
}

interface Wished {
  readonly wallet?: Wallet;
  readonly symbol?: string;
  readonly stake?: MicroUsd;
  readonly duration?: number;
  readonly clientOrderId?: ClientId;
}

/** Makes a wish for 10.00 on EURUSD for 30 s at 85 % without a fee, sealed and signed by the device. */
export function sealedWish(
  device: TestDevice,
  choice: Choice,
  seen: { readonly seenSlot: number; readonly seenHash: Uint8Array },
  terms: { readonly payoutRate: Rate; readonly fee: MicroUsd },
  wished: Wished = {},
): PlaceOrderInput {
  const wish = {
    wallet: wished.wallet ?? ("practice" as const),
    symbol: wished.symbol ?? "EURUSD",
    stake: wished.stake ?? (10_000_000n as MicroUsd),
    duration: wished.duration ?? 30,
    clientOrderId: wished.clientOrderId ?? newClientId(),
    ...terms,
    seal: sealOf(nodeHashes, choice.nonce, choice),
    deviceId: formatId("device", device.id),
    ...seen,
  };
  const text = wishText({ ...wish, durationSeconds: wish.duration, seenSlot: BigInt(wish.seenSlot) });
  const signature = sign("sha256", Buffer.from(text), { key: device.key, dsaEncoding: "ieee-p1363" });
  return { ...wish, signature: signature.toString("base64url") };
}
