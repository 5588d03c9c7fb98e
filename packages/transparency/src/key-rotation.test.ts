import { utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { describe, expect, it } from "vitest";
import { followRotations, readRotations, type Rotation } from "./key-rotation.ts";
import { COSIGNATURE_TYPE, formatVerifierKey, type SignerKey } from "./keys.ts";
import { makeRotation, pinning, ROTATING, rotationEntry, testKey } from "./testing-rotation.ts";
import type { VerifierPolicy } from "./verifier-policy.ts";

const [first, second, third] = [testKey(1), testKey(2), testKey(3)] as const;
const batches = testKey(4, `${ROTATING}/acceptance`);
const PINNED = pinning(first);

const rotation = (entry: string, signers: readonly SignerKey[], cosigned = true) =>
  makeRotation(nodeHashes, entry, signers, cosigned);
const follow = (...rotations: Rotation[]) => followRotations(nodeHashes, PINNED, rotations);
const idsOf = (policy: VerifierPolicy) => policy.logKeys.map(formatVerifierKey);

describe("keys that pinned keys rotated to", () => {
  it("are adopted across several rotations", async () => {
    const steps = [
      await rotation(rotationEntry(second), [first, second]),
      await rotation(rotationEntry(third), [second, third]),
    ];
    const { policy, followed } = follow(...steps);
    expect(idsOf(policy)).toEqual([first, second, third].map((key) => formatVerifierKey(key.verifier)));
    expect(followed.map(({ role, index }) => [role, index])).toEqual([
      ["log", 1],
      ["log", 1],
    ]);
    expect(policy.witnessKeys).toEqual(PINNED.witnessKeys);
  });

  it("can be acceptance keys", async () => {
    const { policy } = follow(await rotation(rotationEntry(batches, "acceptance"), [first]));
    expect(policy.acceptanceKeys).toEqual([batches.verifier]);
    expect(policy.logKeys).toEqual(PINNED.logKeys);
  });

  it.each([
    ["that only the new key signed", () => rotation(rotationEntry(second), [second])],
    ["that no witness saw", () => rotation(rotationEntry(second), [first], false)],
    [
      "of another entry",
      async () => ({ ...(await rotation(rotationEntry(second), [first])), entry: rotationEntry(third) }),
    ],
    ["of a key under another origin", () => rotation(rotationEntry(testKey(5, "elsewhere.example/log")), [first])],
    ["of a log key as an acceptance key", () => rotation(rotationEntry(second, "acceptance"), [first])],
    ["of a witness", () => rotation(rotationEntry(testKey(6, ROTATING, COSIGNATURE_TYPE)), [first])],
    ["that is malformed", async () => ({ entry: rotationEntry(second), proof: "" })],
  ])("are not adopted from a proof %s", async (_what, make) => {
    const { policy, followed } = follow(await make());
    expect(policy).toEqual(PINNED);
    expect(followed).toEqual([]);
  });

  it("are read from the log's rotations, if it serves any", async () => {
    const one = await rotation(rotationEntry(second), [first]);
    const serving = (text: string | null) =>
      readRotations({ read: async (path) => (path === "rotations" && text !== null ? utf8(text) : null) });
    expect(await serving(JSON.stringify([one]))).toEqual([one]);
    expect(await serving(null)).toEqual([]);
    await expect(serving('[{"entry":1}]')).rejects.toThrow("malformed");
  });
});
