import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Clock, concatBytes, fromHex, toHex, u32, u64, utf8 } from "@fairtick/domain";
import { type BeaconChain, beaconPublicKey, newBeaconSecret } from "@fairtick/transparency";
import * as v from "valibot";
import { makeIfMissing } from "../../platform/key-file.ts";

/** The secret of a chain of the house's own. Only the beacon's process holds it. */
export interface BeaconKey {
  readonly chain: BeaconChain;
  readonly secret: Uint8Array;
}

/** As drand's public chain has it. */
const PERIOD = 3n;
/** Of more than drand's 32 bytes, so that no secret is likelier than another (BLS KeyGen). */
const RANDOM_BYTES = 48;

const schema = v.strictObject({
  genesis: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  secret: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});

/**
 * Opens the chain's key in a file that only this process's user may read. Where it is missing a new chain begins, with its first
 * round at once. Throws for a file that holds something else: its rounds could not be made again.
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
 * A chain's hash as drand makes it (`chain.Info.Hash`): of period, genesis, public key, the hash of the group that began it, and
 * the chain's name.
 */
export function chainHash(chain: BeaconChain, groupHash: Uint8Array, name: string): string {
  const parts = [u32(Number(chain.period)), u64(chain.genesis), chain.publicKey, groupHash, utf8(name)];
  return createHash("sha256")
    .update(concatBytes(...parts))
    .digest("hex");
}
