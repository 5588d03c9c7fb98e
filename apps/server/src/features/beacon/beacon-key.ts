import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Clock, concatBytes, fromHex, toHex, u32, u64, utf8 } from "@fairtick/domain";
import { type BeaconChain, beaconPublicKey, newBeaconSecret } from "@fairtick/transparency";
import * as v from "valibot";
import { makeIfMissing } from "../../platform/key-file.ts";

/** A chain that the house itself signs, and its secret. Only the beacon's process has it. */
export interface BeaconKey {
  readonly chain: BeaconChain;
  readonly secret: Uint8Array;
}

/** Seconds between two rounds, as on drand's public chain. */
const PERIOD = 3n;
/** Random bytes for a secret. More than its 32 bytes, so that all secrets are practically equally likely (BLS KeyGen). */
const RANDOM_BYTES = 48;

const schema = v.strictObject({
  genesis: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  secret: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});

/**
 * Opens the chain's key in a file that only this process's user may read. If the file is missing, a new chain begins, and its
 * first round is due at once. Throws if the file contains something else, because a new key couldn't reproduce old rounds.
 */
export function openBeaconKey(path: string, clock: Clock): BeaconKey {
  makeIfMissing(path, () => {
    const secret = toHex(newBeaconSecret(randomBytes(RANDOM_BYTES)));
    return `${JSON.stringify({ genesis: Number(clock.now() / 1_000n), secret })}\n`;
  });
  const text = readFileSync(path, "utf8");
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  if (!read.success) throw new Error(`${path} holds no key of a beacon`);
  const secret = fromHex(read.output.secret) ?? new Uint8Array();
  return {
    chain: { genesis: BigInt(read.output.genesis), period: PERIOD, publicKey: beaconPublicKey(secret) },
    secret,
  };
}

/**
 * Hashes a chain's parameters as drand does (`chain.Info.Hash`): period, genesis, public key, the hash of the founding group,
 * and the chain's name.
 */
export function chainHash(chain: BeaconChain, groupHash: Uint8Array, name: string): string {
  const parts = [u32(Number(chain.period)), u64(chain.genesis), chain.publicKey, groupHash, utf8(name)];
  return createHash("sha256")
    .update(concatBytes(...parts))
    .digest("hex");
}
