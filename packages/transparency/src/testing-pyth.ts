import { concatBytes, fromHex, toHex, u32, u64 } from "@fairtick/domain";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { addressOf, pythLeafHash, pythNodeHash, type PythLeaf, type PythSigners } from "./pyth-update.ts";

// For tests: our own guardians, who sign Pyth updates in the real format.

const PYTHNET = 26;
/** The emitter of Pyth's roots on Pythnet. */
export const PYTH_EMITTER =
  fromHex("e101faedac5851e32b9b23b5f9411a8c2bac4aae3ed4dd7b811dd1a72ea4aa71") ?? new Uint8Array(32);

export interface TestGuardians {
  readonly signers: PythSigners;
  readonly keys: readonly Uint8Array[];
}

/**
 * Makes guardians. Keys are derived from the guardians' numbers alone, so that a test's files are the same each time.
 */
export function testGuardians(count: number, quorum: number, set = 7): TestGuardians {
  const keys = Array.from({ length: count }, (_none, index) => new Uint8Array(32).fill(index + 1));
  const guardians = keys.map((key) => addressOf(secp256k1.getPublicKey(key, false)));
  return { keys, signers: { set, guardians, quorum, chain: PYTHNET, emitter: PYTH_EMITTER } };
}

export interface TestPrice {
  /** 64 hexadecimal digits. */
  readonly id: string;
  readonly price: bigint;
  readonly conf?: bigint;
  readonly expo?: number;
  readonly publishTime: bigint;
}

export function pythMessage({ id, price, conf = 1n, expo = -8, publishTime }: TestPrice): Uint8Array {
  const bytes = fromHex(id) ?? new Uint8Array(32);
  const signed = (value: bigint) => u64(BigInt.asUintN(64, value));
  const times = [signed(publishTime), signed(publishTime)];
  return concatBytes(
    Uint8Array.of(0),
    bytes,
    signed(price),
    u64(conf),
    u32(expo >>> 0),
    ...times,
    signed(price),
    u64(conf),
  );
}

/** Calculates the root over messages, and each message's path to it. */
export function pythTree(messages: readonly Uint8Array[]): { root: Uint8Array; leaves: PythLeaf[] } {
  let level = messages.map((message, index) => ({ hash: pythLeafHash(message), holds: [index] }));
  const branches: Uint8Array[][] = messages.map(() => []);
  while (level.length > 1) {
    const above: typeof level = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at], level[at + 1]];
      if (left === undefined) continue;
      if (right !== undefined) {
        for (const index of left.holds) branches[index]?.push(right.hash);
        for (const index of right.holds) branches[index]?.push(left.hash);
      }
      const hash = right === undefined ? left.hash : pythNodeHash(left.hash, right.hash);
      above.push({ hash, holds: [...left.holds, ...(right?.holds ?? [])] });
    }
    level = above;
  }
  const leaves = messages.map((message, index) => ({ message, branch: concatBytes(...(branches[index] ?? [])) }));
  return { root: level[0]?.hash ?? new Uint8Array(20), leaves };
}

export interface TestVaa {
  readonly slot: bigint;
  readonly root: Uint8Array;
  /** Numbers of the guardians that sign; by default the first ones that make a quorum. */
  readonly who?: readonly number[];
  readonly set?: number;
  readonly chain?: number;
  readonly emitter?: Uint8Array;
  /** Returns the number of the guardian whose key signs in place of a guardian. */
  readonly keyOf?: (number: number) => number;
}

export function signVaa({ signers, keys }: TestGuardians, vaa: TestVaa): Uint8Array {
  const payload = concatBytes(new TextEncoder().encode("AUWV"), Uint8Array.of(0), u64(vaa.slot), u32(10_000), vaa.root);
  const chain = u32(vaa.chain ?? signers.chain).subarray(2);
  const head = concatBytes(u32(1), u32(0), chain, vaa.emitter ?? signers.emitter, u64(vaa.slot), Uint8Array.of(1));
  const body = concatBytes(head, payload);
  const digest = keccak_256(keccak_256(body));
  const who = vaa.who ?? keys.slice(0, signers.quorum).map((_key, number) => number);
  const signatures = who.map((number) => {
    const key = keys[vaa.keyOf?.(number) ?? number] ?? new Uint8Array(32).fill(0x77);
    const made = secp256k1.sign(digest, key, { prehash: false, format: "recovered" });
    return concatBytes(Uint8Array.of(number), made.subarray(1), made.subarray(0, 1));
  });
  return concatBytes(Uint8Array.of(1), u32(vaa.set ?? signers.set), Uint8Array.of(who.length), ...signatures, body);
}

/** Makes the whole update in hexadecimal, like Hermes' `binary.data`. */
export function pythUpdateHex(vaa: Uint8Array, leaves: readonly PythLeaf[]): string {
  const held = leaves.flatMap(({ message, branch }) => [
    u32(message.length).subarray(2),
    message,
    Uint8Array.of(branch.length / 20),
    branch,
  ]);
  const head = concatBytes(new TextEncoder().encode("PNAU"), Uint8Array.of(1, 0, 0, 0), u32(vaa.length).subarray(2));
  return toHex(concatBytes(head, vaa, Uint8Array.of(leaves.length), ...held));
}
