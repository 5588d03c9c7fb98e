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

describe("keys that follow from pinned ones", () => {
  it("are taken over one rotation after another, by whoever was away for both", async () => {
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

  it("may be those of acceptances", async () => {
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
    ["of a log's key as one of acceptances", () => rotation(rotationEntry(second, "acceptance"), [first])],
    ["of a witness", () => rotation(rotationEntry(testKey(6, ROTATING, COSIGNATURE_TYPE)), [first])],
    ["that is no proof", async () => ({ entry: rotationEntry(second), proof: "" })],
  ])("are not taken from a proof %s", async (_what, make) => {
    const { policy, followed } = follow(await make());
    expect(policy).toEqual(PINNED);
    expect(followed).toEqual([]);
  });

  it("are read from what the log serves, or none where it serves none", async () => {
    const one = await rotation(rotationEntry(second), [first]);
    const serving = (text: string | null) =>
      readRotations({ read: async (path) => (path === "rotations" && text !== null ? utf8(text) : null) });
    expect(await serving(JSON.stringify([one]))).toEqual([one]);
    expect(await serving(null)).toEqual([]);
    await expect(serving('[{"entry":1}]')).rejects.toThrow("malformed");
  });
});
